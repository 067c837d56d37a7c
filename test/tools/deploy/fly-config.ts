import * as z from 'zod';

const DurationSchema = z.union([z.number().int().min(0), z.string().regex(/^(\d+(ms|s|m|h))+$/)]);
const PortSchema = z.number().int().min(1).max(65_535);

/**
 * The sections of Fly's fly.toml that this project uses, after https://fly.io/docs/reference/configuration/. Fly
 * publishes no schema as a package. Another section of that page has to be added here before a file may use it.
 */
export const FlyConfigSchema = z.strictObject({
  app: z.string().regex(/^[a-z0-9-]+$/),
  primary_region: z.string().regex(/^[a-z]{3}$/),
  kill_signal: z.enum(['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGKILL', 'SIGSTOP']),
  /** Seconds. */
  kill_timeout: z.number().int().min(0).max(300),
  build: z.strictObject({ dockerfile: z.string() }),
  env: z.record(z.string(), z.string()),
  http_service: z.strictObject({
    internal_port: PortSchema,
    force_https: z.boolean(),
    auto_stop_machines: z.enum(['off', 'stop', 'suspend']),
    auto_start_machines: z.boolean(),
    min_machines_running: z.number().int().min(0),
    concurrency: z.strictObject({
      type: z.enum(['connections', 'requests']),
      soft_limit: z.number().int().min(1),
      hard_limit: z.number().int().min(1),
    }),
    checks: z.array(
      z.strictObject({
        method: z.enum(['GET', 'HEAD']),
        path: z.string().startsWith('/'),
        interval: DurationSchema,
        timeout: DurationSchema,
        grace_period: DurationSchema,
      }),
    ),
  }),
  vm: z.array(
    z.strictObject({
      size: z.string().regex(/^(shared-cpu|performance)-\d+x$/),
      memory: z.union([z.number().int(), z.string().regex(/^\d+(mb|gb)$/i)]),
    }),
  ),
});
