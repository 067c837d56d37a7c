import { HealthSchema } from '../../src/contract/analysis.ts';

const Healthy = HealthSchema.strict();

/** Whether a body is the public answer of `/health`, and contains nothing else. */
export function isHealthy(body: string): boolean {
  try {
    return Healthy.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
