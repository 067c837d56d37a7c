import type { Language } from '../language.ts';
import { type AsrConfidence, asrConfidenceOf } from './asr-confidence.ts';
import { asks } from './questions.ts';
import { BREAK, clean, withoutBreaks } from './quotes.ts';
import { splitSentences } from './sentences.ts';
import { words } from './tokens.ts';
import type { Turns } from './turns.ts';

/** A sentence of a speaker, ready to be quoted. */
export interface SpokenSentence {
  /** Index of the utterance in which it begins. */
  turn: number;
  /** Number of utterances that it extends over. */
  turns: number;
  speaker: string;
  /** Verbatim, except for fillers and false starts that were cut at its ends. */
  text: string;
  /** The same text with `BREAK` wherever an utterance ends within it. */
  broken: string;
  /** Ids of its content stems, each listed once. */
  stems: number[];
  /** Number of words. */
  length: number;
  asks: boolean;
  /** The recogniser's confidence in its words. */
  asrConfidence: AsrConfidence;
}

/** Minimum number of words of a sentence that is split into clauses. Recognisers often omit full stops. */
const LONG_SENTENCE = 45;

/** A sentence, or the clauses of a very long one. */
const clausesOf = (sentence: string, { sentenceEnds }: Language): string[] =>
  sentence.split(/\s+/).length > LONG_SENTENCE ? sentence.split(sentenceEnds.betweenClauses) : [sentence];

/**
 * The sentences that begin in a turn and contain a word, in order. Long ones are split into clauses. If a pause divided
 * a sentence, its continuation in the speaker's next turns belongs to it. Takes time linear in the text.
 */
export function spokenSentences(turns: Turns, turn: number): SpokenSentence[] {
  const { language } = turns;
  const own = splitSentences(withoutBreaks(turns.texts[turn]!), language).map(({ text }) => text);
  const begun = turns.goesOn[turn] ? own.slice(1) : own;
  let end = turn + 1;
  for (let isOpen = begun.length > 0; isOpen && turns.goesOn[end]; end++) {
    const [first, ...others] = splitSentences(withoutBreaks(turns.texts[end]!), language);
    begun.push(`${begun.pop()}${BREAK} ${first?.text ?? ''}`);
    isOpen = others.length === 0;
  }
  const confidences = Array.from({ length: end - turn }, (_, i) => asrConfidenceOf(turns, turn + i));
  /**
   * Index of the piece in which a clause begins. Only the last sentence of a turn continues in later pieces, so clauses
   * of earlier sentences are in piece 0.
   */
  let piece = 0;
  return begun
    .flatMap((text) => clausesOf(text, language))
    .flatMap((raw): SpokenSentence[] => {
      const from = piece;
      const broken = clean(raw, language);
      const pieces = broken.split(BREAK);
      piece += pieces.length - 1;
      const text = withoutBreaks(broken).trim();
      const spoken = words(text);
      if (spoken.length === 0) return [];
      const stems = new Set<number>();
      for (const word of spoken) {
        const id = turns.stemIds.get(language.words.stem(word));
        if (id !== undefined) stems.add(id);
      }
      return [
        {
          turn: turn + from,
          turns: pieces.length,
          speaker: turns.speakers[turn]!,
          text,
          broken,
          stems: [...stems],
          length: spoken.length,
          asks: asks(withoutBreaks(raw), language),
          asrConfidence: leastSure(pieces.map((one, i) => confidences[from + i]!(words(one)))),
        },
      ];
    });
}

const leastSure = (all: readonly AsrConfidence[]): AsrConfidence => all.reduce((a, b) => (b.mean < a.mean ? b : a));
