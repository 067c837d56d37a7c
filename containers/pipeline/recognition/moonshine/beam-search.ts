import type { Candidate, DecoderStep, Row, TextDecoder } from './decoder.ts';
import { END, loopLength } from './tokens.ts';
import { type ListedWords, NO_WORDS, type Walk } from './word-list.ts';

/** A text that the search found. */
export interface Decoded {
  tokens: number[];
  /** The model's own log-probability of each token and, if the end was reached, of the end. */
  logProbabilities: number[];
  /** One row of encoder frames per token. Empty without the spliced decoder. */
  attention: Float32Array[];
  /** Whether the search broke the text off, because it looped or was longer than anyone can speak in that time. */
  cut: boolean;
}

interface Hypothesis extends Omit<Decoded, 'cut'> {
  /** Sum of the log-probabilities, plus the bonus for listed words. */
  score: number;
  walk: Walk;
}

interface Ended extends Decoded {
  /** Score per token, used to compare texts of different lengths. */
  mean: number;
}

/** Penalties: on the score of a text that repeats itself, and on the mean of one that never reaches its end token. */
const LOOP_PENALTY = 5;
const UNENDED_PENALTY = 1;
/** After this many finished texts per row, a better one is not expected. */
const ENDED_A_ROW = 3;

/**
 * Beam search for the most likely text by the sum of its log-probabilities. Finished texts are compared by their mean.
 * A beam of 1 is the greedy search. Deterministic.
 * @param mostTokens number of tokens at which a text is broken off
 */
export async function search<State>(
  decoder: TextDecoder<State>,
  beam: number,
  mostTokens: number,
  words: ListedWords = NO_WORDS,
): Promise<Decoded> {
  let open: Hypothesis[] = [{ tokens: [], logProbabilities: [], attention: [], score: 0, walk: words.start }];
  let step: DecoderStep<State> = await decoder.begin();
  const ended: Ended[] = [];
  for (let length = 1; ; length++) {
    const { next, parents } = extended(open, step.rows, beam, words, ended);
    open = next;
    if (open.length === 0 || isDecided(open, ended, beam)) break;
    if (length >= mostTokens) {
      for (const { score, ...text } of open) ended.push({ ...text, cut: true, mean: score / length - UNENDED_PENALTY });
      break;
    }
    const tokens = open.map((text) => text.tokens.at(-1)!);
    step = await decoder.next(step.state, parents, tokens);
  }
  const { tokens, logProbabilities, attention, cut } = ended.reduce((best, text) =>
    text.mean > best.mean ? text : best,
  );
  return { tokens, logProbabilities, attention, cut };
}

interface Growth extends Candidate {
  parent: number;
  score: number;
  walk: Walk;
}

/** The texts extended by one token, best first. Those that end while among the best are added to `ended`. */
function extended(open: Hypothesis[], rows: Row[], beam: number, words: ListedWords, ended: Ended[]) {
  const extensions = open
    .flatMap((text, parent) => candidatesOf(rows[parent]!, text, beam, words).map((one) => ({ ...one, parent })))
    .sort((a, b) => b.score - a.score);
  const next: Hypothesis[] = [];
  const parents: number[] = [];
  for (const [rank, { parent, token, logProbability, score, walk }] of extensions.entries()) {
    if (next.length >= beam) break;
    const from = open[parent]!;
    const logProbabilities = [...from.logProbabilities, logProbability];
    if (token === END) {
      if (rank < beam) ended.push({ ...from, logProbabilities, cut: false, mean: score / logProbabilities.length });
      if (beam === 1) break;
      continue;
    }
    const { attention: row } = rows[parent]!;
    const tokens = [...from.tokens, token];
    const attention = row ? [...from.attention, row] : [];
    if (loopLength(tokens) > 0) {
      const mean = (score - LOOP_PENALTY) / logProbabilities.length;
      ended.push({ tokens, logProbabilities, attention, cut: true, mean });
      if (beam === 1) break;
      continue;
    }
    next.push({ tokens, logProbabilities, attention, score, walk });
    parents.push(parent);
  }
  return { next, parents };
}

/** The best tokens of a row, twice as many as are kept, and the tokens that continue a listed word. */
function candidatesOf(row: Row, text: Hypothesis, beam: number, words: ListedWords): Omit<Growth, 'parent'>[] {
  const best = row.candidates.slice(0, 2 * beam);
  const listed = words
    .continuations(text.walk)
    .filter((token) => !best.some((known) => known.token === token))
    .map((token) => ({ token, logProbability: row.logProbabilityOf(token) }))
    .filter(({ logProbability }) => logProbability > words.leastLogProbability);
  return [...best, ...listed].map(({ token, logProbability }) => {
    const { walk, bonus } = words.step(text.walk, token);
    return { token, logProbability, walk, score: text.score + logProbability + bonus };
  });
}

/** Whether the best of the finished texts is unlikely to be beaten. */
function isDecided(open: Hypothesis[], ended: Ended[], beam: number): boolean {
  if (ended.length < beam) return false;
  const best = Math.max(...ended.map(({ mean }) => mean));
  const bestOpen = Math.max(...open.map(({ score, tokens }) => score / (tokens.length + 1)));
  return best > bestOpen || ended.length >= ENDED_A_ROW * beam;
}
