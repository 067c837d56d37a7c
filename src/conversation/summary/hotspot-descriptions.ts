import type { InsightSentences, TipSentences } from '../sentences/sentences.ts';
import type { Quote, Spans } from '../sentences/spans.ts';
import type { Hotspot } from '../turn-taking/hotspots.ts';
import type { InsightsOf } from './findings-of.ts';

/** Characters of the utterance that a description quotes. */
const QUOTE_CHARS = 80;

const TYPES = {
  confused: 'confusion',
  uncertain: 'uncertainty',
  disengaged: 'disengagement',
  load: 'high_load',
} as const;

/** A hotspot as the insights list it. */
export function describeHotspot(
  spot: Hotspot,
  insights: InsightSentences,
): InsightsOf<Spans>['cognitive_profile']['hotspots'][number] {
  const { utterance, by: signal, score } = spot;
  const description = insights.hotspot({ speaker: utterance.speaker, quote: quoteOf(spot), signal, score });
  return { t: utterance.t_start, type: TYPES[signal], description, score };
}

/** Advice on a hotspot. */
export const adviceOn = (spot: Hotspot, tips: TipSentences): Spans =>
  tips.explainAgain({ speaker: spot.utterance.speaker, quote: quoteOf(spot), signal: spot.by });

const quoteOf = ({ utterance: { utterance_id, text } }: Hotspot): Quote => ({
  quote: text.length > QUOTE_CHARS ? `${text.slice(0, QUOTE_CHARS).trimEnd()}...` : text,
  utterance_id,
});
