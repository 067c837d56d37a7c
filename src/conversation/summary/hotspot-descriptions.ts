import type { Insights } from '../../contract/insights.ts';
import type { Hotspot } from '../turn-taking/hotspots.ts';

/** Characters of the utterance that a description quotes. */
const QUOTE_CHARS = 80;

const TYPES = {
  confused: 'confusion',
  uncertain: 'uncertainty',
  disengaged: 'disengagement',
  load: 'high_load',
} as const;

/** A hotspot as the insights have it. */
export function describeHotspot(spot: Hotspot): Insights['cognitive_profile']['hotspots'][number] {
  const { utterance, by, score } = spot;
  return {
    t: utterance.t_start,
    type: TYPES[by],
    description:
      by === 'load'
        ? `Cognitive load of ${utterance.speaker} is high: ${quoteOf(spot)}`
        : `${utterance.speaker} sounds ${by} (${score.toFixed(2)}): ${quoteOf(spot)}`,
    score,
  };
}

/** What to do about it. */
export const adviceOn = (spot: Hotspot): string =>
  `Explain once more where ${spot.utterance.speaker} sounds ${spot.by}: ${quoteOf(spot)}.`;

const quoteOf = ({ utterance: { text } }: Hotspot): string =>
  `"${text.length > QUOTE_CHARS ? `${text.slice(0, QUOTE_CHARS).trimEnd()}...` : text}"`;
