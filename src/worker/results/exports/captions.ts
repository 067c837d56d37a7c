import type { ExportedUtterance } from './exported.ts';

/**
 * One caption, in whole milliseconds, with `endMs` after `startMs`. It has at most two lines of `LINE_CHARS`
 * characters.
 */
export interface Cue {
  startMs: number;
  endMs: number;
  speaker: string;
  lines: readonly string[];
}

/** From the Netflix Timed Text Style Guide for English. */
const LINE_CHARS = 42;
/** Two lines and the space between them. */
const LONGEST = 2 * LINE_CHARS + 1;
const MAX_MS = 7000;
const MIN_MS = 833;

/** A displayed word with its times. */
interface Token {
  text: string;
  startMs: number;
  endMs: number;
}

/** The cost of a cut, following the style guide's order of preference for line breaks. Lower is better. */
const AFTER_SENTENCE = 0;
const AFTER_CLAUSE = 1;
const BEFORE_JOINT = 2;
const ANYWHERE = 4;
/** Added when the cut separates a word from the word it belongs to. */
const TORN = 4;
/** Length of a pause that is good for a cut, and of a pause that a caption should not bridge, ms. */
const PAUSE_MS = 300;
const LONG_PAUSE_MS = 1500;
/**
 * The costs of an additional caption, of a caption shown too briefly, of one that bridges a long pause, and of one that
 * is nearly empty.
 */
const CUE = 2;
const TOO_SHORT = 3;
const BRIDGED = 6;
const EMPTY = 2;
/** The cost of two lines when one is empty and the other is full. */
const UNEVEN = 3;

const SENTENCE_END = /[.?!…]["'”’)]*$/;
const CLAUSE_END = /[,;:–—]["'”’)]*$/;
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Words that begin a clause. */
const JOINTS = setOf(
  'and but or so because that which who when while if as than of in on at to for with from by about into over after before until',
);
/** Words that belong to the word after them. */
const LEANING = setOf(
  "a an the my your his her its our their this these those of in on at to for with from by about into and but or so because that which who when while if i we you he she they it is are was were am i'm we're not no very mr. mrs. ms. dr.",
);

/**
 * The captions of a conversation, by start. Each utterance is cut separately, at the places that read best.
 * @param naming text before the words of a new speaker, for formats without a speaker field
 */
export function captions(
  timeline: readonly ExportedUtterance[],
  naming: (speaker: string) => string = () => '',
): Cue[] {
  const cues: Cue[] = [];
  let last: string | undefined;
  for (const utterance of timeline) {
    const { speaker } = utterance;
    const tokens = tokensOf(utterance);
    if (tokens.length === 0) continue;
    const name = speaker === last ? '' : naming(speaker);
    const { startMs } = tokens[0]!;
    if (name !== '') tokens.unshift(...pieces({ text: name, startMs, endMs: startMs }));
    for (const stretch of cut(tokens)) cues.push(cueOf(tokens, stretch, speaker));
    last = speaker;
  }
  cues.sort((a, b) => a.startMs - b.startMs);
  return cues.map((cue, i) => ({ ...cue, endMs: endOf(cue, cues[i + 1]) }));
}

/** Keeps the caption on screen long enough to be read, unless the same speaker's next caption needs its place. */
function endOf(cue: Cue, next: Cue | undefined): number {
  const { startMs, endMs } = cue;
  const until = next?.startMs ?? Number.POSITIVE_INFINITY;
  const wanted = Math.max(endMs, startMs + MIN_MS);
  const end = next?.speaker === cue.speaker || endMs <= until ? Math.min(wanted, until) : endMs;
  return Math.max(end, startMs + 1);
}

/** The words of an utterance with their times, measured if available and otherwise distributed by word length. */
function tokensOf({ text, words, t_start, t_end }: ExportedUtterance): Token[] {
  const shown = text.split(/\s+/).filter((word) => word !== '');
  const startMs = Math.round(t_start * 1000);
  const endMs = Math.max(startMs, Math.round(t_end * 1000));
  const within = (seconds: number): number => Math.min(endMs, Math.max(startMs, Math.round(seconds * 1000)));
  const timed =
    words.length === shown.length
      ? shown.map((word, i) => ({ text: word, startMs: within(words[i]!.t_start), endMs: within(words[i]!.t_end) }))
      : shareOut(shown, startMs, endMs);
  let said = startMs;
  return timed.flatMap((token) => {
    // A word never starts before the previous one.
    said = Math.max(said, token.startMs);
    return pieces({ ...token, startMs: said, endMs: Math.max(said, token.endMs) });
  });
}

function shareOut(shown: readonly string[], startMs: number, endMs: number): Token[] {
  const all = shown.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return shown.map((word) => {
    const at = (chars: number): number => startMs + Math.round(((endMs - startMs) * chars) / all);
    const token = { text: word, startMs: at(before), endMs: at(before + word.length) };
    before += word.length;
    return token;
  });
}

/** The pieces of a token, each short enough for a line. */
function pieces(token: Token): Token[] {
  if (token.text.length <= LINE_CHARS) return [token];
  const parts = [''];
  for (const character of token.text) {
    if (parts.at(-1)!.length + character.length > LINE_CHARS) parts.push('');
    parts[parts.length - 1] += character;
  }
  return shareOut(parts, token.startMs, token.endMs);
}

/** The cost of cutting after a token. */
function cutCost(tokens: readonly Token[], at: number): number {
  const token = tokens[at]!;
  const next = tokens[at + 1];
  if (!next) return AFTER_SENTENCE;
  const word = token.text.toLowerCase();
  if (SENTENCE_END.test(token.text) && !LEANING.has(word)) return AFTER_SENTENCE;
  if (CLAUSE_END.test(token.text) || next.startMs - token.endMs >= PAUSE_MS) return AFTER_CLAUSE;
  return (JOINTS.has(next.text.toLowerCase()) ? BEFORE_JOINT : ANYWHERE) + (LEANING.has(word) ? TORN : 0);
}

interface Stretch {
  /**
   * The indices of the first token, of the first token of the second line, and of the end. Without a second line, the
   * last two are equal.
   */
  from: number;
  breakAt: number;
  to: number;
}

/**
 * The cheapest way to cut tokens into captions, by dynamic programming. The time is linear, because a caption has a
 * bounded number of words.
 */
function cut(tokens: readonly Token[]): Stretch[] {
  const cost = tokens.map((_, i) => cutCost(tokens, i));
  /** The least cost of the tokens before each index, and where the last caption before it begins. */
  const best = [0];
  const last: Stretch[] = [];
  for (let to = 1; to <= tokens.length; to++) {
    best[to] = Number.POSITIVE_INFINITY;
    let chars = -1;
    let bridged = 0;
    for (let from = to - 1; from >= 0; from--) {
      chars += tokens[from]!.text.length + 1;
      const lasts = tokens[to - 1]!.endMs - tokens[from]!.startMs;
      if (chars > LONGEST || (lasts > MAX_MS && from < to - 1)) break;
      if (from < to - 1 && tokens[from + 1]!.startMs - tokens[from]!.endMs >= LONG_PAUSE_MS) bridged += BRIDGED;
      const layout = layOut(tokens, cost, from, to, chars);
      if (layout === undefined) continue;
      // The caption may stay until the next one starts.
      const shown = (tokens[to]?.startMs ?? Number.POSITIVE_INFINITY) - tokens[from]!.startMs;
      const short = shown < MIN_MS ? TOO_SHORT : 0;
      const total =
        best[from]! + cost[to - 1]! + CUE + layout.cost + bridged + short + EMPTY * (1 - chars / LONGEST) ** 2;
      if (total < best[to]!) {
        best[to] = total;
        last[to] = { from, to, breakAt: layout.breakAt };
      }
    }
  }
  const stretches: Stretch[] = [];
  for (let to = tokens.length; to > 0; to = last[to]!.from) stretches.push(last[to]!);
  return stretches.reverse();
}

/** Index at which the second line begins, or `to` for a single line. Undefined when the tokens do not fit. */
function layOut(
  tokens: readonly Token[],
  cost: readonly number[],
  from: number,
  to: number,
  chars: number,
): { breakAt: number; cost: number } | undefined {
  if (chars <= LINE_CHARS) return { breakAt: to, cost: 0 };
  let found: { breakAt: number; cost: number } | undefined;
  let first = -1;
  for (let at = from; at < to - 1; at++) {
    first += tokens[at]!.text.length + 1;
    const second = chars - first - 1;
    if (first > LINE_CHARS) break;
    if (second > LINE_CHARS) continue;
    const total = cost[at]! / 2 + (UNEVEN * Math.abs(first - second)) / LINE_CHARS;
    if (!found || total < found.cost) found = { breakAt: at + 1, cost: total };
  }
  return found;
}

function cueOf(tokens: readonly Token[], { from, breakAt, to }: Stretch, speaker: string): Cue {
  const textOf = (a: number, b: number): string =>
    tokens
      .slice(a, b)
      .map(({ text }) => text)
      .join(' ');
  return {
    startMs: tokens[from]!.startMs,
    endMs: tokens[to - 1]!.endMs,
    speaker,
    lines: breakAt === to ? [textOf(from, to)] : [textOf(from, breakAt), textOf(breakAt, to)],
  };
}
