import type { RecognisedWord, Recognition } from '../recogniser.ts';

/** Agreed words on either side of a stretch that are weighed with it: with fewer, halves are joined that were never one sentence. */
const CONTEXT = 2;

/** A pair of words at the same place; null where one side has none. */
interface Pair {
  ours: RecognisedWord | null;
  theirs: RecognisedWord | null;
  agree: boolean;
}

/**
 * Several hearings of one sound as one text: the surest, and in each stretch where another differs the one whose words, with those
 * around them that both have, are likelier together. Words keep their own times and probabilities, and say by how many they were heard.
 * @param hearings at least one, their words in the time of the sound; empty ones win nothing and lose nothing
 */
export function combinePasses(hearings: readonly Recognition[]): Recognition {
  const surestFirst = hearings.filter(({ words }) => words.length > 0).sort((a, b) => b.confidence - a.confidence);
  const [surest, ...others] = surestFirst;
  if (!surest) return hearings[0]!;
  let words = surest.words;
  for (const other of others) words = likelierStretches(pairs(words, other.words));
  const heardBy = counted(words, surestFirst);
  const told = inOrder(words.map((word, i) => ({ ...word, agreement: heardBy[i]! / surestFirst.length })));
  const logProbability = told.reduce((sum, word) => sum + logOf(word), 0);
  const tokens = told.reduce((sum, word) => sum + word.tokens, 0);
  return {
    text: told.map(({ word }) => word).join(' '),
    confidence: Math.exp(logProbability / Math.max(1, tokens)),
    words: told,
    cut: surest.cut,
  };
}

const logOf = ({ confidence }: RecognisedWord): number => Math.log(Math.max(confidence, Number.MIN_VALUE));
const perToken = (word: RecognisedWord): number => logOf(word) / word.tokens;

/** A word as it is compared: its letters and digits alone. */
const sameAs = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || word;

/** The words of two texts side by side, by the fewest edits. */
function pairs(ours: readonly RecognisedWord[], theirs: readonly RecognisedWord[]): Pair[] {
  const [a, b] = [ours, theirs].map((words) => words.map(({ word }) => sameAs(word))) as [string[], string[]];
  const width = b.length + 1;
  const cost = new Uint32Array((a.length + 1) * width);
  for (let i = 0; i <= a.length; i++)
    for (let j = 0; j <= b.length; j++) {
      const at = i * width + j;
      if (i === 0 || j === 0) cost[at] = i + j;
      else {
        const both = cost[at - width - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
        cost[at] = Math.min(both, cost[at - width]! + 1, cost[at - 1]! + 1);
      }
    }
  const found: Pair[] = [];
  for (let i = a.length, j = b.length; i > 0 || j > 0; ) {
    const at = i * width + j;
    const agree = i > 0 && j > 0 && a[i - 1] === b[j - 1];
    if (i > 0 && j > 0 && cost[at] === cost[at - width - 1]! + (agree ? 0 : 1))
      found.push({ ours: ours[--i]!, theirs: theirs[--j]!, agree });
    else if (i > 0 && cost[at] === cost[at - width]! + 1) found.push({ ours: ours[--i]!, theirs: null, agree: false });
    else found.push({ ours: null, theirs: theirs[--j]!, agree: false });
  }
  return found.reverse();
}

function likelierStretches(paired: Pair[]): RecognisedWord[] {
  const words: RecognisedWord[] = [];
  for (let from = 0; from < paired.length; ) {
    const { ours, theirs, agree } = paired[from]!;
    if (agree) {
      words.push(surerOf(ours!, theirs!));
      from++;
      continue;
    }
    let to = from;
    while (to < paired.length && !paired[to]!.agree) to++;
    const stretch = paired.slice(from, to);
    const context = [...agreedBefore(paired, from), ...agreedFrom(paired, to)];
    const sum = (side: 'ours' | 'theirs') =>
      [...stretch, ...context].reduce((total, pair) => total + (pair[side] ? logOf(pair[side]) : 0), 0);
    const side = sum('theirs') > sum('ours') ? 'theirs' : 'ours';
    words.push(...stretch.flatMap((pair) => pair[side] ?? []));
    from = to;
  }
  return words;
}

/** A word that both heard, as it is told by ours, with the surer one's probability. */
function surerOf(ours: RecognisedWord, theirs: RecognisedWord): RecognisedWord {
  const { confidence, tokens } = perToken(theirs) > perToken(ours) ? theirs : ours;
  return { ...ours, confidence, tokens };
}

/** Up to `CONTEXT` agreed pairs that end before, or begin at, a place. */
function agreedBefore(paired: Pair[], at: number): Pair[] {
  const before: Pair[] = [];
  for (let i = at - 1; i >= 0 && before.length < CONTEXT && paired[i]!.agree; i--) before.push(paired[i]!);
  return before;
}

function agreedFrom(paired: Pair[], at: number): Pair[] {
  const after: Pair[] = [];
  for (let i = at; i < paired.length && after.length < CONTEXT && paired[i]!.agree; i++) after.push(paired[i]!);
  return after;
}

/** By how many hearings each word was heard, where it stands. */
function counted(words: readonly RecognisedWord[], hearings: readonly Recognition[]): number[] {
  const counts = words.map(() => 0);
  for (const hearing of hearings) {
    let i = 0;
    for (const { ours, agree } of pairs(words, hearing.words)) {
      if (ours === null) continue;
      if (agree) counts[i]!++;
      i++;
    }
  }
  return counts;
}

/** Times that rise where stretches of several hearings meet. */
function inOrder(words: RecognisedWord[]): RecognisedWord[] {
  let end = 0;
  return words.map((word) => {
    const start = Math.max(end, word.start);
    end = Math.max(start, word.end);
    return { ...word, start, end };
  });
}
