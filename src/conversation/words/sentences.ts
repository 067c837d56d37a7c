import { type Hearing, hearingOf } from './hearing.ts';
import { clean } from './quotes.ts';
import { stem, words } from './tokens.ts';
import type { Turns } from './turns.ts';

/** A sentence of a text. */
export interface Sentence {
  /** As printed, trimmed. */
  text: string;
  /** First character of `text` in the whole. */
  start: number;
}

/**
 * An end of sentence: marks before a blank, but not after an abbreviation or an initial. A row of marks is looked at from
 * its first one, or from the second where the first belongs to an abbreviation.
 */
const SENTENCE_END =
  /(?:(?<!\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])|[.!?…])|(?<=\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])[.!?…]))[.!?…]+["')\]]*(?=\s|$)/giu;

/**
 * Splits a text at its sentence marks; one without any is one sentence, and what holds no word is none.
 * @param most sentences after which the rest is read as one
 */
export function splitSentences(text: string, most = Number.POSITIVE_INFINITY): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const take = (to: number): void => {
    const raw = text.slice(from, to);
    const trimmed = raw.trim();
    if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ text: trimmed, start: from + raw.indexOf(trimmed) });
    from = to;
  };
  for (const end of text.matchAll(SENTENCE_END)) {
    if (sentences.length >= most - 1) break;
    take(end.index + end[0].length);
  }
  take(text.length);
  return sentences;
}

/** A sentence somebody said, ready to be quoted. */
export interface SaidSentence {
  /** Index of its utterance. */
  turn: number;
  speaker: string;
  /** Verbatim but for fillers and false starts cut at its ends. */
  text: string;
  /** Ids of its distinct content stems. */
  stems: number[];
  /** Number of words. */
  length: number;
  asks: boolean;
  /** How well its words were heard. */
  heard: Hearing;
}

/** Words from which a sentence is cut into clauses: recognisers forget full stops. */
const LONG_SENTENCE = 45;

/** A sentence, or the clauses of a very long one. */
const clausesOf = (sentence: string): string[] =>
  sentence.split(/\s+/).length > LONG_SENTENCE
    ? sentence.split(/(?<=[,;])\s+(?=(?:and|but|so|because|then|i|we|you|it|the)\b)/iu)
    : [sentence];

/** The sentences of a turn that say something, in order, long ones by their clauses. Linear in the text. */
export function saidSentences(turns: Turns, turn: number): SaidSentence[] {
  const hear = hearingOf(turns, turn);
  const parts = splitSentences(turns.texts[turn]!).flatMap((sentence) => clausesOf(sentence.text));
  return parts.flatMap((raw): SaidSentence[] => {
    const text = clean(raw);
    const spoken = words(text);
    if (spoken.length === 0) return [];
    const stems = new Set<number>();
    for (const word of spoken) {
      const id = turns.stemIds.get(stem(word));
      if (id !== undefined) stems.add(id);
    }
    return [
      {
        turn,
        speaker: turns.speakers[turn]!,
        text,
        stems: [...stems],
        length: spoken.length,
        asks: raw.includes('?'),
        heard: hear(spoken),
      },
    ];
  });
}
