/** A word of an utterance, as the recogniser wrote it. */
export interface PassageWord {
  text: string;
  /** Number of its utterance in the passage. */
  utterance: number;
}

/** A word, or one of the words that a hyphen joins. */
export interface WordPiece {
  /** Without punctuation around it, in lower case. */
  lower: string;
  /** Without punctuation around it. */
  bare: string;
  /** Number of its word in the passage. */
  word: number;
  utterance: number;
  /** Whether punctuation follows it. */
  isPaused: boolean;
  /** Whether a sentence ends with it. */
  isLast: boolean;
  /** Whether its word begins with a sign of a currency or ends with a sign of a unit. */
  isMeasure: boolean;
}

const KEPT_HYPHENS: ReadonlySet<string> = new Set(['x-ray', 'e-mail', 'i-ban', 'o-h']);
const AROUND = /^[^\p{L}\p{N}+@#]+|(?<![^\p{L}\p{N}@])[^\p{L}\p{N}@]+$/gu;
/** The signs after the last letter or digit. */
const TAIL = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u;
const LONGEST_WORD = 254;

/** The pieces of a passage, in order. Linear in its length. */
export function piecesOf(words: readonly PassageWord[]): WordPiece[] {
  const pieces: WordPiece[] = [];
  for (const [word, { text, utterance }] of words.entries()) {
    // No spoken word is longer.
    const said = text.slice(0, LONGEST_WORD);
    const bare = said.replace(AROUND, '');
    const isMeasure = /^[^\p{L}\p{N}]*[$£€]/u.test(said) || /[%°]/u.test(TAIL.exec(said)?.[0] ?? '');
    const isLast = /[.?!]["')\]]*$/u.test(said);
    if (bare === '') {
      if (pieces.at(-1)?.utterance === utterance) pieces.at(-1)!.isPaused = true;
      continue;
    }
    const parts = isJoined(bare) ? bare.split(/[-–]/u).filter((part) => part !== '') : [bare];
    for (const [i, part] of parts.entries()) {
      const ends = i === parts.length - 1;
      pieces.push({
        bare: part,
        lower: part.toLowerCase().replace(/[’`]/gu, "'"),
        word,
        utterance,
        isPaused: ends && /[,.;:–—-]["')\]]*$/u.test(said),
        isLast: ends && isLast,
        isMeasure,
      });
    }
  }
  return pieces;
}

const isJoined = (bare: string): boolean =>
  /^\p{L}+(?:[-–]\p{L}+)+$/u.test(bare) && !KEPT_HYPHENS.has(bare.toLowerCase());
