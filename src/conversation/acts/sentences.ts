import type { Evidence } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { abstractWord } from '../lexicon/en/abstract-classes.ts';
import { type Sentence, splitSentences } from '../words/sentences.ts';

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

/** Words a sentence may open with before it says anything. */
const LEADING = new Set([
  'well',
  'so',
  'and',
  'but',
  'like',
  'actually',
  'honestly',
  'oh',
  'hey',
  'look',
  'listen',
  'now',
  'because',
  'i-mean',
  'you-know',
  'then',
  'also',
  'please',
  'anyway',
  'hmm',
  'basically',
  'maybe',
  'perhaps',
]);
/** Sentences of one utterance that are read; the rest is read as one. Bounds the work of a pathological text. */
const MAX_SENTENCES = 60;

/**
 * An end of sentence as acts were trained to see it: marks before a blank, but not after an abbreviation or an initial. A row of marks is looked at from
 * its first one, or from the second where the first belongs to an abbreviation.
 */
const SENTENCE_END =
  /(?:(?<!\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])|[.!?…])|(?<=\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])[.!?…]))[.!?…]+["')\]]*(?=\s|$)/giu;

/** The sentences of an utterance. */
export const actSentences = (text: string): ActSentence[] =>
  splitSentences(text, SENTENCE_END, MAX_SENTENCES).map((sentence) => {
    const question = readsAsQuestion(sentence.text);
    const { tokens, opening } = tokenise(sentence.text, question);
    return { ...sentence, tokens, classes: tokens.map(abstractWord), opening, question };
  });

const INVERTED =
  /(?:^|[,;] |\b(?:so|and|but|well|okay|now) )(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|should|shall|may|what|how|why|when|where|which|who|whose)(?:n't)? (?:you|we|i|they|he|she|it|that|this|there|the|your|my|our|about|much|many|long|often|do|does|did|is|are|would|can|kind|time|made)\b/;
const TAG =
  /,? (?:right|isn't it|aren't you|don't you|doesn't it|is that right|is that correct|would that work|does that work)\??$/;

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
  return withoutNotes(text.toLowerCase())
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/\b(?:u+m+|u+h+|er+m?|ah+|hm+|mm+)\b[,.]*/g, ' ')
    .replaceAll(/\bgonna\b/g, 'going to')
    .replaceAll(/\bwanna\b/g, 'want to')
    .replaceAll(/\bgotta\b/g, 'got to')
    .replaceAll(/\blemme\b/g, 'let me')
    .replaceAll(/\bkinda\b/g, 'kind of')
    .replaceAll(/\b(\w+),? \1\b(?! \1)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}'?.,%$£€-]+/gu, ' ')
    .replaceAll(/ ([,.?])/g, '$1')
    .trim();
}

/** The words of a sentence in the form of the lexicon, opening words dropped. */
export function tokenise(text: string, question: boolean): { tokens: string[]; opening: string[] } {
  const words = normalise(text)
    .replaceAll(/\bi mean\b/g, 'i-mean')
    .replaceAll(/\byou know\b(?! (?:what|how|why|if|the|that|when|where|who))/g, 'you-know')
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
