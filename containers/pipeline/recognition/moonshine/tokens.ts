import tokenizer from 'llama-tokenizer-js';

/** Size of the Llama vocabulary, which Moonshine uses. Ids from here on are marks without text. */
const TEXT_VOCABULARY = 32_000;
const START = 1;
export const END = 2;
export { START };

/** One word of a decoded text and the positions of its tokens. */
export interface WordTokens {
  word: string;
  /** First token, and one past the last token with letters or digits. Closing punctuation has no share in the time. */
  first: number;
  end: number;
  /** One past the last token. */
  last: number;
}

const decode = (ids: number[]): string => (ids.length === 0 ? '' : tokenizer.decode([START, ...ids]));
const piece = (id: number): string => tokenizer.vocabById[id] ?? '';
const isText = (id: number) => id > END && id < TEXT_VOCABULARY;

/** The words of a sequence of token ids. Joined by spaces, they are the whole text. */
export function wordsOf(ids: number[]): WordTokens[] {
  const words: WordTokens[] = [];
  for (let first = 0; first < ids.length; ) {
    let last = first + 1;
    while (last < ids.length && !(isText(ids[last]!) && piece(ids[last]!).startsWith('▁'))) last++;
    const word = decode(ids.slice(first, last).filter(isText)).trim();
    let end = last;
    while (end > first + 1 && !/[\p{L}\p{N}]/u.test(piece(ids[end - 1]!))) end--;
    if (word !== '') words.push({ word, first, end, last });
    first = last;
  }
  return words;
}

/**
 * Longest block of tokens that is examined, and the number of consecutive repeats that make a loop. Blocks of fewer
 * than 4 tokens need more repeats.
 */
const LOOP_BLOCK = 32;
const LOOP_REPEATS = 3;
const SHORT_BLOCK = 4;
const SHORT_REPEATS = 5;

/** Length of the block that repeats at the end of a token sequence. 0 means none. */
export function loopLength(ids: number[]): number {
  for (let block = 1; block <= LOOP_BLOCK; block++) {
    const span = block * ((block < SHORT_BLOCK ? SHORT_REPEATS : LOOP_REPEATS) - 1);
    if (ids.length < span + block) continue;
    let same = 1;
    while (same <= span && ids[ids.length - same] === ids[ids.length - same - block]) same++;
    if (same > span) return block;
  }
  return 0;
}

/** The number of tokens up to the end of the first instance of a loop's block. */
export function lengthWithoutLoop(ids: number[]): number {
  const block = loopLength(ids);
  let length = ids.length;
  const repeats = () => {
    for (let i = 1; i <= block; i++) if (ids[length - i] !== ids[length - i - block]) return false;
    return true;
  };
  while (block > 0 && length >= 2 * block && repeats()) length -= block;
  return length;
}
