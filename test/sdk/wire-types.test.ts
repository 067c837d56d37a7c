import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WIRE_TYPES, wireTypes } from '../../scripts/wire-types.ts';
import { WORKLET_SOURCE, workletSource } from '../../scripts/worklet-source.ts';
import type * as analysis from '../../src/contract/analysis.ts';
import type * as events from '../../src/contract/events.ts';
import type * as live from '../../src/contract/live.ts';
import type * as segmentation from '../../src/contract/segmentation.ts';
import type * as wire from '../../src/sdk/wire.ts';

it('src/sdk/wire.ts is what `npm run generate -- wire-types` writes', () => {
  expect(readFileSync(WIRE_TYPES, 'utf8')).toBe(wireTypes());
});

it('src/sdk/pcm-worklet-source.ts is what `npm run generate -- worklet` writes', async () => {
  expect(readFileSync(WORKLET_SOURCE, 'utf8')).toBe(await workletSource());
});

/** Compiles only if the two types are mutually assignable. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;

it('the generated types are those of the schemas', () => {
  // Checked by the compiler; nothing of it remains at run time.
  const same: true[] = [
    true satisfies Same<wire.AnalysisResponse, analysis.AnalysisResponse>,
    true satisfies Same<wire.ServiceEvent, events.ServiceEvent>,
    true satisfies Same<wire.LiveSession, live.LiveSessionBody>,
    true satisfies Same<wire.ChunkAccepted, live.ChunkAccepted>,
    true satisfies Same<wire.ControlRequest, live.Control>,
    true satisfies Same<wire.ControlAnswer, live.ControlAnswer>,
    true satisfies Same<wire.SegmentResponse, segmentation.SegmentResponse>,
    true satisfies Same<wire.Metrics, analysis.MetricsBody>,
  ];
  expect(same).not.toContain(false);
});
