import type { ConversationMetrics, SpeakerMetrics } from '../../contract/insights.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { isBackChannel } from '../text/back-channels.ts';
import { utteranceAsks } from '../text/questions.ts';
import { words } from '../text/tokens.ts';
import { interruptionMs, LatestEnds, type TimedTurn } from './interruptions.ts';

/** Number of words of the shortest turn that ends a monologue. */
const TURN_WORDS = 3;
/** Shorter interjections by another speaker do not end a monologue (Gong: longest monologue). */
const MONOLOGUE_BREAK_MS = 1000;
/** Overlaps below this come from the jitter of word times. */
const MIN_OVERLAP_MS = 100;
/**
 * Speaker switches per minute that result in an interactivity of 10, the maximum. An ordinary call has 10 per minute
 * and gets 5.
 */
const FULL_INTERACTIVITY = 20;

interface Tally {
  talkMs: number;
  longestMs: number;
  interruptions: number;
  questions: number;
  words: number;
  latencies: number[];
  waits: number[];
}

interface Stretch extends TimedTurn {
  /**
   * The part of this utterance's overlap that is beyond the end of all earlier utterances. The next utterance may share
   * it.
   */
  aheadMs: number;
}

const median = (values: number[]): number | null => {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const mid = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[mid] ?? 0) : ((sorted[mid - 1] ?? 0) + (sorted[mid] ?? 0)) / 2;
};

/**
 * Counts turn-taking and talk time utterance by utterance. `metrics` can be read at any time, even in a live session.
 * `response_latency_ms` is the median of all positive floor transfer offsets before a speaker's turns (Heldner & Edlund
 * 2010). `patience_s` counts only those after a real turn of the other side, so that a quick answer to a back-channel
 * does not count as impatience. All arithmetic uses whole milliseconds, so that shifting a conversation in time changes
 * nothing.
 */
export class MetricsCounter {
  readonly #language: Language;
  readonly #speakers = new Map<string, Tally>();
  #firstMs: number | undefined;
  #coveredToMs = 0;
  #coveredMs = 0;
  #overlaps = 0;
  #overlapMs = 0;
  #switches = 0;
  #previous: Stretch | undefined;
  readonly #latest = new LatestEnds<Stretch>();
  #monologue: Stretch | undefined;

  constructor(language: Language) {
    this.#language = language;
  }

  add(u: Utterance): void {
    const stretch: Stretch = {
      speaker: u.speaker,
      startMs: Math.round(u.t_start * 1000),
      endMs: Math.round(u.t_end * 1000),
      words: words(u.text).length,
      backChannel: isBackChannel(u.text, this.#language),
      aheadMs: 0,
    };
    const { overlap_ratio: ratio } = u;
    const tally = this.#tally(u.speaker);
    tally.talkMs += stretch.endMs - stretch.startMs;
    tally.words += stretch.words;
    if (utteranceAsks(u, this.#language)) tally.questions++;
    this.#cover(stretch);
    this.#overlap(stretch, ratio === undefined ? undefined : Math.round(ratio * (stretch.endMs - stretch.startMs)));
    this.#interruption(stretch, tally);
    this.#turn(stretch, tally);
    this.#extendMonologue(stretch);
    this.#previous = stretch;
  }

  get metrics(): ConversationMetrics {
    const spanMs = this.#coveredToMs - (this.#firstMs ?? 0);
    const talkMs = [...this.#speakers.values()].reduce((sum, t) => sum + t.talkMs, 0);
    const speakers = [...this.#speakers].map(([name, t]): [string, SpeakerMetrics] => {
      const latency = median(t.latencies);
      const wait = median(t.waits);
      return [
        name,
        {
          talk_ratio: talkMs > 0 ? t.talkMs / talkMs : 0,
          talk_time_s: t.talkMs / 1000,
          longest_monologue_s: t.longestMs / 1000,
          interruptions: t.interruptions,
          questions: t.questions,
          words_per_minute: t.talkMs > 0 ? (t.words * 60_000) / t.talkMs : 0,
          words: t.words,
          response_latency_ms: latency === null ? null : Math.round(latency),
          patience_s: wait === null ? null : wait / 1000,
        },
      ];
    });
    return {
      speakers: Object.fromEntries(speakers),
      interactivity: spanMs > 0 ? Math.min(10, (this.#switches * 60_000 * 10) / (spanMs * FULL_INTERACTIVITY)) : 0,
      speaker_switches: this.#switches,
      overlaps: this.#overlaps,
      overlap_time_s: this.#overlapMs / 1000,
      silence_share: spanMs > 0 ? Math.min(1, Math.max(0, 1 - this.#coveredMs / spanMs)) : 0,
      questions: [...this.#speakers.values()].reduce((sum, t) => sum + t.questions, 0),
    };
  }

  #tally(speaker: string): Tally {
    let tally = this.#speakers.get(speaker);
    if (!tally) {
      tally = { talkMs: 0, longestMs: 0, interruptions: 0, questions: 0, words: 0, latencies: [], waits: [] };
      this.#speakers.set(speaker, tally);
    }
    return tally;
  }

  #cover({ startMs, endMs }: Stretch): void {
    this.#firstMs ??= startMs;
    if (this.#coveredToMs < this.#firstMs) this.#coveredToMs = this.#firstMs;
    this.#coveredMs += Math.max(0, endMs - Math.max(startMs, this.#coveredToMs));
    this.#coveredToMs = Math.max(this.#coveredToMs, endMs);
  }

  /**
   * Counts the time in which another speaker is also talking: the utterance's own `overlap_ratio` or, if that is
   * absent, the overlap of the utterances' times. Two overlapping utterances both report it, so it is counted with the
   * first of them.
   */
  #overlap(stretch: Stretch, reportedMs: number | undefined): void {
    const other = this.#latest.otherThan(stretch.speaker);
    const sharedMs = other ? Math.max(0, Math.min(stretch.endMs, other.endMs) - stretch.startMs) : 0;
    const counted = Math.min(sharedMs, other?.aheadMs ?? 0);
    if (other) other.aheadMs -= counted;
    const freshMs = (reportedMs ?? sharedMs) - counted;
    stretch.aheadMs = Math.max(0, (reportedMs ?? 0) - sharedMs);
    if (freshMs < MIN_OVERLAP_MS) return;
    this.#overlaps++;
    this.#overlapMs += freshMs;
  }

  #interruption(stretch: Stretch, tally: Tally): void {
    if (interruptionMs(stretch, this.#latest.otherThan(stretch.speaker)) > 0) tally.interruptions++;
    this.#latest.add(stretch);
  }

  #turn(stretch: Stretch, tally: Tally): void {
    const previous = this.#previous;
    if (!previous || previous.speaker === stretch.speaker) return;
    this.#switches++;
    const gap = stretch.startMs - previous.endMs;
    if (gap <= 0 || stretch.backChannel) return;
    tally.latencies.push(gap);
    if (!previous.backChannel) tally.waits.push(gap);
  }

  /**
   * Extends the longest monologue, measured from its first start to its last end, minus the time of short
   * interjections.
   */
  #extendMonologue(stretch: Stretch): void {
    const held = this.#monologue;
    if (held?.speaker === stretch.speaker) {
      held.endMs = Math.max(held.endMs, stretch.endMs);
    } else if (!held || stretch.words >= TURN_WORDS || stretch.endMs - stretch.startMs >= MONOLOGUE_BREAK_MS) {
      this.#monologue = { ...stretch };
    } else return;
    const tally = this.#tally(stretch.speaker);
    const length = (this.#monologue ?? stretch).endMs - (this.#monologue ?? stretch).startMs;
    tally.longestMs = Math.max(tally.longestMs, length);
  }
}
