import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { Insights } from '../../contract/insights.ts';
import { COGNITIVE_SIGNALS, EMOTIONS, type Emotion, type Level, type Utterance } from '../../contract/timeline.ts';
import { engagementOf, polarityOf } from '../affect/states.ts';
import type { Language } from '../language.ts';
import { withoutRepeats } from '../outcomes.ts';
import type { Spans } from '../sentences/spans.ts';
import { findHotspots } from '../turn-taking/hotspots.ts';
import type { MetricsCounter } from '../turn-taking/metrics.ts';
import { direction, mean, standardDeviation } from '../turn-taking/trends.ts';
import type { InsightsOf, KeyMomentOf } from './findings-of.ts';
import { describeHotspot } from './hotspot-descriptions.ts';
import { spansOfMoment } from './moment-descriptions.ts';
import { giveTips } from './tips.ts';

/** The input of the insights. Utterances are in order of `t_start`. */
export interface InsightsInput {
  utterances: Utterance[];
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  metrics: MetricsCounter['metrics'];
  language: Language;
}

/** Minimum average of a cognitive signal for it to be a dominant state. */
const DOMINANT_SIGNAL = 0.3;
const LOAD: Record<Level, number> = { low: 0, moderate: 0.5, high: 1 };
/**
 * Minimum average loads for a moderate and a high load of the conversation. They are the midpoints between the levels.
 */
const MODERATE_LOAD = 0.25;
const HIGH_LOAD = 0.75;

export function drawInsights(input: InsightsInput): InsightsOf<Spans> {
  const { utterances, transitions, moments, metrics, language } = input;
  const polarities = utterances.map(polarityOf).filter((p) => p !== null);
  const engagements = utterances.map(engagementOf).filter((e) => e !== null);
  const loads = utterances.map((u) => u.load_level ?? null).filter((l) => l !== null);
  const duration = span(utterances);
  const hotspots = findHotspots(utterances);
  const profile: InsightsOf<Spans>['cognitive_profile'] = {
    ...cognitiveAverages(utterances),
    load_level: levelOf(loads),
    trend: trendOf(loads.map((l) => LOAD[l])),
    hotspots: hotspots.map((spot) => describeHotspot(spot, language)),
    tips: giveTips({ metrics, language }),
  };
  return {
    overall_sentiment:
      polarities.length === 0
        ? null
        : {
            mean: mean(polarities),
            std: standardDeviation(polarities),
            trend: (['negative', 'stable', 'positive'] as const)[1 + direction(polarities)] ?? 'stable',
          },
    dominant_emotions: topEmotions(countEmotions(utterances, { dominant: true })).slice(0, 3),
    engagement_pattern: trendOf(engagements),
    key_moments: keyMoments(transitions, moments, utterances, language),
    speaker_profiles: speakerProfiles(utterances),
    conversation_dynamics: {
      total_duration: duration,
      utterance_count: utterances.length,
      transition_count: transitions.length,
      avg_utterance_duration: mean(utterances.map((u) => u.t_end - u.t_start)),
      transition_rate: duration > 0 ? (transitions.length * 60) / duration : 0,
    },
    cognitive_profile: profile,
    metrics,
  };
}

/** Null if there are no values. */
const trendOf = (values: number[]) =>
  values.length === 0 ? null : ((['decreasing', 'stable', 'increasing'] as const)[1 + direction(values)] ?? 'stable');

/** Null if there are no values. */
const meanOf = (values: number[]): number | null => (values.length === 0 ? null : mean(values));

/** From the first start to the last end, seconds. */
function span(utterances: Utterance[]): number {
  const first = utterances[0];
  if (!first) return 0;
  return utterances.reduce((end, u) => Math.max(end, u.t_end), first.t_end) - first.t_start;
}

/** The dominant emotion of an utterance, taken from the distribution if none is stated. */
function emotionOf(u: Utterance): Emotion | undefined {
  if (u.dominant_emotion) return u.dominant_emotion;
  const map = u.emotions;
  if (!map) return undefined;
  return EMOTIONS.reduce<Emotion | undefined>(
    (best, e) => ((map[e] ?? 0) > (best ? (map[best] ?? 0) : 0) ? e : best),
    undefined,
  );
}

/** Minimum share of its class for an emotion to count as dominant, if shares are known. */
const DOMINANT_SHARE = 0.5;

const isDominant = (u: Utterance, emotion: Emotion): boolean =>
  !u.emotions || (u.emotions[emotion] ?? 0) >= DOMINANT_SHARE;

/** @param dominant counts only emotions with the larger share of their utterance */
function countEmotions(utterances: Utterance[], { dominant }: { dominant: boolean }): Map<Emotion, number> {
  const counts = new Map<Emotion, number>();
  for (const u of utterances) {
    const e = emotionOf(u);
    if (e && (!dominant || isDominant(u, e))) counts.set(e, (counts.get(e) ?? 0) + 1);
  }
  return counts;
}

/** Most frequent first. Ties follow the wire order, with neutral last. */
const topEmotions = (counts: Map<Emotion, number>): Emotion[] =>
  EMOTIONS.filter((e) => counts.has(e)).sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));

function speakerProfiles(utterances: Utterance[]): Insights['speaker_profiles'] {
  const bySpeaker = Map.groupBy(utterances, (u) => u.speaker);
  const profiles = [...bySpeaker].map(([speaker, own]): [string, Insights['speaker_profiles'][string]] => {
    const counts = countEmotions(own, { dominant: false });
    return [
      speaker,
      {
        utterance_count: own.length,
        total_duration: own.reduce((sum, u) => sum + (u.t_end - u.t_start), 0),
        emotions: counts.size === 0 ? null : Object.fromEntries(counts),
        avg_engagement: meanOf(own.map(engagementOf).filter((e) => e !== null)),
        avg_polarity: meanOf(own.map(polarityOf).filter((p) => p !== null)),
        dominant_emotion: topEmotions(countEmotions(own, { dominant: true }))[0] ?? null,
      },
    ];
  });
  return Object.fromEntries(profiles);
}

function cognitiveAverages(
  utterances: Utterance[],
): Pick<Insights['cognitive_profile'], 'averages' | 'dominant_states'> {
  const signals = utterances.map((u) => u.cognitive_signals).filter((s) => s !== undefined && s !== null);
  if (signals.length === 0) return { averages: null, dominant_states: [] };
  const averages = { focused: 0, confused: 0, engaged: 0, disengaged: 0, thoughtful: 0, uncertain: 0 };
  for (const signal of COGNITIVE_SIGNALS) {
    averages[signal] = mean(signals.map((s) => s[signal]).filter((x) => x !== undefined));
  }
  const dominant_states = COGNITIVE_SIGNALS.filter((s) => averages[s] >= DOMINANT_SIGNAL)
    .sort((a, b) => averages[b] - averages[a])
    .slice(0, 3);
  return { averages, dominant_states };
}

function levelOf(loads: Level[]): Level | null {
  if (loads.length === 0) return null;
  const load = mean(loads.map((l) => LOAD[l]));
  return load >= HIGH_LOAD ? 'high' : load >= MODERATE_LOAD ? 'moderate' : 'low';
}

/**
 * Transitions and moments in one list, in order of time (spec: key_moments, observed `{type, t, speaker,
 * description}`).
 */
function keyMoments(
  transitions: TransitionEvent[],
  moments: MomentEvent[],
  utterances: Utterance[],
  language: Language,
): KeyMomentOf<Spans>[] {
  const speakers = new Map(utterances.map((u) => [u.utterance_id, u.speaker]));
  const changes = transitions.map((t): KeyMomentOf<Spans> => {
    const { speaker_id: speaker, from_state: from, to_state: to } = t;
    return {
      type: 'transition',
      t: t.at_ms / 1000,
      speaker: speaker ?? speakers.get(t.evidence_utterance_ids.at(-1) ?? '') ?? '',
      description: language.sentences.insights.transition({ speaker, from, to, isLasting: t.stability === 'final' }),
    };
  });
  return [...changes, ...asKeyMoments(moments, (m) => spansOfMoment(m, language))].sort((a, b) => a.t - b.t);
}

/** Moments as entries of that list. */
export const asKeyMoments = <S>(moments: readonly MomentEvent[], describe: (moment: MomentEvent) => S) =>
  withoutRepeats(moments).map(
    (m): KeyMomentOf<S> => ({
      type: m.category,
      t: m.start_ms / 1000,
      speaker: m.speaker_id,
      description: describe(m),
    }),
  );
