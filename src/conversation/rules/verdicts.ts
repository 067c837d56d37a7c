import type { PhraseSpan } from './phrases.ts';

/** Whether a rule matches. What was withheld or is not known yet is unknown, never false. */
export type RuleOutcome = 'matched' | 'not_matched' | 'unknown';

/** A place where a condition holds. Utterances are indices, times are seconds. */
export interface ConditionHit {
  utterances: number[];
  start: number;
  end: number;
  /** The phrases in the first utterance. */
  spans: PhraseSpan[];
  /** Whether it rests on a moment or a transition that is unsure. */
  isUnsure?: boolean;
}

/** The outcome of a condition, with the places where it holds. */
export interface ConditionVerdict {
  outcome: RuleOutcome;
  hits: ConditionHit[];
  /** Whether hits may be missing for what was already said: affect was withheld, or a live session finds them later. */
  isIncomplete?: boolean;
}

export const YES: ConditionVerdict = { outcome: 'matched', hits: [] };
export const NO: ConditionVerdict = { outcome: 'not_matched', hits: [] };
/** Not known yet. */
export const UNKNOWN: ConditionVerdict = { outcome: 'unknown', hits: [] };
/** Not to be known, such as who has a role. */
export const HIDDEN: ConditionVerdict = { outcome: 'unknown', hits: [], isIncomplete: true };

const isUnknown = ({ outcome }: ConditionVerdict): boolean => outcome === 'unknown';

export function all(verdicts: readonly ConditionVerdict[]): ConditionVerdict {
  if (verdicts.some(({ outcome }) => outcome === 'not_matched')) return NO;
  if (verdicts.some(isUnknown)) return UNKNOWN;
  const hits = distinct(verdicts.flatMap((one) => one.hits));
  // Every hit needs all of the conditions, so it is no surer than the least sure one.
  const isUnsure = verdicts.some((one) => one.hits.length > 0 && one.hits.every((hit) => hit.isUnsure));
  return { outcome: 'matched', hits: isUnsure ? hits.map((hit) => ({ ...hit, isUnsure })) : hits };
}

export function any(verdicts: readonly ConditionVerdict[]): ConditionVerdict {
  const matched = verdicts.filter(({ outcome }) => outcome === 'matched');
  const isIncomplete = verdicts.some((one) => one.isIncomplete);
  if (matched.length > 0)
    return { outcome: 'matched', hits: distinct(matched.flatMap(({ hits }) => hits)), isIncomplete };
  return verdicts.some(isUnknown) ? { ...UNKNOWN, isIncomplete } : NO;
}

export const not = ({ outcome }: ConditionVerdict): ConditionVerdict =>
  outcome === 'unknown' ? UNKNOWN : outcome === 'matched' ? NO : YES;

/**
 * All wanted conditions hold within a time from the first of them, and the unwanted ones do not.
 * @param seconds the time
 * @param heard the time up to which the conversation is known, seconds
 */
export function within(
  seconds: number,
  wanted: readonly ConditionVerdict[],
  unwanted: readonly ConditionVerdict[],
  heard: number,
): ConditionVerdict {
  if (wanted.some(({ outcome }) => outcome === 'not_matched')) return NO;
  const ordered = wanted.map(({ hits }) => byStart(hits));
  const forbidden = unwanted.map(({ hits }) => byStart(hits));
  const groups = ordered.flatMap((hits, i) => {
    const others = ordered.filter((_, j) => j !== i);
    return hits.flatMap((first) => groupFrom(first, others, seconds) ?? []);
  });
  const clear = distinct(groups).filter(
    ({ start }) => !forbidden.some((hits) => nextFrom(hits, start, seconds) !== undefined),
  );
  const isIncomplete = unwanted.some((one) => one.isIncomplete);
  const sure = clear.filter(({ start }) => unwanted.length === 0 || (!isIncomplete && heard >= start + seconds));
  if (sure.length > 0) return { outcome: 'matched', hits: sure };
  const isUnsure = clear.length > 0 || wanted.some(isUnknown) || Number.isFinite(heard);
  return isUnsure ? UNKNOWN : NO;
}

const byStart = (hits: readonly ConditionHit[]): ConditionHit[] =>
  hits.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** The first hit that starts within a time. @param hits in order */
function nextFrom(hits: readonly ConditionHit[], from: number, seconds: number): ConditionHit | undefined {
  const next = hits[firstAtOrAfter(hits, from)];
  return next && next.start <= from + seconds ? next : undefined;
}

/** The index of the first entry that does not start before a time, by binary search. @param entries in order */
export function firstAtOrAfter(entries: readonly { start: number }[], time: number): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.start < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A hit with the nearest hit of every other condition that follows it within a time. */
function groupFrom(
  first: ConditionHit,
  others: readonly (readonly ConditionHit[])[],
  seconds: number,
): ConditionHit | null {
  const group = [first];
  for (const hits of others) {
    const next = nextFrom(hits, first.start, seconds);
    if (!next) return null;
    group.push(next);
  }
  return {
    utterances: [...new Set(group.flatMap(({ utterances }) => utterances))],
    start: first.start,
    end: Math.max(...group.map(({ end }) => end)),
    spans: first.spans,
    isUnsure: group.some((hit) => hit.isUnsure),
  };
}

/** The hits in order. Hits of the same utterances at the same time become one, with the phrases of all, as sure as the surest. */
function distinct(hits: readonly ConditionHit[]): ConditionHit[] {
  const byPlace = new Map<string, ConditionHit>();
  for (const hit of hits) {
    const key = `${hit.start} ${hit.utterances.toSorted((a, b) => a - b).join()}`;
    const known = byPlace.get(key);
    if (!known) byPlace.set(key, { ...hit });
    else {
      known.spans = withoutOverlaps([...known.spans, ...hit.spans]);
      known.isUnsure &&= hit.isUnsure;
    }
  }
  return byStart([...byPlace.values()]);
}

function withoutOverlaps(spans: readonly PhraseSpan[]): PhraseSpan[] {
  const kept: PhraseSpan[] = [];
  for (const span of spans.toSorted((a, b) => a[0] - b[0] || b[1] - a[1]))
    if (span[0] >= (kept.at(-1)?.[1] ?? 0)) kept.push(span);
  return kept;
}
