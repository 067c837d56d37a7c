import type { TimelineEntry } from '../../../src/contract/timeline-entry.ts';
import { measureUtterance } from '../affect/measure.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Turn } from '../diarization/turns.ts';
import { assignWords, type WordRun } from '../diarization/words.ts';
import { speakerBaseline } from '../prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../prosody/delivery.ts';
import { confidenceOf, type HeardWord } from '../recognition/heard-words.ts';
import type { EncodedText } from '../stages/encoding.ts';
import type { LiveStages } from './stages.ts';

/** A speaker's baseline rests on at most so many of the newest utterances. */
const BASELINE_UTTERANCES = 30;

/** One utterance and, where it could be had, what its text says. */
export interface ProvisionalUtterance {
  entry: TimelineEntry;
  encoded: EncodedText | null;
}

/**
 * Utterances of a session that is still going on, measured as batch measures them, but from what was heard so far: the
 * speaker labels and the speakers' baselines are provisional.
 */
export class ProvisionalUtterances {
  readonly #conversationId: string;
  readonly #encode: LiveStages['encode'];
  readonly #deliveries = new Map<string, Delivery[]>();
  #count = 0;
  #previous: { speaker: string; text: string; end: number } | null = null;

  constructor(conversationId: string, encode: LiveStages['encode']) {
    this.#conversationId = conversationId;
    this.#encode = encode;
  }

  /**
   * The utterances of newly heard words: none when there are none, several when several people spoke. Call again only
   * after it has resolved.
   * @param turns near the words.
   * @param span what is told, with some silence on either side, s.
   * @param samples of the span.
   */
  async add(words: HeardWord[], turns: Turn[], span: Interval, samples: Float32Array): Promise<ProvisionalUtterance[]> {
    const runs = assignWords(words, turns);
    const told: ProvisionalUtterance[] = [];
    for (const [i, run] of runs.entries()) {
      // A span of one speaker is told as a whole; of several, each from its first word to the next one's.
      const tStart = i === 0 ? span.start : run.words[0]!.t_start;
      const tEnd = i + 1 < runs.length ? runs[i + 1]!.words[0]!.t_start : span.end;
      const at = (seconds: number) => Math.round((seconds - span.start) * SAMPLE_RATE_HZ);
      const delivery = measureDelivery(samples.subarray(at(tStart), at(tEnd)));
      const text = run.words.map(({ word }) => word).join(' ');
      const encoded = await this.#encode(text);
      const entry = this.#measure(
        run,
        text,
        { tStart, tEnd: Math.max(tStart, tEnd) },
        delivery,
        encoded?.sentence ?? null,
      );
      told.push({ entry, encoded });
    }
    return told;
  }

  #measure(
    run: WordRun<HeardWord>,
    text: string,
    times: { tStart: number; tEnd: number },
    delivery: Delivery,
    encoding: Float32Array | null,
  ): TimelineEntry {
    const speaker = `Speaker_${run.speaker}`;
    const heard = [...(this.#deliveries.get(speaker) ?? []), delivery].slice(-BASELINE_UTTERANCES);
    this.#deliveries.set(speaker, heard);
    const previous = this.#previous;
    this.#previous = { speaker, text, end: times.tEnd };
    const entry = measureUtterance({
      utteranceId: `${this.#conversationId}_utt_${this.#count++}`,
      speaker,
      ...times,
      text,
      asrConfidence: confidenceOf(run.words),
      words: run.words.map(({ word, t_start, t_end, confidence }) => ({ word, t_start, t_end, confidence })),
      speakerConfidence: run.confidence,
      overlapRatio: run.overlapRatio,
      delivery,
      baseline: speakerBaseline(heard),
      pauseBeforeMs: Math.max(0, Math.round((times.tStart - (previous?.end ?? times.tStart)) * 1000)),
      previous,
      encoding,
    });
    return provisional(entry);
  }
}

const provisional = (entry: TimelineEntry): TimelineEntry => ({
  ...entry,
  emotion: { ...entry.emotion, stability: 'provisional' },
  cognitive: { ...entry.cognitive, stability: 'provisional' },
});
