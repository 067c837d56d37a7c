import type { Interval } from '../audio/interval.ts';
import { type DiarizeOptions, type SpeakerSegmentation, segmentSpeakers, turnsOf } from './diarize.ts';
import { segmentBy } from './resegmentation.ts';
import { MOST_SPEAKERS } from './speaker-count.ts';
import type { SpeakerFeatures } from './speaker-features.ts';
import { speechFrames } from './speech-frames.ts';
import type { Turn } from './turns.ts';

/**
 * All speech so far is diarized anew at every segment until there are 30 s of it, then each time it has grown by a
 * quarter: five times the cost of diarizing once, spread over the session.
 */
const EVERY_SEGMENT_UNTIL_S = 30;
const GROWTH = 1.25;

/**
 * Speaker labels while a session is still going on: causal, each segment labelled once. When the speech so far is
 * diarized anew, its speakers keep the numbers of the earlier ones they share most time with, so that labels do not
 * flip; what was said wrongly before is put right at the end, by `diarize` over everything.
 */
export class ProvisionalSpeakers {
  readonly #features: SpeakerFeatures;
  readonly #options: DiarizeOptions;
  readonly #segments: Interval[] = [];
  readonly #turns: Turn[] = [];
  #seconds = 0;
  #due = 0;
  #known: SpeakerSegmentation | null = null;
  /** The number told to the client for each speaker of `#known`. */
  #numbers: number[] = [];

  /** @param features of the session's sound, pushed up to the end of a segment before the segment is labelled. */
  constructor(features: SpeakerFeatures, options: DiarizeOptions = {}) {
    this.#features = features;
    this.#options = options;
  }

  /** The turns of a speech segment that has just ended; mostly one. Segments come in order. */
  label(segment: Interval): Turn[] {
    this.#segments.push(segment);
    this.#seconds += segment.end - segment.start;
    if (!this.#known || this.#seconds >= this.#due) this.#begin();
    else this.#continue(segment);
    return this.#turns.filter((turn) => turn.start >= segment.start - 0.01);
  }

  #begin(): void {
    const known = segmentSpeakers(this.#features, this.#segments, this.#options);
    const turns = turnsOf(known);
    this.#numbers = renumbered(turns, this.#turns);
    this.#known = known;
    this.#due = this.#seconds < EVERY_SEGMENT_UNTIL_S ? 0 : this.#seconds * GROWTH;
    const last = this.#segments[this.#segments.length - 1]!;
    this.#tell(turns.filter((turn) => turn.start >= last.start - 0.01));
  }

  #continue(segment: Interval): void {
    const known = this.#known!;
    const frames = speechFrames(this.#features, [segment], known.frames.scale);
    this.#tell(turnsOf({ frames, ...segmentBy(known.models, frames) }));
  }

  #tell(turns: Turn[]): void {
    this.#turns.push(...turns.map((turn) => ({ ...turn, speaker: this.#numbers[turn.speaker] ?? turn.speaker })));
  }
}

/** For each speaker of `now` the number of the speaker of `before` with most time in common; new ones get the next free. */
function renumbered(now: Turn[], before: Turn[]): number[] {
  const speakers = Math.max(-1, ...now.map((turn) => turn.speaker)) + 1;
  const shared: { now: number; before: number; seconds: number }[] = [];
  for (let s = 0; s < speakers; s++) {
    const seconds = new Map<number, number>();
    for (const a of now) {
      if (a.speaker !== s) continue;
      for (const b of before) {
        const both = Math.min(a.end, b.end) - Math.max(a.start, b.start);
        if (both > 0) seconds.set(b.speaker, (seconds.get(b.speaker) ?? 0) + both);
      }
    }
    for (const [old, n] of seconds) shared.push({ now: s, before: old, seconds: n });
  }
  shared.sort((a, b) => b.seconds - a.seconds || a.before - b.before);
  const numbers: number[] = [];
  const taken = new Set<number>();
  for (const pair of shared) {
    if (numbers[pair.now] !== undefined || taken.has(pair.before)) continue;
    numbers[pair.now] = pair.before;
    taken.add(pair.before);
  }
  let next = Math.max(-1, ...before.map((turn) => turn.speaker)) + 1;
  for (let s = 0; s < speakers; s++) numbers[s] ??= Math.min(MOST_SPEAKERS - 1, next++);
  return numbers;
}
