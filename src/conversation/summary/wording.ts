import { rounded } from '../../contract/wire-numbers.ts';
import { readSurfaces } from '../dialogue-acts/dialogue-acts.ts';
import type { Language } from '../language.ts';
import type { ConversationLength, Remark, RemarkAct } from '../sentences/sentences.ts';
import type { Quote } from '../sentences/spans.ts';
import { isSure } from '../text/asr-confidence.ts';
import { shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import type { SummaryMaterial } from './material.ts';

/** Whether a text matches one pattern and, behind its first match, another. */
export function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  const found = first.exec(text);
  return found !== null && then.test(text.slice(found.index + found[0].length));
}

/** Cues of what is given to the other side; other offers are suggestions. */
const GIVING = ['offer.give', 'offer.barter'];

/** The dialogue acts of a sentence, by its words. */
export function actOf(text: string, language: Language): RemarkAct {
  const surfaces = readSurfaces(text, language);
  return {
    offer: Math.max(...surfaces.map(({ cueLogits }) => cueLogits.offer)),
    gives: surfaces.some(({ cues }) => GIVING.some((cue) => cues.has(cue))),
    commits: surfaces.some(({ cueLogits }) => cueLogits.commitment > 0),
  };
}

/** Whether a sentence commits its speaker to something. */
export const promises = (text: string, language: Language): boolean => actOf(text, language).commits;

/** A sentence as a quote of at most `words` words. */
export const quoteOf = (s: SpokenSentence, words: number, idOf: SummaryMaterial['idOf']): Quote => ({
  quote: shorten(s.text, words),
  utterance_id: idOf(s),
});

/** The unit of a length: seconds below two minutes, else whole minutes. */
export function lengthOf(seconds: number): ConversationLength {
  return seconds < 120 ? { value: Math.round(seconds), unit: 's' } : { value: Math.round(seconds / 60), unit: 'min' };
}

/** 0..1 as whole percent, of the number as it is on the wire. */
export const percent = (share: number): number => Math.round(rounded(share) * 100);

/**
 * A spoken sentence as a summary retells it.
 * @param limit words of a quote
 */
export function remarkOf(
  s: SpokenSentence,
  limit: number,
  { speakers, language, idOf }: Pick<SummaryMaterial, 'speakers' | 'language' | 'idOf'>,
): Remark {
  const quote = quoteOf(s, limit, idOf);
  return {
    speaker: s.speaker,
    listener: otherOf(s.speaker, speakers),
    text: s.text,
    asks: s.asks,
    isClear: s.length <= limit && isSure(s.asrConfidence),
    quote,
    // The verb must be borne out by the words that a reader sees.
    act: () => actOf(quote.quote, language),
  };
}

/** The other of two speakers. */
export const otherOf = (speaker: string, speakers: readonly string[]): string | undefined =>
  speakers.length === 2 ? speakers.find((s) => s !== speaker) : undefined;
