import type { Language } from '../language.ts';
import { type AsrConfidence, asrConfidenceOf } from './asr-confidence.ts';
import { asks } from './questions.ts';
import { clean } from './quotes.ts';
import { splitSentences } from './sentences.ts';
import { words } from './tokens.ts';
import type { Turns } from './turns.ts';

/** A sentence of a speaker, ready to be quoted. */
export interface SpokenSentence {
  /** Index of its utterance. */
  turn: number;
  speaker: string;
  /** Verbatim except for fillers and false starts cut at its ends. */
  text: string;
  /** Ids of its distinct content stems. */
  stems: number[];
  /** Number of words. */
  length: number;
  asks: boolean;
  /** The recogniser's confidence in its words. */
  asrConfidence: AsrConfidence;
}

/** Words from which a sentence is split into clauses: recognisers omit full stops. */
const LONG_SENTENCE = 45;

/** A sentence, or the clauses of a very long one. */
const clausesOf = (sentence: string, { sentenceEnds }: Language): string[] =>
  sentence.split(/\s+/).length > LONG_SENTENCE ? sentence.split(sentenceEnds.betweenClauses) : [sentence];

/** The sentences of a turn that contain a word, in order; long ones are split into clauses. Linear in the text. */
export function spokenSentences(turns: Turns, turn: number): SpokenSentence[] {
  const { language } = turns;
  const confidenceOf = asrConfidenceOf(turns, turn);
  const parts = splitSentences(turns.texts[turn]!, language).flatMap(({ text }) => clausesOf(text, language));
  return parts.flatMap((raw): SpokenSentence[] => {
    const text = clean(raw, language);
    const spoken = words(text);
    if (spoken.length === 0) return [];
    const stems = new Set<number>();
    for (const word of spoken) {
      const id = turns.stemIds.get(language.words.stem(word));
      if (id !== undefined) stems.add(id);
    }
    return [
      {
        turn,
        speaker: turns.speakers[turn]!,
        text,
        stems: [...stems],
        length: spoken.length,
        asks: asks(raw, language),
        asrConfidence: confidenceOf(spoken),
      },
    ];
  });
}
