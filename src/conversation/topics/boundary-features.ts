import { fnv1a, joinHashes } from '../../contract/fnv1a.ts';
import { lastSentence } from '../text/sentences.ts';
import { isContentWord, words } from '../text/tokens.ts';
import type { Turns } from '../text/turns.ts';
import { depth, lexicalSimilarity, semanticSimilarity } from './cohesion.ts';

/** Number of turns on each side of a boundary that are compared: few for chats and many for meetings. */
export const WINDOWS = [1, 2, 3, 6, 12, 24, 48] as const;
/** Number of numeric features of one boundary. See `boundaryFeatures`. */
export const NUMERIC_FEATURES = 4 * WINDOWS.length + 28;
/** Buckets for the hashed words around a boundary. */
export const BUCKETS = 2 ** 15;

/** Distance within which a peak of cohesion is sought, in windows. */
const PEAK_REACH = 5;
/** Widest window whose similarities at the turns before and after also count as features. */
const NEIGHBOURS_TO = 2;
/** Number of turns that count as the recent past when words are checked for novelty. */
const RECENT = 5;
/** Number of turns whose speakers count as present. */
const PRESENT = 8;
/** Number of turns on each side for comparing the speakers' shares. */
const FLOOR_WINDOW = 20;

/**
 * The numeric features of every boundary.
 * @returns NUMERIC_FEATURES columns of count - 1 values; [i - 1] describes the boundary before turn i.
 */
export function boundaryFeatures(turns: Turns): Float32Array[] {
  const { count, texts, speakers } = turns;
  const { asking, openingCue, closingCue, leaning } = turns.language.boundaries;
  const rows = Math.max(0, count - 1);
  const columns: Float32Array[] = [];
  const fill = (values: Float32Array) => columns.push(values);
  const at = (value: (turn: number) => number | boolean) => {
    const column = new Float32Array(rows);
    for (let i = 0; i < rows; i++) column[i] = Number(value(i + 1));
    columns.push(column);
  };
  // Facts about every turn as whole columns: for the turns before the boundaries, after them, and next to these.
  const before = (values: Float32Array) => fill(values.slice(0, rows));
  const behind = (values: Float32Array) => fill(values.slice(1));
  const next = (values: Float32Array) => {
    const column = new Float32Array(rows);
    column.set(values.subarray(2));
    columns.push(column);
  };
  const flags = (texts: string[], test: (text: string) => boolean): Float32Array => {
    const out = new Float32Array(count);
    for (let i = 0; i < count; i++) if (test(texts[i]!)) out[i] = 1;
    return out;
  };
  for (const window of WINDOWS)
    for (const similarity of [lexicalSimilarity(turns, window), semanticSimilarity(turns, window)]) {
      fill(similarity);
      fill(depth(similarity, PEAK_REACH * window));
      if (window > NEIGHBOURS_TO) continue;
      fill(similarity.slice().copyWithin(1, 0));
      fill(similarity.slice().copyWithin(0, 1));
    }
  const asks = flags(texts, (t) => asking.test(t.trimStart()));
  const opens = flags(texts, (t) => openingCue.test(t.trimStart()));
  const closes = flags(texts, (t) => closingCue.test(t));
  const length = new Float32Array(count);
  for (let i = 0; i < count; i++) length[i] = Math.log1p(turns.words[i]!.length) / 3;
  behind(noveltySince(turns, count, 1));
  behind(noveltySince(turns, RECENT, 3));
  before(length);
  behind(length);
  at((i) => (length[i]! > 0 ? Math.max(length[i]!, length[i + 1] ?? 0) : 0));
  behind(asks);
  before(asks);
  next(asks);
  behind(opens);
  before(closes);
  at((i) => opens[i]! * closes[i - 1]!);
  at((i) => Math.min(1, Math.min(i, count - i) / 10));
  at((i) => speakers[i] === speakers[i - 1]);
  const spokeAt = lastTurnOf(speakers);
  at((i) => spokeAt[i]! < i - PRESENT);
  at((i) => speakers[i] === speakers[0]);
  fill(floorSimilarity(turns));
  at((i) => Math.min(1, i / count));
  const last = texts.map(lastSentence);
  const lastAsks = last.map((t) => asking.test(t));
  behind(sentenceNovelty(turns, last, lastAsks));
  at((i) => lastAsks[i]! && !leaning.test(last[i]!));
  behind(flags(texts, (t) => leaning.test(t)));
  return columns;
}

/** For each turn, the previous turn of its speaker. If there is none, an index far back. */
function lastTurnOf(speakers: string[]): Int32Array {
  const last = new Map<string, number>();
  return Int32Array.from(speakers, (who, i) => {
    const before = last.get(who) ?? -1e9;
    last.set(who, i);
    return before;
  });
}

/**
 * Fraction of each sentence's content stems that do not occur in the `RECENT` turns before. 0 when it has none, or
 * where `wanted` is false.
 */
function sentenceNovelty(turns: Turns, sentences: string[], wanted: boolean[]): Float32Array {
  const lastSeen = new Int32Array(turns.vocabulary).fill(-1e9);
  const out = new Float32Array(turns.count);
  for (let i = 0; i < turns.count; i++) {
    if (wanted[i]) {
      let all = 0;
      let fresh = 0;
      for (const word of words(sentences[i]!)) {
        if (!isContentWord(word, turns.language)) continue;
        all++;
        const id = turns.stemIds.get(turns.language.words.stem(word));
        if (id === undefined || lastSeen[id]! < i - RECENT) fresh++;
      }
      out[i] = all > 0 ? fresh / all : 0;
    }
    for (const id of turns.stems[i]!) lastSeen[id] = i;
  }
  return out;
}

/** Fraction of the content stems of `ahead` turns that do not occur in the `back` turns before. */
function noveltySince(turns: Turns, back: number, ahead: number): Float32Array {
  const { count, stems } = turns;
  const lastSeen = new Int32Array(turns.vocabulary).fill(-1e9);
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let all = 0;
    let fresh = 0;
    for (let j = i; j < Math.min(count, i + ahead); j++)
      for (const id of stems[j]!) {
        all++;
        if (lastSeen[id]! < i - back) fresh++;
      }
    out[i] = all > 0 ? fresh / all : 0.5;
    for (const id of stems[i]!) lastSeen[id] = i;
  }
  return out;
}

/** Cosine of the speakers' shares of words before and after every boundary, 0 to 1. */
function floorSimilarity(turns: Turns): Float32Array {
  const { count, speakers } = turns;
  const names = new Map([...new Set(speakers)].map((name, i) => [name, i]));
  const who = speakers.map((name) => names.get(name)!);
  const out = new Float32Array(Math.max(0, count - 1));
  const side = () => ({ words: new Float64Array(names.size), squares: 0 });
  const [left, right] = [side(), side()];
  let dot = 0;
  /** Adds a turn's words to one side or removes them. They are whole numbers, so that no precision is lost. */
  const move = (own: typeof left, other: typeof left, turn: number, sign: number) => {
    const speaker = who[turn]!;
    const change = sign * turns.words[turn]!.length;
    const before = own.words[speaker]!;
    dot += change * other.words[speaker]!;
    own.squares += change * (2 * before + change);
    own.words[speaker] = before + change;
  };
  for (let i = 0; i < Math.min(FLOOR_WINDOW, count); i++) move(right, left, i, 1);
  for (let i = 1; i < count; i++) {
    move(right, left, i - 1, -1);
    move(left, right, i - 1, 1);
    if (i - 1 - FLOOR_WINDOW >= 0) move(left, right, i - 1 - FLOOR_WINDOW, -1);
    if (i - 1 + FLOOR_WINDOW < count) move(right, left, i - 1 + FLOOR_WINDOW, 1);
    const norms = left.squares * right.squares;
    out[i - 1] = norms > 0 ? dot / Math.sqrt(norms) : 1;
  }
  return out;
}

/** Position of a word in the neighbourhood, which is part of its bucket. */
const POSITION = {
  here: 1,
  pair: 2,
  first: 3,
  firstTwo: 4,
  before: 5,
  lastTwo: 6,
  after: 7,
  soon: 8,
  lately: 9,
} as const;
/**
 * Limits on the number of words read from the turn itself and the one before, from its pairs, from the one after, and
 * from nearby turns.
 */
const READ = { words: 25, pairs: 10, after: 15, nearby: 12 } as const;

/**
 * The words around every boundary as bucket numbers 0..BUCKETS-1. Row i - 1 is the boundary before turn i.
 * @param nearby distance in turns within which words are read: 1 in chats, and more in meetings, where the cue is often
 * a few turns away
 */
export function boundaryWords(turns: Turns, nearby: number): Uint16Array[] {
  const hashes = turns.words.map((spoken) => {
    const read = Math.min(READ.words, spoken.length);
    return Uint32Array.from({ length: read }, (_, k) => fnv1a(spoken[k]!));
  });
  const lastTwo = turns.words.map((spoken) => joinHashes(fnv1a(spoken.at(-2) ?? ''), fnv1a(spoken.at(-1) ?? '')));
  const out: Uint16Array[] = [];
  // One buffer for all rows, because thousands of small arrays would cost more in garbage collection than in counting.
  const widest = 2 * READ.words + READ.pairs + READ.after + 3 + 2 * READ.nearby * (nearby - 1);
  const flat = new Uint16Array(Math.max(0, turns.count - 1) * widest);
  let end = 0;
  const put = (position: number, h: number) => {
    flat[end++] = joinHashes(h, position) % BUCKETS;
  };
  for (let i = 1; i < turns.count; i++) {
    const start = end;
    const here = hashes[i]!;
    const before = hashes[i - 1]!;
    const after = hashes[i + 1] ?? new Uint32Array();
    for (const h of here) put(POSITION.here, h);
    for (let k = 0; k + 1 < here.length && k < READ.pairs; k++) put(POSITION.pair, joinHashes(here[k]!, here[k + 1]!));
    if (here.length > 0) put(POSITION.first, here[0]!);
    if (here.length > 1) put(POSITION.firstTwo, joinHashes(here[0]!, here[1]!));
    for (const h of before) put(POSITION.before, h);
    put(POSITION.lastTwo, lastTwo[i - 1]!);
    for (let k = 0; k < Math.min(READ.after, after.length); k++) put(POSITION.after, after[k]!);
    for (let j = i + 2; j <= Math.min(turns.count - 1, i + nearby); j++)
      for (let k = 0; k < Math.min(READ.nearby, hashes[j]!.length); k++) put(POSITION.soon, hashes[j]![k]!);
    for (let j = i - 2; j >= Math.max(0, i - nearby); j--)
      for (let k = 0; k < Math.min(READ.nearby, hashes[j]!.length); k++) put(POSITION.lately, hashes[j]![k]!);
    out.push(flat.subarray(start, end));
  }
  return out;
}
