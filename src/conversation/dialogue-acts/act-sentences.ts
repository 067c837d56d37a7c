import type { Evidence } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { type Sentence, splitSentences } from '../text/sentences.ts';

const {
  inverted: INVERTED,
  leading: LEADING,
  markers: MARKERS,
  sentenceEnd: SENTENCE_END,
  spokenForms: SPOKEN_FORMS,
  tag: TAG,
  abstractWord,
} = DEFAULT_LANGUAGE.acts;

/** A sentence as acts are read from it. */
export interface ActSentence extends Sentence {
  /** Words in the form of the lexicon, between `^` and `$`; a question ends `?`, `$`. */
  tokens: string[];
  /** What each token stands for: its class, itself, or `<w>`. */
  classes: string[];
  /** Words it opens with before it says anything, dropped from `tokens`. */
  opening: string[];
  question: boolean;
}

/** Sentences of one utterance that are read; the rest is read as one. Bounds the work of a pathological text. */
const MAX_SENTENCES = 60;

/** The sentences of an utterance. */
export const actSentences = (text: string): ActSentence[] =>
  splitSentences(text, SENTENCE_END, MAX_SENTENCES).map((sentence) => {
    const question = readsAsQuestion(sentence.text);
    const { tokens, opening } = tokenise(sentence.text, question);
    return { ...sentence, tokens, classes: tokens.map(abstractWord), opening, question };
  });

/**
 * A question by its mark, its word order or its tag, as acts were trained to read it: to it "when we arrived" is one. What
 * asks is told by `asks` (words/questions.ts).
 */
export function readsAsQuestion(text: string): boolean {
  if (/\?\s*$/.test(text)) return true;
  const n = text.toLowerCase().replace(/(?<![.!\s])[.!\s]+$/, '');
  return /\?/.test(text) || INVERTED.test(n.slice(0, 60)) || TAG.test(n);
}

/** Notes in brackets ("[laughs]") left out, each from its first bracket on. */
function withoutNotes(text: string): string {
  const [rest = '', ...before] = text.split(']').reverse();
  const told = before.reverse().map((part) => {
    const from = part.indexOf('[');
    return from < 0 ? `${part}]` : `${part.slice(0, from)} `;
  });
  return told.join('') + rest;
}

/** A text in the form the cue patterns are written for. */
export function normalise(text: string): string {
  const plain = withoutNotes(text.toLowerCase()).replaceAll(/[’‘]/g, "'");
  return SPOKEN_FORMS.reduce((said, [form, written]) => said.replaceAll(form, written), plain)
    .replaceAll(/\b(\w+),? \1\b(?! \1)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}'?.,%$£€-]+/gu, ' ')
    .replaceAll(/ ([,.?])/g, '$1')
    .trim();
}

/** The words of a sentence in the form of the lexicon, opening words dropped. */
export function tokenise(text: string, question: boolean): { tokens: string[]; opening: string[] } {
  const words = MARKERS.reduce((said, [form, marker]) => said.replaceAll(form, marker), normalise(text))
    .split(/[\s,.?]+/)
    .filter((w) => w !== '' && w !== '-');
  let first = 0;
  while (first < words.length - 1 && LEADING.has(words[first] ?? '')) first++;
  const tokens = ['^', ...words.slice(first), ...(question ? ['?'] : []), '$'];
  return { tokens, opening: words.slice(0, first) };
}

/** Words as they are written, between blanks. */
export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The words that a sentence is made of; none where the utterance's words are not known one by one. */
function wordsOf(u: Utterance, { text, start }: Sentence): NonNullable<Utterance['words']> {
  if (u.words?.length !== countWords(u.text)) return [];
  return u.words.slice(countWords(u.text.slice(0, start)), countWords(u.text.slice(0, start + text.length)));
}

/** A sentence as evidence, timed by the words of the utterance where they are known, else in proportion of characters. */
export function quote(u: Utterance, sentence: Sentence): Evidence {
  const { text, start } = sentence;
  const words = wordsOf(u, sentence);
  const at = (chars: number): number => u.t_start + ((u.t_end - u.t_start) * chars) / Math.max(1, u.text.length);
  const from = words[0]?.t_start ?? at(start);
  const to = words.at(-1)?.t_end ?? at(start + text.length);
  return { utterance_id: u.utterance_id, quote: text, t_start: from, t_end: Math.max(from, to) };
}

/** Least confidence in a word that counts, so that none alone outweighs all others. */
const HARDLY_HEARD = 0.05;

/**
 * How sure the recogniser is of the words of a sentence, 0..1: their geometric mean, as `asr_confidence` is of the whole
 * utterance, which it is where it does not say of each; else 1.
 */
export function heardSurely(u: Utterance, sentence: Sentence): number {
  const words = wordsOf(u, sentence);
  if (words.length === 0) return u.asr_confidence ?? 1;
  return Math.exp(
    words.reduce((sum, { confidence }) => sum + Math.log(Math.max(HARDLY_HEARD, confidence)), 0) / words.length,
  );
}
