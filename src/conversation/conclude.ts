import type { Findings, MomentEvent, TransitionEvent } from '../contract/findings.ts';
import type { ConversationMetrics } from '../contract/insights.ts';
import type { Utterance } from '../contract/timeline.ts';
import { allRounded } from '../contract/wire-numbers.ts';
import { findCommitments } from './commitments/commitments.ts';
import { findOpenQuestions } from './commitments/open-questions.ts';
import type { RecordedAt } from './commitments/recorded-at.ts';
import type { Language } from './language.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import { outcomesOf } from './outcomes.ts';
import { analyseStructure } from './phases/conversation-structure.ts';
import { SentenceList, type Spans } from './sentences/spans.ts';
import { mapInsights, mapSegmentation, mapSummary } from './summary/findings-of.ts';
import { drawInsights } from './summary/insights.ts';
import { spansOfMoment } from './summary/moment-descriptions.ts';
import { describeSegmentation } from './summary/phase-descriptions.ts';
import { summarise } from './summary/summary.ts';
import { focusStems } from './topics/topic-words.ts';
import { type Alone, loneVoice } from './turn-taking/lone-voice.ts';
import { MetricsCounter } from './turn-taking/metrics.ts';
import { isBetweenPeople, settingOf } from './turn-taking/setting.ts';
import { readable } from './unread.ts';
import type { SegmentationWeights } from './weights.ts';

/**
 * The input for drawing conclusions: utterances and transitions in order of time, and moments in the order of their
 * events.
 */
export interface Observations {
  utterances: Utterance[];
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  /** The client's analysis focus, or '' for none. */
  goal: string;
  language?: Language;
  /** How a single voice is reported, if the sound was measured. */
  alone?: Alone;
  /** The metrics of these utterances. Computed if absent. */
  metrics?: ConversationMetrics;
  /** When it was recorded. Without it, no date that was said can be worked out. */
  recorded?: RecordedAt;
}

/** The findings of a conversation. */
export function conclude(observations: Observations, weights: SegmentationWeights): Findings {
  const steps = concludeInSteps(observations, weights);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs `conclude` in steps, so that other work can run in between. The longest conversation takes seconds. */
export function* concludeInSteps(observations: Observations, weights: SegmentationWeights): Generator<void, Findings> {
  const { transitions, goal, language = DEFAULT_LANGUAGE } = observations;
  const utterances = observations.utterances.map(readable);
  const setting = settingOf(utterances, language, observations.alone ?? loneVoice(utterances, language));
  const counted = observations.metrics ?? metricsOf(utterances, language);
  const metrics = setting === 'unknown' ? withoutShares(counted) : counted;
  const moments = observations.moments.toSorted((a, b) => a.start_ms - b.start_ms);
  const mutual = isBetweenPeople(setting) ? moments : [];
  const outcomes = outcomesOf(mutual, utterances, language);
  const insights = drawInsights({ utterances, transitions, moments, metrics, language });
  yield;
  const focus = focusStems(goal, language);
  const structure = yield* analyseStructure(utterances, { moments, transitions, focus }, weights, language);
  const segmentation = yield* describeSegmentation(structure, { setting, outcomes, moments, transitions });
  yield;
  const commitments = findCommitments(structure, { setting, outcomes, recorded: observations.recorded });
  const open_questions = findOpenQuestions(structure, setting);
  const summary = summarise(
    { structure, setting, insights, transitions, moments: mutual, outcomes, commitments, goal },
    weights,
  );
  const sentences = new SentenceList();
  const write = (spans: Spans): string => sentences.add(spans);
  for (const moment of moments) sentences.add(spansOfMoment(moment, language));
  return allRounded({
    setting,
    summary: mapSummary(summary, write),
    insights: mapInsights(insights, write),
    transitions,
    moments: observations.moments,
    segmentation: mapSegmentation(segmentation, write),
    commitments,
    open_questions,
    sentences: sentences.all,
  });
}

/** The metrics without the shares of individual speakers, because the one label may stand for several people. */
const withoutShares = ({ speakers, ...metrics }: ConversationMetrics): ConversationMetrics => ({
  ...metrics,
  speakers: Object.fromEntries(
    Object.entries(speakers).map(([label, own]) => [label, { ...own, talk_ratio: null, longest_monologue_s: null }]),
  ),
});

function metricsOf(utterances: readonly Utterance[], language: Language): ConversationMetrics {
  const counter = new MetricsCounter(language);
  for (const utterance of utterances) counter.add(utterance);
  return counter.metrics;
}
