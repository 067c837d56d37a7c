import type { MomentEvent } from '../../contract/findings.ts';
import type { Language } from '../language.ts';
import { type Spans, textOf } from '../sentences/spans.ts';

/** Characters of evidence that a moment's sentence quotes. */
const QUOTE_CHARS = 110;

type UndescribedMoment = Omit<MomentEvent, 'summary'>;

/** A moment with its sentence. */
export function describeMoment(found: UndescribedMoment, language: Language): MomentEvent {
  const { moment_id, category, speaker_id, start_ms, end_ms, utterance_ids, ...rest } = found;
  const summary = textOf(sentenceOfMoment(found, language));
  return { moment_id, category, speaker_id, start_ms, end_ms, utterance_ids, summary, ...rest };
}

/** The summary of a moment as spans; one text where somebody else worded it. */
export function spansOfMoment(moment: MomentEvent, language: Language): Spans {
  const spans = sentenceOfMoment(moment, language);
  return textOf(spans) === moment.summary ? spans : [{ text: moment.summary }];
}

/** The sentence of a moment, from its facts. */
export const sentenceOfMoment = (
  { category, speaker_id, labels, evidence, utterance_ids }: UndescribedMoment,
  language: Language,
): Spans =>
  language.sentences.insights.moment({
    speaker: speaker_id,
    category,
    labels,
    quote: {
      quote: shortened(evidence[0]?.quote ?? ''),
      utterance_id: evidence[0]?.utterance_id ?? utterance_ids[0] ?? '',
    },
  });

const shortened = (quote: string): string =>
  quote.length <= QUOTE_CHARS ? quote : `${quote.slice(0, QUOTE_CHARS).replace(/(?<!\s)\s+\S*$/, '')}...`;
