import type { SpeakerTurn } from './turns.ts';

/** A word with its time, such as the recogniser's `Word`. */
export interface TimedWord {
  word: string;
  /** Seconds. */
  t_start: number;
  t_end: number;
}

/** Consecutive words of one speaker, which become an utterance. */
export interface WordRun<W extends TimedWord> {
  speaker: number;
  words: W[];
  /** Confidence of the speaker, 0 to 1. Within turns, it is the confidence of the turns. */
  confidence: number;
  /** Fraction of the run's time in which another person also speaks, 0 to 1. */
  overlapRatio: number;
}

/**
 * The recogniser's word times are off by 42 ms in the median and 166 ms at the 90th percentile. Shorter words are
 * treated as this long.
 */
const SHORTEST_WORD_S = 0.12;
/**
 * Cost of a speaker change between two words, expressed in seconds of words outside their speaker's turns. In the
 * middle of a phrase it exceeds the jitter of a word's time. At the end of a sentence or across a pause it is close to
 * zero.
 */
const CHANGE_COST_S = 0.3;
const CHANGE_COST_AT_BREAK_S = 0.06;
const PAUSE_S = 0.25;
const SENTENCE_END = /[.?!…]["')\]]*$/;
/** Confidence of words that are in none of their speaker's turns. */
const OUTSIDE_CONFIDENCE = 0.3;

/**
 * Divides recognised words among the turns of a diarization, so that every run belongs to one person. It chooses the
 * sequence of speakers with the least word time outside the speaker's turns, at a cost for each change. Jitter in a
 * word's time therefore does not split a sentence, while a back-channel between two sentences is kept.
 * @param words in order.
 * @param turns ordered by start; turns in other parts of the recording have no effect.
 * @returns runs in order, which together contain the given words. Without turns, one run of speaker 0.
 */
export function assignWords<W extends TimedWord>(words: readonly W[], turns: readonly SpeakerTurn[]): WordRun<W>[] {
  if (words.length === 0) return [];
  const first = words[0]!.t_start;
  const last = words.reduce((end, word) => Math.max(end, word.t_end), first);
  const near = turns.filter((turn) => turn.end > first - REACH_S && turn.start < last + REACH_S);
  const speakers = [...new Set(near.map((turn) => turn.speaker))].sort((a, b) => a - b);
  const path =
    speakers.length > 1
      ? bestPath(words, near, speakers)
      : words.map(() => speakers[0] ?? nearestSpeaker(first, turns));
  const runs: W[][] = [];
  for (const [i, word] of words.entries()) {
    if (i > 0 && path[i] === path[i - 1]) runs[runs.length - 1]!.push(word);
    else runs.push([word]);
  }
  let at = 0;
  return runs.map((run) => {
    const speaker = path[at]!;
    at += run.length;
    return { speaker, words: run, ...measured(run, speaker, near) };
  });
}

/** How far from the words a turn can still attract those that are in no turn, s. */
const REACH_S = 2;

function nearestSpeaker(time: number, turns: readonly SpeakerTurn[]): number {
  const distance = (turn: SpeakerTurn): number => Math.max(turn.start - time, time - turn.end, 0);
  let best: SpeakerTurn | undefined;
  for (const turn of turns) if (!best || distance(turn) < distance(best)) best = turn;
  return best?.speaker ?? 0;
}

function span(word: TimedWord): { start: number; end: number } {
  const spare = Math.max(0, SHORTEST_WORD_S - (word.t_end - word.t_start)) / 2;
  return { start: word.t_start - spare, end: word.t_end + spare };
}

/** Seconds of the span that are inside turns of the speaker. A span in no turn counts for the closest turn. */
function secondsWith(start: number, end: number, speaker: number, turns: readonly SpeakerTurn[]): number {
  let seconds = 0;
  for (const turn of turns) {
    if (turn.speaker === speaker) seconds += Math.max(0, Math.min(end, turn.end) - Math.max(start, turn.start));
  }
  return seconds;
}

function gapTo(start: number, end: number, speaker: number, turns: readonly SpeakerTurn[]): number {
  let gap = REACH_S;
  for (const turn of turns) {
    if (turn.speaker === speaker) gap = Math.min(gap, Math.max(0, turn.start - end, start - turn.end));
  }
  return gap;
}

/**
 * Cost of a speaker for a word: the seconds of it outside the speaker's turns or, for a word in no turn, the distance
 * to the speaker's nearest turn.
 */
function wordCosts(word: TimedWord, turns: readonly SpeakerTurn[], speakers: number[]): number[] {
  const { start, end } = span(word);
  const inside = speakers.map((speaker) => secondsWith(start, end, speaker, turns));
  if (inside.some((seconds) => seconds > 0)) return inside.map((seconds) => Math.max(0, end - start - seconds));
  const gaps = speakers.map((speaker) => gapTo(start, end, speaker, turns));
  const least = Math.min(...gaps);
  return gaps.map((gap) => Math.min(end - start, gap - least));
}

function bestPath(words: readonly TimedWord[], turns: readonly SpeakerTurn[], speakers: number[]): number[] {
  const costs = words.map((word) => wordCosts(word, turns, speakers));
  let total = costs[0]!;
  const from: number[][] = [];
  for (let i = 1; i < words.length; i++) {
    const before = words[i - 1]!;
    const broken = words[i]!.t_start - before.t_end >= PAUSE_S || SENTENCE_END.test(before.word);
    const change = broken ? CHANGE_COST_AT_BREAK_S : CHANGE_COST_S;
    const cheapest = total.indexOf(Math.min(...total));
    const choice = total.map((cost, s) => (cost <= total[cheapest]! + change ? s : cheapest));
    total = choice.map((s, to) => total[s]! + (s === to ? 0 : change) + costs[i]![to]!);
    from.push(choice);
  }
  let state = total.indexOf(Math.min(...total));
  const path = [speakers[state]!];
  for (const choice of from.toReversed()) {
    state = choice[state]!;
    path.push(speakers[state]!);
  }
  return path.reverse();
}

function measured(
  words: TimedWord[],
  speaker: number,
  turns: readonly SpeakerTurn[],
): { confidence: number; overlapRatio: number } {
  const start = words[0]!.t_start;
  const end = Math.max(...words.map((word) => word.t_end));
  let weight = 0;
  let sum = 0;
  for (const word of words) {
    const { start: from, end: to } = span(word);
    weight += to - from;
    let inside = 0;
    for (const turn of turns) {
      if (turn.speaker !== speaker) continue;
      const seconds = Math.max(0, Math.min(to, turn.end) - Math.max(from, turn.start));
      inside += seconds;
      sum += seconds * turn.confidence;
    }
    sum += Math.max(0, to - from - inside) * OUTSIDE_CONFIDENCE;
  }
  return { confidence: Math.min(1, sum / weight), overlapRatio: overlapRatio(start, end, speaker, turns) };
}

/** Fraction of a span in which both the speaker and another person have a turn. */
function overlapRatio(start: number, end: number, speaker: number, turns: readonly SpeakerTurn[]): number {
  if (end <= start) return 0;
  const own = turns.filter((turn) => turn.speaker === speaker);
  const both: [number, number][] = [];
  for (const turn of turns) {
    if (turn.speaker === speaker) continue;
    for (const mine of own) {
      const from = Math.max(start, turn.start, mine.start);
      const to = Math.min(end, turn.end, mine.end);
      if (to > from) both.push([from, to]);
    }
  }
  both.sort((a, b) => a[0] - b[0]);
  let covered = 0;
  let until = start;
  for (const [from, to] of both) {
    covered += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return covered / (end - start);
}
