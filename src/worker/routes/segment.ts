import { Hono } from 'hono';
import type { TransitionEvent } from '../../contract/findings.ts';
import type { SegmentResponse } from '../../contract/segmentation.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { TransitionDetector } from '../../conversation/affect/transitions.ts';
import { segmentInSteps } from '../../conversation/summary/phase-descriptions.ts';
import { requireJson } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { type SegmentRequest, withSegmentRequest } from '../segmentation/request.ts';
import { inTurn } from '../segmentation/sharing.ts';
import { segmentationWeights } from '../segmentation/weights.ts';
import { settingsOf } from '../settings/settings.ts';

/** Segmentation of a given timeline, without media. */
export const segment = new Hono<AppEnv>().post('/segment/conversation', (c) => {
  requireJson(c);
  const answer = withSegmentRequest(c.req.raw, settingsOf(c.env).uploadStallSeconds, (request, seen) =>
    inTurn((stepped) => segmented(request, stepped), seen),
  );
  // Resources are released even when the client has left.
  c.executionCtx.waitUntil(answer.catch(() => undefined));
  return answer.then(({ segmentation, notes }) => {
    if (notes.length > 0) c.header('Undertone-Notes', notes.join(' '));
    return c.json({ segmentation } satisfies SegmentResponse);
  });
});

async function segmented(
  { timeline, context, moments, transitions, notes }: SegmentRequest,
  stepped: () => void,
): Promise<SegmentResponse & Pick<SegmentRequest, 'notes'>> {
  const found = transitions ?? transitionsOf(timeline);
  const steps = segmentInSteps(timeline, { context, moments, transitions: found }, segmentationWeights);
  for (;;) {
    const { done, value: segmentation } = steps.next();
    if (done) return { segmentation, notes };
    await scheduler.wait(0);
    stepped();
  }
}

/** Finds the transitions from the affect of the utterances, as an analysis does. */
function transitionsOf(timeline: Utterance[]): TransitionEvent[] {
  const detector = new TransitionDetector('');
  for (const utterance of timeline) detector.add(utterance);
  return detector.transitions;
}
