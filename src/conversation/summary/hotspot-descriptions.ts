import type { Language } from '../language.ts';
import type { Quote, Spans } from '../sentences/spans.ts';
import { shortenTo } from '../text/quotes.ts';
import type { Hotspot } from '../turn-taking/hotspots.ts';
import type { InsightsOf } from './findings-of.ts';

/** Limit on the quote in a description, characters. */
const QUOTE_CHARS = 80;

const TYPES = {
  confused: 'confusion',
  uncertain: 'uncertainty',
  disengaged: 'disengagement',
  load: 'high_load',
} as const;

/** A hotspot in the form in which the insights list it. */
export function describeHotspot(
  spot: Hotspot,
  language: Language,
): InsightsOf<Spans>['cognitive_profile']['hotspots'][number] {
  const { utterance, by: signal, score } = spot;
  const description = language.sentences.insights.hotspot({
    speaker: utterance.speaker,
    quote: quoteOf(spot, language),
    signal,
    score,
  });
  return { t: utterance.t_start, type: TYPES[signal], description, score };
}

const quoteOf = ({ utterance: { utterance_id, text } }: Hotspot, language: Language): Quote => ({
  quote: shortenTo(text, QUOTE_CHARS, language),
  utterance_id,
});
