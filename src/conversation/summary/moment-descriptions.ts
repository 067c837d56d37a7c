import type { Evidence, MomentEvent } from '../../contract/findings.ts';
import type { Language } from '../language.ts';
import { type Spans, textOf } from '../sentences/spans.ts';
import { BREAK, shortenTo } from '../text/quotes.ts';
import { quoteOver } from './wording.ts';

/** Limit on the evidence that a moment's sentence quotes, characters. */
const QUOTE_CHARS = 110;

type UndescribedMoment = Omit<MomentEvent, 'summary'>;

/**
 * The words of a moment itself, without those of the offer that it answers. There are several pieces if a pause divided
 * the sentence.
 */
export function ownEvidence({ evidence, utterance_ids }: Pick<MomentEvent, 'evidence' | 'utterance_ids'>): Evidence[] {
  const seen = new Set<string>();
  return evidence.filter(({ utterance_id }) => {
    const isNext = utterance_ids.includes(utterance_id) && !seen.has(utterance_id);
    seen.add(utterance_id);
    return isNext;
  });
}

/** A moment with its sentence. */
export function describeMoment(found: UndescribedMoment, language: Language): MomentEvent {
  const { moment_id, category, speaker_id, start_ms, end_ms, utterance_ids, ...rest } = found;
  const summary = textOf(sentenceOfMoment(found, language));
  return { moment_id, category, speaker_id, start_ms, end_ms, utterance_ids, summary, ...rest };
}

/** The summary of a moment as spans, or as a single text if a language model wrote it. */
export function spansOfMoment(moment: MomentEvent, language: Language): Spans {
  const spans = sentenceOfMoment(moment, language);
  return textOf(spans) === moment.summary ? spans : [{ text: moment.summary }];
}

/** The sentence of a moment, made from its facts. */
export function sentenceOfMoment(
  { category, speaker_id, labels, evidence, utterance_ids }: UndescribedMoment,
  language: Language,
): Spans {
  const said = ownEvidence({ evidence, utterance_ids });
  const broken = said.map(({ quote }) => quote).join(`${BREAK} `);
  return language.sentences.insights.moment({
    speaker: speaker_id,
    category,
    labels,
    quote: quoteOver(
      shortenTo(broken, QUOTE_CHARS, language),
      said.length > 0 ? said.map((e) => e.utterance_id) : utterance_ids,
    ),
  });
}
