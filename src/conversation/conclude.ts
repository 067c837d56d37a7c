import type { Findings, MomentEvent, TransitionEvent } from '../contract/findings.ts';
import type { ConversationMetrics } from '../contract/insights.ts';
import type { Utterance } from '../contract/timeline.ts';
import { allRounded } from '../contract/wire-numbers.ts';
import type { Language } from './language.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import { outcomesOf } from './outcomes.ts';
import { analyseStructure } from './phases/conversation-structure.ts';
import { drawInsights } from './summary/insights.ts';
import { describeSegmentation } from './summary/phase-descriptions.ts';
import { summarise } from './summary/summary.ts';
import { focusStems } from './topics/topic-words.ts';
import { MetricsCounter } from './turn-taking/metrics.ts';
import type { SegmentationWeights } from './weights.ts';

/** What was said and what was noticed in it; utterances and transitions in order of time, moments as they were told. */
export interface Observations {
  utterances: Utterance[];
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  /** The client's analysis focus; '' for none. */
  goal: string;
  language?: Language;
  /** Of these utterances; counted anew where they are absent. */
  metrics?: ConversationMetrics;
}

/** What a conversation comes to, concluded from what was noticed in it. */
export function conclude(noticed: Observations, weights: SegmentationWeights): Findings {
  const steps = concludeInSteps(noticed, weights);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `conclude` in steps between which others can have their turn: of the longest conversation it takes seconds. */
export function* concludeInSteps(noticed: Observations, weights: SegmentationWeights): Generator<void, Findings> {
  const { utterances, transitions, goal, language = DEFAULT_LANGUAGE } = noticed;
  const metrics = noticed.metrics ?? metricsOf(utterances, language);
  const moments = noticed.moments.toSorted((a, b) => a.start_ms - b.start_ms);
  const outcomes = outcomesOf(moments, utterances, language);
  const insights = drawInsights({ utterances, transitions, moments, outcomes, metrics });
  yield;
  const focus = focusStems(goal, language);
  const reading = yield* analyseStructure(utterances, { moments, transitions, focus }, weights, language);
  const segmentation = yield* describeSegmentation(reading, outcomes, moments, transitions);
  yield;
  const summary = summarise({ reading, insights, transitions, outcomes, goal }, weights);
  return allRounded({ summary, insights, transitions, moments: noticed.moments, segmentation });
}

function metricsOf(utterances: readonly Utterance[], language: Language): ConversationMetrics {
  const counter = new MetricsCounter(language);
  for (const utterance of utterances) counter.add(utterance);
  return counter.metrics;
}
