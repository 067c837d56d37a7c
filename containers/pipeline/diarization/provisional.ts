import type { Interval } from '../audio/interval.ts';
import { type DiarizeOptions, type SpeakerSegmentation, segmentSpeakers, turnsOf } from './diarize.ts';
import { segmentBy } from './resegmentation.ts';
import { MOST_SPEAKERS } from './speaker-count.ts';
import type { SpeakerFeatures } from './speaker-features.ts';
import { speechFrames } from './speech-frames.ts';
import type { Turn } from './turns.ts';

/**
 * All speech so far is diarized anew at every segment until there are 20 s of it, then each time it has grown by two
 * fifths: some four times the cost of diarizing once, spread over the session.
 */
const EVERY_SEGMENT_UNTIL_S = 20;
const GROWTH = 1.4;

/**
 * Speaker labels while a session is still going on: causal, each segment labelled once. When the speech so far is
 * diarized anew, its speakers keep the numbers of those they share most time with in the labelling before, so that
 * numbers do not flip; what was told wrongly is put right at the end, by `diarize` over everything.
 */
export class ProvisionalSpeakers {
  readonly #features: SpeakerFeatures;
  readonly #options: DiarizeOptions;
  readonly #segments: Interval[] = [];
  /** All speech so far as it is seen now, which may differ from what was told. */
  #turns: Turn[] = [];
  #seconds = 0;
  #due = 0;
  #known: SpeakerSegmentation | null = null;
  /** The number told to the client for each speaker of `#known`, and how many were given out. */
  #numbers: number[] = [];
  #used = 0;

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
    return this.#turns.filter((turn) => turn.start >= segment.start - 1e-6);
  }

  #begin(): void {
    this.#known = segmentSpeakers(this.#features, this.#segments, this.#options);
    const turns = turnsOf(this.#known);
    this.#numbers = this.#renumbered(turns);
    this.#due = this.#seconds < EVERY_SEGMENT_UNTIL_S ? 0 : this.#seconds * GROWTH;
    this.#turns = this.#told(turns);
  }

  #continue(segment: Interval): void {
    const known = this.#known!;
    const frames = speechFrames(this.#features, [segment], known.frames.scale);
    this.#turns.push(...this.#told(turnsOf({ frames, ...segmentBy(known.models, frames) })));
  }

  #told(turns: Turn[]): Turn[] {
    return turns.map((turn) => ({ ...turn, speaker: this.#numbers[turn.speaker] ?? turn.speaker }));
  }

  /** For each speaker of the new turns the number of the one before with most time in common, else the next free. */
  #renumbered(turns: Turn[]): number[] {
    const numbers: number[] = [];
    const taken = new Set<number>();
    for (const { now, before } of sharedTimes(turns, this.#turns)) {
      if (numbers[now] !== undefined || taken.has(before)) continue;
      numbers[now] = before;
      taken.add(before);
    }
    const speakers = Math.max(-1, ...turns.map((turn) => turn.speaker)) + 1;
    for (let s = 0; s < speakers; s++) {
      if (numbers[s] !== undefined) continue;
      const free = Array.from({ length: this.#used }, (_, n) => n).find((n) => !taken.has(n));
      numbers[s] = this.#used < MOST_SPEAKERS ? this.#used++ : (free ?? MOST_SPEAKERS - 1);
      taken.add(numbers[s]!);
    }
    return numbers;
  }
}

/** Pairs of speakers of two labellings by the time they share, most first. */
function sharedTimes(now: Turn[], before: Turn[]): { now: number; before: number; seconds: number }[] {
  const seconds = new Map<string, { now: number; before: number; seconds: number }>();
  let first = 0;
  for (const a of now) {
    while (first < before.length && before[first]!.end <= a.start) first++;
    for (let i = first; i < before.length && before[i]!.start < a.end; i++) {
      const b = before[i]!;
      const key = `${a.speaker} ${b.speaker}`;
      const pair = seconds.get(key) ?? { now: a.speaker, before: b.speaker, seconds: 0 };
      pair.seconds += Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
      seconds.set(key, pair);
    }
  }
  return [...seconds.values()].sort((a, b) => b.seconds - a.seconds || a.before - b.before);
}
