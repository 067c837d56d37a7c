import type { Evidence } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { asks } from '../text/questions.ts';
import { type Sentence, splitSentences } from '../text/sentences.ts';
import { words } from '../text/tokens.ts';

/** A sentence in the form in which dialogue acts are recognised. */
export interface ActSentence extends Sentence {
  /** Words as cue phrases are written, between `^` and `$`. A question ends with `?`, `$`. */
  tokens: string[];
  question: boolean;
}

/**
 * Limit on the sentences of one utterance that are read separately. The rest is read as one, which bounds the work for
 * a pathological text.
 */
const MAX_SENTENCES = 60;

/** The sentences of an utterance. */
export const actSentences = (text: string, language: Language): ActSentence[] =>
  splitSentences(text, language, MAX_SENTENCES).map((sentence) => {
    const question = asks(sentence.text, language);
    return { ...sentence, tokens: tokenise(sentence.text, question, language), question };
  });

/** Drops notes in brackets ("[laughs]"), each from its first bracket on. */
function withoutNotes(text: string): string {
  const [rest = '', ...before] = text.split(']').reverse();
  const kept = before.reverse().map((part) => {
    const from = part.indexOf('[');
    return from < 0 ? `${part}]` : `${part.slice(0, from)} `;
  });
  return kept.join('') + rest;
}

/** A text as cue phrases are written. */
export function normalise(text: string, { acts }: Language): string {
  const plain = withoutNotes(text.toLowerCase()).replaceAll(/[’‘]/g, "'");
  return acts.spokenForms
    .reduce((spoken, [form, written]) => spoken.replaceAll(form, written), plain)
    .replaceAll(/\b(\w+),? \1\b(?! \1)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}'?.,%$£€-]+/gu, ' ')
    .replaceAll(/ ([,.?])/g, '$1')
    .trim();
}

/** The words of a sentence as cue phrases are written, between `^` and `$`, without opening words. */
export function tokenise(text: string, question: boolean, language: Language): string[] {
  const { markers, leading } = language.acts;
  const plain = markers.reduce((spoken, [form, marker]) => spoken.replaceAll(form, marker), normalise(text, language));
  const spoken = words(plain, 'spaced');
  let first = 0;
  while (first < spoken.length - 1 && leading.has(spoken[first] ?? '')) first++;
  return ['^', ...spoken.slice(first), ...(question ? ['?'] : []), '$'];
}

/** Counts words separated by blanks. */
export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The utterance's words that make up a sentence. Empty when the utterance has no word times. */
function wordsOf(u: Utterance, { text, start }: Sentence): NonNullable<Utterance['words']> {
  if (u.words?.length !== countWords(u.text)) return [];
  return u.words.slice(countWords(u.text.slice(0, start)), countWords(u.text.slice(0, start + text.length)));
}

/**
 * A sentence as evidence. Its times are those of the utterance's words if known, and otherwise proportional to its
 * characters.
 */
export function quote(u: Utterance, sentence: Sentence): Evidence {
  const { text, start } = sentence;
  const words = wordsOf(u, sentence);
  const at = (chars: number): number => u.t_start + ((u.t_end - u.t_start) * chars) / Math.max(1, u.text.length);
  const from = words[0]?.t_start ?? at(start);
  const to = words.at(-1)?.t_end ?? at(start + text.length);
  return { utterance_id: u.utterance_id, quote: text, t_start: from, t_end: Math.max(from, to) };
}

/** Lower limit on the confidence of a word, so that one word cannot outweigh all others. */
const LEAST_CONFIDENCE = 0.05;

/**
 * The recogniser's confidence in the words of a sentence, 0 to 1: their geometric mean, as in `asr_confidence`. If the
 * words have no confidence, it is the utterance's `asr_confidence`, or else 1.
 */
export function sentenceConfidence(u: Utterance, sentence: Sentence): number {
  const words = wordsOf(u, sentence);
  if (words.length === 0) return u.asr_confidence ?? 1;
  return Math.exp(
    words.reduce((sum, { confidence }) => sum + Math.log(Math.max(LEAST_CONFIDENCE, confidence)), 0) / words.length,
  );
}
