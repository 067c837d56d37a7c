import tokenizer from 'llama-tokenizer-js';

/** A node in the tree of the tokens of listed words. */
interface Node {
  next: Map<number, Node>;
  endsWord: boolean;
}

/** The position of a text in a listed word, and the bonus that it has received so far. */
export interface Walk {
  at: Node;
  /** Null at the root, outside any word. */
  given: number | null;
}

/** Words that are more likely than the model assumes. */
export interface ListedWords {
  start: Walk;
  /** Candidates that are less likely than this are dropped. */
  leastLogProbability: number;
  /** Tokens that continue the listed word that a text is in. */
  continuations(walk: Walk): number[];
  /** The effect of a token: the text's new position, and the change to its score. */
  step(walk: Walk, token: number): { walk: Walk; bonus: number };
}

/**
 * Bonus for the log-probability of each token of a listed word from the second on. The first token gets none, because
 * with a thousand words nearly every token that begins a word also begins a listed one (design: words.md; 1.2 points of
 * WER on a list of words that do not occur).
 */
const BONUS = 2;
const LEAST_LOG_PROBABILITY = -9;

const piece = (token: number): string => tokenizer.vocabById[token] ?? '';
const beginsWord = (token: number) => piece(token).startsWith('▁');
/** Whether a token continues the word before it. */
const isPart = (token: number) => /^[\p{L}\p{N}']/u.test(piece(token));

const newNode = (): Node => ({ next: new Map(), endsWord: false });
const ROOT_ONLY: Walk = { at: newNode(), given: null };

export const NO_WORDS: ListedWords = {
  start: ROOT_ONLY,
  leastLogProbability: 0,
  continuations: () => [],
  step: (walk) => ({ walk, bonus: 0 }),
};

/** The forms in which a listed word can appear in a text: as given, and with an initial capital. */
const formsOf = (word: string): Set<string> => {
  const [first = '', ...rest] = word;
  return new Set([word, first.toUpperCase() + rest.join('')]);
};

/** @param words as they are written; an entry can have several words */
export function listedWords(words: readonly string[]): ListedWords {
  const root = newNode();
  for (const word of words)
    for (const form of formsOf(word)) {
      let at = root;
      for (const token of tokenizer.encode(form, false)) {
        const next = at.next.get(token) ?? newNode();
        at.next.set(token, next);
        at = next;
      }
      at.endsWord = true;
    }
  const outside: Walk = { at: root, given: null };
  /** Enters a word from outside. */
  const entered = (token: number): Walk => {
    const at = beginsWord(token) ? root.next.get(token) : undefined;
    return at ? { at, given: 0 } : outside;
  };
  return {
    start: outside,
    leastLogProbability: LEAST_LOG_PROBABILITY,
    continuations: ({ at, given }) => (given === null ? [] : [...at.next.keys()]),
    step({ at, given }, token) {
      if (given === null) return { walk: entered(token), bonus: 0 };
      const next = at.next.get(token);
      if (next) return { walk: { at: next, given: given + BONUS }, bonus: BONUS };
      // A walk that breaks off, or continues as a longer word, returns its whole bonus.
      const isWhole = at.endsWord && !isPart(token);
      return { walk: entered(token), bonus: isWhole ? 0 : -given };
    },
  };
}
