import type { Findings, MomentEvent, TransitionEvent } from '../contract/findings.ts';
import type { ConversationMetrics } from '../contract/insights.ts';
import type { Utterance } from '../contract/timeline.ts';
import { allRounded } from '../contract/wire-numbers.ts';
import { readInSteps } from './purposes/reading.ts';
import { MetricsCounter } from './talk/metrics.ts';
import { drawInsights } from './telling/insights.ts';
import { tellPhases } from './telling/phases.ts';
import { summarise } from './telling/summary.ts';
import { focusStems } from './topics/topic-words.ts';
import type { SegmentationWeights } from './weights.ts';

/** What was said and what was noticed in it; utterances and transitions in order of time, moments as they were told. */
export interface Noticed {
  utterances: Utterance[];
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  /** The client's analysis focus; '' for none. */
  goal: string;
  /** Of these utterances; counted anew where they are absent. */
  metrics?: ConversationMetrics;
}

/** What a conversation comes to, concluded from what was noticed in it. */
export function conclude(noticed: Noticed, weights: SegmentationWeights): Findings {
  const steps = concludeInSteps(noticed, weights);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `conclude` in steps between which others can have their turn: of the longest conversation it takes seconds. */
export function* concludeInSteps(noticed: Noticed, weights: SegmentationWeights): Generator<void, Findings> {
  const { utterances, transitions, goal, metrics = metricsOf(utterances) } = noticed;
  const moments = noticed.moments.toSorted((a, b) => a.start_ms - b.start_ms);
  const insights = drawInsights({ utterances, transitions, moments, metrics });
  yield;
  const reading = yield* readInSteps(utterances, { moments, transitions, focus: focusStems(goal) }, weights);
  const segmentation = yield* tellPhases(reading, moments, transitions);
  yield;
  const summary = summarise({ reading, insights, transitions, moments, goal }, weights);
  return allRounded({ summary, insights, transitions, moments: noticed.moments, segmentation });
}

function metricsOf(utterances: readonly Utterance[]): ConversationMetrics {
  const counter = new MetricsCounter();
  for (const utterance of utterances) counter.add(utterance);
  return counter.metrics;
}
