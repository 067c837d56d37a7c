import { rounded } from '../../contract/wire-numbers.ts';
import { readSurfaces } from '../dialogue-acts/dialogue-acts.ts';
import type { Language } from '../language.ts';
import type { ConversationLength, Remark, RemarkAct } from '../sentences/sentences.ts';
import { joined, type Quote, type Spans, spansOf, textOf } from '../sentences/spans.ts';
import { isSure } from '../text/asr-confidence.ts';
import { BREAK, roughPlaces, shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import type { SummaryMaterial } from './material.ts';

/** Cues for something given to the other side. Other offers are suggestions. */
const GIVING = ['offer.give', 'offer.barter'];

/** The dialogue acts of a sentence, by its words. */
export function actOf(text: string, language: Language): RemarkAct {
  const surfaces = readSurfaces(text, language);
  return {
    offer: Math.max(...surfaces.map(({ cueLogits }) => cueLogits.offer)),
    gives: surfaces.some(({ cues }) => GIVING.some((cue) => cues.has(cue))),
    commits: language.summaryCues.ownPromise.test(text) && surfaces.some(({ cueLogits }) => cueLogits.commitment > 0),
  };
}

/** A quote with words from several utterances, in order, separated by `BREAK`. */
export function quoteOver(broken: string, utteranceIds: readonly string[]): Spans {
  const pieces = broken
    .split(BREAK)
    .map((piece, i): Quote => ({ quote: piece.trim(), utterance_id: utteranceIds[i]! }));
  return joined(
    pieces.filter(({ quote }, i) => quote !== '' || (i === 0 && pieces.length === 1)),
    ' ',
  );
}

/** A sentence as a quote of at most `words` words. */
export const quoteOf = (s: SpokenSentence, words: number, { idsOf, language }: Quoting): Spans =>
  quoteOver(shorten(s.broken, words, language), idsOf(s));

/** The data needed to quote a sentence. */
export type Quoting = Pick<SummaryMaterial, 'idsOf' | 'language'>;

/** The length in a suitable unit: seconds below two minutes, tenths of an hour from two hours on, whole minutes between. */
export function lengthOf(seconds: number): ConversationLength {
  if (seconds < 120) return { value: Math.round(seconds), unit: 's' };
  return seconds < 7200
    ? { value: Math.round(seconds / 60), unit: 'min' }
    : { value: Math.round(seconds / 360) / 10, unit: 'h' };
}

/** A fraction as a whole percentage, computed from the number as it is sent. */
export const percent = (share: number): number => Math.round(rounded(share) * 100);

/**
 * A spoken sentence as a summary repeats it.
 * @param limit on the words of a quote
 */
export function remarkOf(
  s: SpokenSentence,
  limit: number,
  { speakers, language, idsOf }: Quoting & Pick<SummaryMaterial, 'speakers'>,
): Remark {
  const quote = quoteOf(s, limit, { idsOf, language });
  return {
    speaker: s.speaker,
    listener: otherOf(s.speaker, speakers),
    text: s.text,
    asks: s.asks,
    isClear: s.length <= limit && isSure(s.asrConfidence) && roughPlaces(s.text, language) === 0,
    quote,
    // The words that a reader sees must justify the verb.
    act: () => actOf(textOf(spansOf(quote)), language),
  };
}

/** The other of two speakers. */
export const otherOf = (speaker: string, speakers: readonly string[]): string | undefined =>
  speakers.length === 2 ? speakers.find((s) => s !== speaker) : undefined;
