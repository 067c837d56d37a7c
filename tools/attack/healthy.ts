import { HealthSchema } from '../../src/contract/analysis.ts';

const Healthy = HealthSchema.strict();

/** Whether a body is what `/health` answers anybody, and nothing beside it. */
export function isHealthy(body: string): boolean {
  try {
    return Healthy.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
