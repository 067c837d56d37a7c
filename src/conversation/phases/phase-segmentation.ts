import type { MomentEvent } from '../../contract/findings.ts';
import { PHASE_KINDS } from '../lexicon/phase-kinds.ts';
import { KINDS, type PhaseEvidence } from './phase-evidence.ts';
import { TOPICAL_TALK, type TopicChanges, topicality } from './topicality.ts';

/** A part of a conversation that has one purpose. */
export interface PhaseSpan {
  /** The utterances from `from` up to but not including `to`. */
  from: number;
  to: number;
  /** Index in `PHASE_KINDS`, or -1 if no kind fits. */
  kind: number;
}

// The constants below are proposals. They were set by reading dialogues of data/moments and CaSiNo, because no labelled
// data contains purposes.

/** Cost of an utterance without any cue for the kind, and of an utterance without a kind. */
const UNCUED = 0.4;
const NO_KIND = 0.12;
/** Fraction of its cues that a kind keeps outside its genre. */
const AWAY = 0.6;
/** Largest weight of a moment that supports a kind. */
const MOMENT = 0.5;
/** Cost of a change of purpose, and the lower cost if the topic changes as well. */
const CHANGE = 1.9;
const CHANGE_AT_TOPIC = 0.9;
/** Reduction of that cost per log-odds of a change of topic. */
const CLEARER = 0.4;
/**
 * Extra cost that topicality adds where the topic does not change, and, in topical conversations, per log-odds against
 * a change there.
 */
const TOPICAL = 3;
const AGAINST = 0.5;
/**
 * Minimum log-odds for a change of topic to divide any phase, and the distance in utterances within which a phase
 * boundary moves to it.
 */
const CLEAR_TOPIC = 0.9;
const SNAP = 2;
/** Extra cost of a change at the greatest possible distance from a kind's typical position. */
const MISPLACED = 2.2;
/** Number of utterances up to which these costs apply. Longer conversations have longer phases. */
const SHORT_TALK = 40;
const LARGEST_LENGTH_FACTOR = 2.5;
/**
 * Minimum evidence for a phase to keep its kind: the weight of all its cues, and the fraction of its utterances that
 * have one.
 */
const ENOUGH = 2.4;
const CUED_SHARE = 0.3;
/** Minimum number of utterances after the last cue that are a phase of their own, also as a share of all in the phase. */
const TAIL = 4;
const TAIL_SHARE = 0.25;
/**
 * Minimum length of a phase other than openings and closings, in utterances, and in long conversations as a fraction of
 * all utterances.
 */
const LEAST = 2;
const LEAST_SHARE = 0.02;
/**
 * Minimum length of a part that a change of topic separates from a phase, in utterances and as a fraction of the
 * conversation, for phases without and with a kind.
 */
const PART = 2;
const PART_SHARE = 0.01;
const KIND_PART_SHARE = 0.2;
const KIND_PART = 8;
/**
 * Limit on an opening as a fraction of the conversation, the minimum of that limit in utterances, and the fraction at
 * the end in which a closing must begin.
 */
const OPENING_SHARE = 0.3;
const OPENING_LEAST = 5;
const CLOSING_SHARE = 0.35;

const OPENING = PHASE_KINDS.findIndex((k) => k.kind === 'opening');
const CLOSING = PHASE_KINDS.findIndex((k) => k.kind === 'closing');
/** The states of the Viterbi search: the kinds, followed by 'no kind'. */
const STATES = KINDS + 1;
const BARRED = 1e9;

/**
 * The sequence of purposes that the cues support best (Viterbi over utterances). A kind gains from its cues and loses
 * from utterances without one. A change has a cost, which is lower where the topic also changes, and higher elsewhere
 * in topical conversations.
 */
export function findPhaseSpans(
  evidence: PhaseEvidence,
  topics: TopicChanges,
  momentsAt: ReadonlyMap<number, readonly MomentEvent[]>,
): PhaseSpan[] {
  const { count } = evidence;
  if (count === 0) return [];
  const worth = worthOf(evidence, momentsAt);
  const held = bestCourse(worth, count, topics, topicality(evidence, topics))
    .map((stage) => (isBorneOut(stage, worth, count) ? stage : noKind(stage)))
    .flatMap((stage) => withoutTail(stage, worth));
  const least = Math.max(LEAST, Math.ceil(LEAST_SHARE * count));
  const isShort = ({ from, to, kind }: PhaseSpan) =>
    to - from < least && !(kind === OPENING && from === 0) && !(kind === CLOSING && to === count);
  return absorbShort(joinAlike(held), isShort, new Set(topics.starts));
}

const noKind = (stage: PhaseSpan): PhaseSpan => ({ ...stage, kind: -1 });

/**
 * Score of every utterance for every kind, utterance x kind: the sum of its cues and moments, or a penalty if there are
 * none.
 */
function worthOf({ count, cues, genre }: PhaseEvidence, momentsAt: ReadonlyMap<number, readonly MomentEvent[]>) {
  const home = PHASE_KINDS.map(({ genres }) => (genres.includes('any') || genres.includes(genre) ? 1 : AWAY));
  const worth = cues.slice();
  for (let k = 0; k < KINDS; k++) for (let i = k; i < worth.length; i += KINDS) worth[i]! *= home[k]!;
  for (const [i, moments] of momentsAt)
    for (const { category, confidence } of i < count ? moments : [])
      PHASE_KINDS.forEach((kind, k) => {
        if (kind.moments?.includes(category)) worth[i * KINDS + k]! += MOMENT * confidence;
      });
  for (let i = 0; i < worth.length; i++) if (worth[i] === 0) worth[i] = -UNCUED;
  return worth;
}

function bestCourse(
  worth: Float32Array,
  count: number,
  { starts, gains }: TopicChanges,
  topicalness: number,
): PhaseSpan[] {
  const topical = new Set(starts);
  const lengthFactor = Math.min(LARGEST_LENGTH_FACTOR, Math.sqrt(Math.max(1, count / SHORT_TALK)));
  const apart = CHANGE + TOPICAL * topicalness;
  const against = AGAINST * Math.min(1, topicalness / TOPICAL_TALK);
  const costOf = (i: number): number => {
    const gain = gains[i - 1] ?? 0;
    if (topical.has(i)) return Math.max(0, CHANGE_AT_TOPIC - CLEARER * Math.max(0, gain));
    return apart + against * Math.max(0, -gain);
  };
  const positions = Float64Array.from(PHASE_KINDS, ({ position }) => position ?? Number.NaN);
  const openingEnds = Math.max(OPENING_LEAST, OPENING_SHARE * count);
  const closingBegins = (1 - CLOSING_SHARE) * count;
  const score = new Float64Array(STATES);
  const next = new Float64Array(STATES);
  const from = new Int8Array(count * STATES);
  for (let i = 0; i < count; i++) {
    const change = costOf(i);
    const at = i / Math.max(1, count - 1);
    let best = KINDS;
    for (let s = 0; s < KINDS; s++) if (s !== CLOSING && s !== OPENING && score[s]! > score[best]!) best = s;
    for (let s = 0; s < STATES; s++) {
      const position = s < KINDS ? positions[s]! : Number.NaN;
      const misplaced = Number.isNaN(position) ? 0 : MISPLACED * Math.abs(at - position);
      const gain = s < KINDS ? worth[i * KINDS + s]! : -NO_KIND;
      if (i === 0) {
        next[s] = gain - (s === KINDS || s === OPENING ? 0 : s === CLOSING ? BARRED : misplaced + change / 2);
        continue;
      }
      // Opening and closing cost the same, however long the conversation is.
      const longer = s === CLOSING ? 1 : lengthFactor;
      const inside = score[best]! - (change + misplaced) * longer;
      const opened = score[OPENING]! - change - misplaced * longer;
      const barred = s === OPENING || (s === CLOSING && i < closingBegins) ? BARRED : 0;
      const stay = score[s]! - (s === OPENING && i >= openingEnds ? BARRED : 0);
      const enter = Math.max(inside, opened) - barred;
      next[s] = Math.max(stay, enter) + gain;
      from[i * STATES + s] = stay >= enter ? s : opened > inside ? OPENING : best;
    }
    score.set(next);
  }
  return traceBack(score, from, count);
}

/** Whether a phase has enough cues for its kind. */
function isBorneOut({ from, to, kind }: PhaseSpan, worth: Float32Array, count: number): boolean {
  if (kind < 0) return true;
  let sum = 0;
  let cued = 0;
  for (let i = from; i < to; i++) {
    const own = worth[i * KINDS + kind]!;
    if (own <= 0) continue;
    cued++;
    sum += own;
  }
  const edge = (kind === OPENING || kind === CLOSING) && to - from < count;
  return cued >= CUED_SHARE * (to - from) && (edge || sum >= ENOUGH);
}

/** A phase, and apart from it the utterances after its last cue, if they are many. They have another purpose. */
function withoutTail(stage: PhaseSpan, worth: Float32Array): PhaseSpan[] {
  const { from, to, kind } = stage;
  if (kind < 0) return [stage];
  let end = to;
  while (end > from && worth[(end - 1) * KINDS + kind]! <= 0) end--;
  if (to - end < Math.max(TAIL, TAIL_SHARE * (to - from))) return [stage];
  return [{ from, to: end, kind }, noKind({ from: end, to, kind })];
}

function traceBack(score: Float64Array, from: Int8Array, count: number): PhaseSpan[] {
  let state = score.reduce((best, value, s) => (value > score[best]! ? s : best), 0);
  const out: PhaseSpan[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const kind = state < KINDS ? state : -1;
    const open = out.at(-1);
    if (open && open.kind === kind) open.from = i;
    else out.push({ from: i, to: open ? open.from : count, kind });
    if (i > 0) state = from[i * STATES + state]!;
  }
  return out.reverse();
}

/** Joins neighbouring phases of the same kind. */
function joinAlike(stages: PhaseSpan[]): PhaseSpan[] {
  const out: PhaseSpan[] = [];
  for (const stage of stages) {
    const last = out.at(-1);
    if (last?.kind === stage.kind) last.to = stage.to;
    else out.push({ ...stage });
  }
  return out;
}

/** Merges every phase that is too short with a neighbour, preferably on the side without a change of topic. */
function absorbShort(
  stages: PhaseSpan[],
  isShort: (stage: PhaseSpan) => boolean,
  topical: ReadonlySet<number>,
): PhaseSpan[] {
  let out = stages;
  for (let at = out.findIndex(isShort); at >= 0 && out.length > 1; at = out.findIndex(isShort)) {
    const stage = out[at]!;
    const before = out[at - 1];
    const after = out[at + 1];
    const back = before && (!after || (topical.has(stage.to) && !topical.has(stage.from)) || before.kind >= 0);
    if (back) before.to = stage.to;
    else if (after) after.from = stage.from;
    out = joinAlike(out.filter((s) => s !== stage));
  }
  return out;
}

/**
 * Divides phases where the topic changes. A clear change, or any change in a topical conversation, can divide anywhere;
 * other changes divide only into long parts. A change of purpose near a clear change of topic is moved to it.
 */
export function cutPhaseSpans(
  stages: readonly PhaseSpan[],
  evidence: PhaseEvidence,
  topics: TopicChanges,
): PhaseSpan[] {
  const { count, cues } = evidence;
  const { starts, gains } = topics;
  const byTopics = topicality(evidence, topics) >= TOPICAL_TALK;
  const clear = starts.filter((start) => gains[start - 1]! >= CLEAR_TOPIC);
  const snapped = joinAlike(snap(stages, clear, cues));
  return snapped.flatMap(({ from, to, kind }) => {
    const part =
      kind < 0 || byTopics ? Math.max(PART, PART_SHARE * count) : Math.max(KIND_PART, KIND_PART_SHARE * count);
    const out: PhaseSpan[] = [];
    let open = from;
    for (const start of starts) {
      const least = clear.includes(start) ? Math.min(part, Math.max(PART, PART_SHARE * count)) : part;
      if (start - open >= least && to - start >= least) {
        out.push({ from: open, to: start, kind });
        open = start;
      }
    }
    out.push({ from: open, to, kind });
    return out;
  });
}

/**
 * Moves the border of two phases to a clear change of topic near it, unless the utterances in between contradict this.
 */
function snap(stages: readonly PhaseSpan[], clear: readonly number[], cues: Float32Array): PhaseSpan[] {
  const out = stages.map((stage) => ({ ...stage }));
  const worth = (from: number, to: number, kind: number): number => {
    let sum = 0;
    if (kind >= 0) for (let i = from; i < to; i++) sum += cues[i * KINDS + kind]!;
    return sum;
  };
  for (let i = 1; i < out.length; i++) {
    const before = out[i - 1]!;
    const after = out[i]!;
    const joint = after.from;
    const near = clear.find((c) => Math.abs(c - joint) <= SNAP && c > before.from && c < after.to);
    if (near === undefined) continue;
    const [from, to] = near < joint ? [near, joint] : [joint, near];
    const [gains, loses] = near < joint ? [after, before] : [before, after];
    if (worth(from, to, gains.kind) < worth(from, to, loses.kind)) continue;
    before.to = near;
    after.from = near;
  }
  return out;
}
