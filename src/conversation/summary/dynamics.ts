import type { SummaryMaterial } from './material.ts';

/** Largest difference between two speakers' shares of talk that still counts as balanced. */
const BALANCED = 0.15;

/**
 * Balance of the conversation, and measures by speaker; null without speech, or where one label may stand for several
 * people.
 */
export function speakerDynamics({ insights, speakers, setting }: SummaryMaterial): Record<string, unknown> | null {
  if (speakers.length === 0 || setting === 'unknown') return null;
  const { metrics, speaker_profiles } = insights;
  const shares = speakers.map((s) => metrics.speakers[s]?.talk_ratio ?? 0);
  const most = Math.max(...shares);
  const asking = speakers.toSorted(
    (a, b) => (metrics.speakers[b]?.questions ?? 0) - (metrics.speakers[a]?.questions ?? 0),
  )[0];
  return {
    balance: speakers.length === 1 ? 'monologue' : most - Math.min(...shares) <= BALANCED ? 'balanced' : 'one-sided',
    talks_most: speakers[shares.indexOf(most)],
    asks_most: asking !== undefined && (metrics.speakers[asking]?.questions ?? 0) > 0 ? asking : null,
    interactivity: metrics.interactivity,
    speakers: Object.fromEntries(
      speakers.map((s) => [
        s,
        {
          talk_ratio: metrics.speakers[s]?.talk_ratio ?? 0,
          questions: metrics.speakers[s]?.questions ?? 0,
          interruptions: metrics.speakers[s]?.interruptions ?? 0,
          avg_polarity: speaker_profiles[s]?.avg_polarity ?? null,
          dominant_emotion: speaker_profiles[s]?.dominant_emotion ?? null,
        },
      ]),
    ),
  };
}
