import { DEFAULT_LANGUAGE } from '../languages.ts';
import { type AsrConfidence, asrConfidenceOf } from './asr-confidence.ts';
import { asks } from './questions.ts';
import { clean } from './quotes.ts';
import { splitSentences } from './sentences.ts';
import { stem, words } from './tokens.ts';
import type { Turns } from './turns.ts';

const { betweenClauses: BETWEEN_CLAUSES } = DEFAULT_LANGUAGE.sentenceEnds;

/** A sentence somebody said, ready to be quoted. */
export interface SpokenSentence {
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
  asrConfidence: AsrConfidence;
}

/** Words from which a sentence is cut into clauses: recognisers forget full stops. */
const LONG_SENTENCE = 45;

/** A sentence, or the clauses of a very long one. */
const clausesOf = (sentence: string): string[] =>
  sentence.split(/\s+/).length > LONG_SENTENCE ? sentence.split(BETWEEN_CLAUSES) : [sentence];

/** The sentences of a turn that say something, in order, long ones by their clauses. Linear in the text. */
export function spokenSentences(turns: Turns, turn: number): SpokenSentence[] {
  const hear = asrConfidenceOf(turns, turn);
  const parts = splitSentences(turns.texts[turn]!).flatMap((sentence) => clausesOf(sentence.text));
  return parts.flatMap((raw): SpokenSentence[] => {
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
        asks: asks(raw),
        asrConfidence: hear(spoken),
      },
    ];
  });
}
