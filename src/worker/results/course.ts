import type { AnalysisResponse } from '../../contract/analysis.ts';
import type { Course, CourseEntry } from '../../contract/course.ts';
import type { Levels } from '../../contract/media.ts';
import type { TimelineEntry } from '../../contract/timeline-entry.ts';
import { rounded } from '../../contract/wire-numbers.ts';

/** The members of an utterance that a course uses. */
export type CourseUtterance = Pick<
  TimelineEntry,
  'utterance_id' | 'speaker' | 'speaker_label' | 't_start' | 't_end' | 'unread'
> & {
  pad_scores: Pick<NonNullable<TimelineEntry['pad_scores']>, 'valence' | 'arousal'> | null;
  emotion: Pick<NonNullable<TimelineEntry['emotion']>, 'confidence'> | null;
  prosody: { pitch_hz?: number; confidence?: number };
};

/** The members of a stored result that a course uses. */
export interface CourseResult {
  /** Ordered by start. */
  timeline: readonly CourseUtterance[];
  media: Pick<AnalysisResponse['media'], 'duration_s' | 'speaker_per_channel'>;
}

/** Range of a stored level, dB (`LevelsSchema`). */
const RANGE_DB = 60;

const WHY_UNREAD: Readonly<Record<NonNullable<CourseUtterance['unread']>, string>> = {
  not_understood: 'The speech was not understood',
  language: 'The language is not supported',
};

/** The power that each stored level represents, indexed by its byte. */
const POWER = Float64Array.from({ length: 256 }, (_, byte) => 10 ** ((RANGE_DB * (byte / 255 - 1)) / 10));

/** An utterance with the channels in which it is recorded. */
interface Spoken {
  utterance: CourseUtterance;
  channels: readonly Uint8Array[];
}

/** The part of an utterance that falls within a window, s. */
interface Part extends Spoken {
  from: number;
  to: number;
}

/**
 * Affect, pitch and level in windows of a fixed length. The time is linear in the number of windows that contain
 * speech.
 * @param levels null if none are stored
 * @returns the notes, and an iterator that computes the entries
 */
export function courseOf(
  { timeline, media }: CourseResult,
  levels: Levels | null,
  windowS: number,
): Pick<Course, 'notes'> & { entries: Iterable<CourseEntry> } {
  const recorded = new RecordedLevels(levels);
  return {
    notes: [
      ...withoutAffect(timeline),
      ...(levels === null ? ['This conversation has no stored levels, so level_db is null.'] : []),
    ],
    entries: entriesOf(timeline, media, recorded, windowS),
  };
}

function* entriesOf(
  timeline: readonly CourseUtterance[],
  { duration_s, speaker_per_channel }: CourseResult['media'],
  recorded: RecordedLevels,
  windowS: number,
): Generator<CourseEntry> {
  let active: Spoken[] = [];
  let next = 0;
  for (let n = 0; active.length > 0 || next < timeline.length; n++) {
    // Skips the windows of a long silence.
    if (active.length === 0) n = Math.max(n, Math.floor(timeline[next]!.t_start / windowS));
    const [from, to] = [n * windowS, (n + 1) * windowS];
    for (; next < timeline.length && timeline[next]!.t_start < to; next++) {
      const utterance = timeline[next]!;
      const spans = speaker_per_channel
        ? alone(utterance, [...active.map((one) => one.utterance), ...during(timeline, next)])
        : [];
      active.push({ utterance, channels: recorded.channelsOf(spans) });
    }
    const parts = active
      .map((spoken) => ({
        ...spoken,
        from: Math.max(from, spoken.utterance.t_start),
        to: Math.min(to, spoken.utterance.t_end),
      }))
      .filter((part) => part.to > part.from);
    const end = Math.min(to, Math.max(duration_s, ...parts.map((part) => part.to)));
    for (const speaker of new Set(parts.map(({ utterance }) => utterance.speaker)))
      yield { t_start: rounded(from), t_end: rounded(end), ...inWindow(speaker, parts, recorded) };
    active = active.filter(({ utterance }) => utterance.t_end > to);
  }
}

/**
 * The values of one speaker in one window.
 * @param parts of the utterances of all speakers
 */
function inWindow(
  speaker: string,
  parts: readonly Part[],
  recorded: RecordedLevels,
): Omit<CourseEntry, 't_start' | 't_end'> {
  const own = parts.filter(({ utterance }) => utterance.speaker === speaker);
  const speech = merged(own);
  const others = merged(parts.filter(({ utterance }) => utterance.speaker !== speaker));
  const label = own[0]?.utterance.speaker_label;
  const level = recorded.levelOf(own);
  return {
    speaker,
    ...(label !== undefined && { speaker_label: label }),
    utterance_ids: own.map(({ utterance }) => utterance.utterance_id),
    speech_s: rounded(lengthOf(speech)),
    overlap_s: rounded(lengthOf(speech) + lengthOf(others) - lengthOf(merged([...speech, ...others]))),
    valence: meanOf(own, ({ pad_scores }) => pad_scores?.valence),
    arousal: meanOf(own, ({ pad_scores }) => pad_scores?.arousal),
    affect_confidence: meanOf(own, ({ emotion }) => emotion?.confidence),
    // A pitch of 0 means that no pitch was found.
    pitch_hz: meanOf(own, ({ prosody }) => prosody.pitch_hz || null),
    pitch_confidence: meanOf(own, ({ prosody }) => (prosody.pitch_hz ? prosody.confidence : null)),
    level_db: level === null ? null : rounded(level),
  };
}

/** The mean over the parts that have a value, weighted by their duration. */
function meanOf(
  parts: readonly Part[],
  measure: (utterance: CourseUtterance) => number | null | undefined,
): number | null {
  let [sum, seconds] = [0, 0];
  for (const { utterance, from, to } of parts) {
    const value = measure(utterance);
    if (value === null || value === undefined) continue;
    sum += value * (to - from);
    seconds += to - from;
  }
  return seconds === 0 ? null : rounded(sum / seconds);
}

interface Span {
  from: number;
  to: number;
}

/** The union of spans, ordered by start. */
function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}

/** The utterances that begin during a given one. @param at index of the given utterance */
function during(timeline: readonly CourseUtterance[], at: number): CourseUtterance[] {
  let end = at + 1;
  while (end < timeline.length && timeline[end]!.t_start < timeline[at]!.t_end) end++;
  return timeline.slice(at + 1, end);
}

/** The parts of an utterance in which only its speaker speaks; the whole utterance if there are none. */
function alone({ speaker, t_start, t_end }: CourseUtterance, others: readonly CourseUtterance[]): Span[] {
  const spans: Span[] = [];
  let from = t_start;
  const foreign = others.filter((other) => other.speaker !== speaker);
  for (const other of merged(foreign.map((one) => ({ from: one.t_start, to: one.t_end })))) {
    if (other.from > from) spans.push({ from, to: Math.min(other.from, t_end) });
    from = Math.max(from, other.to);
  }
  if (from < t_end) spans.push({ from, to: t_end });
  return spans.length === 0 ? [{ from: t_start, to: t_end }] : spans;
}

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** Notes on the speakers without affect in all or some of their utterances, with the reason. */
function withoutAffect(timeline: readonly CourseUtterance[]): string[] {
  const all = new Map<string, number>();
  const without = new Map<string, { speaker: string; why: string; utterances: number }>();
  for (const { speaker, pad_scores, unread } of timeline) {
    all.set(speaker, (all.get(speaker) ?? 0) + 1);
    if (pad_scores !== null) continue;
    const why = unread === undefined ? 'Affect is switched off or hidden' : WHY_UNREAD[unread];
    const found = without.get(`${why} ${speaker}`) ?? { speaker, why, utterances: 0 };
    without.set(`${why} ${speaker}`, { ...found, utterances: found.utterances + 1 });
  }
  return [...without.values()].map(({ speaker, why, utterances }) => {
    const where = utterances === all.get(speaker) ? '' : `${utterances} of ${all.get(speaker)} utterances of `;
    return `${why} for ${where}${speaker}: valence and arousal are null there.`;
  });
}

/** The stored levels of a recording. */
class RecordedLevels {
  readonly #rate: number;
  readonly #channels: readonly Uint8Array[];

  constructor(levels: Levels | null) {
    this.#rate = levels?.rate ?? 1;
    this.#channels = levels?.channels.map((text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))) ?? [];
  }

  /** The louder of two channels during these spans. All channels when there are no spans. */
  channelsOf(spans: readonly Span[]): readonly Uint8Array[] {
    const [one, other] = this.#channels;
    if (spans.length === 0 || !one || !other) return this.#channels;
    return this.#powerOf([one], spans) >= this.#powerOf([other], spans) ? [one] : [other];
  }

  /** Mean level of parts of utterances, dB re full scale. Null without stored levels. */
  levelOf(parts: readonly Part[]): number | null {
    let [sum, weight] = [0, 0];
    for (const { channels, from, to } of parts) {
      const power = this.#powerOf(channels, [{ from, to }]);
      if (Number.isNaN(power)) continue;
      sum += power * (to - from);
      weight += to - from;
    }
    return weight === 0 ? null : Math.min(0, Math.max(-RANGE_DB, 10 * Math.log10(sum / weight)));
  }

  /** Mean power of spans. NaN where there are no levels. */
  #powerOf(channels: readonly Uint8Array[], spans: readonly Span[]): number {
    let [sum, count] = [0, 0];
    for (const levels of channels) {
      for (const { from, to } of spans) {
        const first = Math.floor(from * this.#rate);
        const last = Math.min(levels.length, Math.max(first + 1, Math.round(to * this.#rate)));
        for (let at = first; at < last; at++) sum += POWER[levels[at]!]!;
        count += Math.max(0, last - first);
      }
    }
    return sum / count;
  }
}
