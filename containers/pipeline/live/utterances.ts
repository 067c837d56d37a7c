import type { TimelineEntry, Word } from '../../../src/contract/timeline.ts';
import { measureUtterance } from '../affect/measure.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Turn } from '../diarization/turns.ts';
import { assignWords, type WordRun } from '../diarization/words.ts';
import type { Recognition } from '../models/moonshine.ts';
import { speakerBaseline } from '../prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../prosody/delivery.ts';

/** A speaker's baseline rests on at most so many of the newest utterances. */
const BASELINE_UTTERANCES = 30;

/**
 * Utterances of a session that is still going on, measured as batch measures them, but from what was heard so far: the
 * speaker labels and the speakers' baselines are provisional.
 */
export class ProvisionalUtterances {
  readonly #conversationId: string;
  readonly #deliveries = new Map<string, Delivery[]>();
  #count = 0;
  #previous: { speaker: string; text: string; end: number } | null = null;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /**
   * The utterances of one recognised segment: none when nothing was said, several when several people did.
   * @param turns near the segment.
   * @param samples of the segment, whose first is sample number `start` of the stream.
   */
  add(recognition: Recognition, turns: Turn[], samples: Float32Array, start: number): TimelineEntry[] {
    const from = start / SAMPLE_RATE_HZ;
    const words = recognition.words.map((word) => ({
      word: word.word,
      t_start: from + word.start,
      t_end: from + Math.max(word.start, word.end),
      confidence: word.confidence,
    }));
    const until = from + samples.length / SAMPLE_RATE_HZ;
    const runs = assignWords(words, turns);
    return runs.map((run, i) => {
      // A segment of one speaker is told as a whole; of several, each from its first word to the next one's.
      const tStart = i === 0 ? from : run.words[0]!.t_start;
      const tEnd = i + 1 < runs.length ? runs[i + 1]!.words[0]!.t_start : until;
      const at = (seconds: number) => Math.round((seconds - from) * SAMPLE_RATE_HZ);
      const delivery = measureDelivery(samples.subarray(at(tStart), at(tEnd)));
      return this.#measure(run, { tStart, tEnd: Math.max(tStart, tEnd) }, delivery, recognition.confidence);
    });
  }

  #measure(
    run: WordRun<Word>,
    times: { tStart: number; tEnd: number },
    delivery: Delivery,
    asrConfidence: number,
  ): TimelineEntry {
    const speaker = `Speaker_${run.speaker}`;
    const text = run.words.map(({ word }) => word).join(' ');
    const heard = [...(this.#deliveries.get(speaker) ?? []), delivery].slice(-BASELINE_UTTERANCES);
    this.#deliveries.set(speaker, heard);
    const previous = this.#previous;
    this.#previous = { speaker, text, end: times.tEnd };
    const entry = measureUtterance({
      utteranceId: `${this.#conversationId}_utt_${this.#count++}`,
      speaker,
      ...times,
      text,
      asrConfidence,
      words: run.words,
      speakerConfidence: run.confidence,
      overlapRatio: run.overlapRatio,
      delivery,
      baseline: speakerBaseline(heard),
      pauseBeforeMs: Math.max(0, Math.round((times.tStart - (previous?.end ?? times.tStart)) * 1000)),
      previous,
    });
    return provisional(entry);
  }
}

const provisional = (entry: TimelineEntry): TimelineEntry => ({
  ...entry,
  emotion: { ...entry.emotion, stability: 'provisional' },
  cognitive: { ...entry.cognitive, stability: 'provisional' },
});
