import type { RecognisedWord, Recognition } from '../recogniser.ts';

/**
 * Number of agreed words on either side of a disputed passage that are weighed with it. With fewer, halves of different
 * sentences would be joined.
 */
const CONTEXT = 2;

/** A pair of words at the same position. One is null if that side has none. */
interface Pair {
  ours: RecognisedWord | null;
  theirs: RecognisedWord | null;
  agree: boolean;
}

/**
 * Combines several passes over the same audio into one text. It starts from the pass with the highest confidence. Where
 * another pass differs, it takes the passage whose words are more likely together with the agreed words around them.
 * Words keep their own times and probabilities, and get the fraction of passes that contain them.
 * @param passes at least one, with word times relative to the audio; empty ones change nothing
 */
export function combinePasses(passes: readonly Recognition[]): Recognition {
  const byConfidence = passes.filter(({ words }) => words.length > 0).sort((a, b) => b.confidence - a.confidence);
  const [best, ...others] = byConfidence;
  if (!best) return passes[0]!;
  let words = best.words;
  for (const other of others) words = likelierPassages(pairs(words, other.words));
  const counts = passCounts(words, byConfidence);
  const ordered = inOrder(words.map((word, i) => ({ ...word, agreement: counts[i]! / byConfidence.length })));
  const logProbability = ordered.reduce((sum, word) => sum + logOf(word), 0);
  const tokens = ordered.reduce((sum, word) => sum + word.tokens, 0);
  return {
    text: ordered.map(({ word }) => word).join(' '),
    confidence: Math.exp(logProbability / Math.max(1, tokens)),
    words: ordered,
    cut: best.cut,
  };
}

const logOf = ({ confidence }: RecognisedWord): number => Math.log(Math.max(confidence, Number.MIN_VALUE));
const perToken = (word: RecognisedWord): number => logOf(word) / word.tokens;

/** A word in the form used for comparison: only its letters and digits. */
const sameAs = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || word;

/** The words of two texts side by side, aligned with the fewest edits. */
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

function likelierPassages(paired: Pair[]): RecognisedWord[] {
  const words: RecognisedWord[] = [];
  for (let from = 0; from < paired.length; ) {
    const { ours, theirs, agree } = paired[from]!;
    if (agree) {
      words.push(agreedWord(ours!, theirs!));
      from++;
      continue;
    }
    let to = from;
    while (to < paired.length && !paired[to]!.agree) to++;
    const passage = paired.slice(from, to);
    const context = [...agreedBefore(paired, from), ...agreedFrom(paired, to)];
    const sum = (side: 'ours' | 'theirs') =>
      [...passage, ...context].reduce((total, pair) => total + (pair[side] ? logOf(pair[side]) : 0), 0);
    const side = sum('theirs') > sum('ours') ? 'theirs' : 'ours';
    words.push(...passage.flatMap((pair) => pair[side] ?? []));
    from = to;
  }
  return words;
}

/** A word that both passes contain, in our form and with the higher of the two probabilities. */
function agreedWord(ours: RecognisedWord, theirs: RecognisedWord): RecognisedWord {
  const { confidence, tokens } = perToken(theirs) > perToken(ours) ? theirs : ours;
  return { ...ours, confidence, tokens };
}

/** Up to `CONTEXT` agreed pairs that end before a position, or begin at it. */
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

/** Adds to each word the fraction of passes that contain it at its position. */
function passCounts(words: readonly RecognisedWord[], passes: readonly Recognition[]): number[] {
  const counts = words.map(() => 0);
  for (const pass of passes) {
    let i = 0;
    for (const { ours, agree } of pairs(words, pass.words)) {
      if (ours === null) continue;
      if (agree) counts[i]!++;
      i++;
    }
  }
  return counts;
}

/** Makes times increase where passages from different passes meet. */
function inOrder(words: RecognisedWord[]): RecognisedWord[] {
  let end = 0;
  return words.map((word) => {
    const start = Math.max(end, word.start);
    end = Math.max(start, word.end);
    return { ...word, start, end };
  });
}
