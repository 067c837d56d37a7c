import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { finished, STEP_CHARS } from '../steps.ts';
import { OpenSentences } from './open-sentences.ts';
import { isContentWord, words } from './tokens.ts';
import { DIMENSIONS, type WordVectors } from './word-vectors.ts';

/** The turns of one conversation in the form that segmentation needs. */
export interface Turns {
  language: Language;
  count: number;
  texts: string[];
  /** The recogniser's words of each turn, with their confidence. */
  recognised: readonly Pick<Utterance, 'words' | 'asr_confidence'>[];
  speakers: string[];
  /** Whether a turn continues an open sentence from the turn before it. */
  goesOn: boolean[];
  /** All words in lower case. */
  words: string[][];
  /** Ids of the content stems of each turn in this conversation's vocabulary, each listed once. */
  stems: Int32Array[];
  /** log(1 + count) x inverse document frequency of each stem, in the order of `stems`. */
  weights: Float32Array[];
  /** Number of distinct content stems. */
  vocabulary: number;
  /** The stems by id, and the ids by stem. */
  stemNames: string[];
  stemIds: ReadonlyMap<string, number>;
  /**
   * Row-major turn x DIMENSIONS: the smoothed sum of word vectors, from which the conversation's mean is partly
   * removed.
   */
  dense: Float32Array;
}

/** Fraction of the conversation's mean vector that is subtracted from every turn (feasibility probe: 0.7). */
const MEAN_REMOVED = 0.7;

/** The parts of an utterance that its turn is read from. */
type Spoken = Pick<Utterance, 'text' | 'speaker' | 'words' | 'asr_confidence'> &
  Partial<Pick<Utterance, 't_start' | 't_end'>>;

/** Tokenises and weights every turn. Takes time linear in the number of words. */
export const readTurns = (utterances: readonly Spoken[], vectors: WordVectors, language: Language): Turns =>
  finished(turnsInSteps(utterances, vectors, language));

/** `readTurns` in steps. */
export function* turnsInSteps(
  utterances: readonly Spoken[],
  vectors: WordVectors,
  language: Language,
): Generator<void, Turns> {
  const count = utterances.length;
  const ids = new Map<string, number>();
  const stemNames: string[] = [];
  const rows: number[] = [];
  const documents: number[] = [];
  const stemOf = new Map<string, number>();
  const dense = new Float32Array(count * DIMENSIONS);
  const turnWords: string[][] = [];
  const stems: Int32Array[] = [];
  const counts: number[][] = [];

  let unread = STEP_CHARS;
  for (const [turn, { text }] of utterances.entries()) {
    const spoken = words(text);
    turnWords.push(spoken);
    const own = new Map<number, number>();
    for (const word of spoken) {
      let id = stemOf.get(word);
      if (id === undefined) {
        id = -1;
        if (isContentWord(word, language)) {
          const root = language.words.stem(word);
          id = ids.get(root) ?? -1;
          if (id < 0) {
            id = stemNames.push(root) - 1;
            ids.set(root, id);
            rows.push(vectors.index.get(root) ?? -1);
            documents.push(0);
          }
        }
        stemOf.set(word, id);
      }
      if (id < 0) continue;
      own.set(id, (own.get(id) ?? 0) + 1);
      const row = rows[id]!;
      if (row < 0) continue;
      addRow(dense, turn, vectors.rows, row, vectors.weights[row]!);
    }
    for (const id of own.keys()) documents[id]!++;
    stems.push(Int32Array.from(own.keys()));
    counts.push([...own.values()]);
    unread -= text.length;
    if (unread > 0) continue;
    unread = STEP_CHARS;
    yield;
  }
  removeMean(dense, count);
  const weights = stems.map((own, turn) =>
    Float32Array.from(own, (id, k) => {
      const idf = Math.log((count + 1) / (documents[id]! + 0.5));
      return Math.log1p(counts[turn]![k]!) * Math.max(idf, 0.1);
    }),
  );
  const open = new OpenSentences();
  return {
    language,
    count,
    texts: utterances.map((u) => u.text),
    recognised: utterances,
    speakers: utterances.map((u) => u.speaker),
    goesOn: utterances.map((u) => open.add(u)),
    words: turnWords,
    stems,
    weights,
    vocabulary: stemNames.length,
    stemNames,
    stemIds: ids,
    dense,
  };
}

/** A separate function, because it is small and hot and is then compiled early. */
function addRow(dense: Float32Array, turn: number, rows: Int8Array, row: number, weight: number): void {
  const to = turn * DIMENSIONS;
  const from = row * DIMENSIONS;
  for (let j = 0; j < DIMENSIONS; j++) dense[to + j]! += weight * rows[from + j]!;
}

function removeMean(dense: Float32Array, count: number): void {
  for (let j = 0; j < DIMENSIONS; j++) {
    let mean = 0;
    for (let i = 0; i < count; i++) mean += dense[i * DIMENSIONS + j]!;
    mean = (mean / Math.max(1, count)) * MEAN_REMOVED;
    for (let i = 0; i < count; i++) dense[i * DIMENSIONS + j]! -= mean;
  }
}
