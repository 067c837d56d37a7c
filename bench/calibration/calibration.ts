import * as z from 'zod';

const count = z.number().int().min(0);
const positive = z.number().positive();
const QuantilesSchema = z.strictObject({ p50: z.number().min(0), p95: z.number().min(0) });
const CostSchema = z.strictObject({ batch: positive, live: positive.nullable() });

/** Measurements of a deployed service, as `npm run bench -- calibrate` writes them. */
export const CalibrationSchema = z.strictObject({
  format: z.literal('undertone-calibration/1'),
  url: z.string(),
  version: z.string(),
  at: z.iso.datetime(),
  /** The service's default recogniser, which the speed depends on. */
  recogniser: z.string(),
  /** From this machine to the Worker alone, and through the Worker to an object, ms. */
  round_trip_ms: z.strictObject({ worker: QuantilesSchema, object: QuantilesSchema }),
  /** Seconds of audio per second of one analysis that runs alone. */
  speed: z.strictObject({ best: positive, fast: positive }),
  /** Sessions at once, and the time from the end of speech to the final text. Quantiles are null without texts. */
  live: z.array(
    z.strictObject({
      sessions: z.number().int().min(1),
      /** Pipelines that had sessions at the same time. */
      instances: z.number().int().min(1),
      finals: count,
      p50_ms: z.number().nullable(),
      p95_ms: z.number().nullable(),
    }),
  ),
  /** From the decision to start a container to its first report, s. Empty where no container started. */
  start_s: z.array(z.number().min(0)),
  /** Hours that containers ran during the measurement, and what they cost at list prices, US dollars. */
  containers: z.strictObject({ hours: z.number().min(0), dollars: z.number().min(0) }),
  /** US dollars for an hour of audio at list prices, on containers that are kept busy. */
  audio_hour_dollars: z.strictObject({ 'built-in': CostSchema, recommended: CostSchema }),
});
export type Calibration = z.infer<typeof CalibrationSchema>;

/** Latest final texts with which a number of sessions counts as carried, ms. */
export const CARRIED_MS = 2_000;

/** Sessions that one pipeline carries: of the steps up to the first that is too slow. 0 if even the first is. */
export function carriedSessions(live: Calibration['live']): number {
  let carried = 0;
  for (const { sessions, instances, p95_ms } of live) {
    if (p95_ms === null || p95_ms > CARRIED_MS) break;
    carried = Math.max(carried, sessions / instances);
  }
  return carried;
}
