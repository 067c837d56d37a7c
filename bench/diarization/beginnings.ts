import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { diarize } from '../../containers/pipeline/diarization/diarize.ts';
import type { Diarization } from '../../containers/pipeline/diarization/turns.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import type { Table } from '../report.ts';
import { madeCalls } from './made-calls.ts';
import { featuresOf, type LabelledRecording, speechOf } from './recordings.ts';

const BEGINNINGS_S = [30, 60, 120];
/** Interval at which labels are compared, s. */
const STEP_S = 0.02;

async function diarized(samples: Float32Array, detector: SpeechDetector): Promise<Diarization> {
  return diarize(featuresOf(samples), await speechOf(samples, detector));
}

const labelAt = ({ turns }: Diarization, time: number): number | undefined =>
  turns.find(({ start, end }) => start <= time && time < end)?.speaker;

/** Whether the labels of a recording's beginning, diarised by itself, are those of the whole recording. */
export async function beginningsTable(all: readonly LabelledRecording[], detector: SpeechDetector): Promise<Table> {
  const long = all.map(({ name, samples }) => ({ name, samples }));
  for await (const { name, channels } of madeCalls(detector)) {
    const [left, right] = channels;
    long.push({ name, samples: left.map((value, i) => (value + right[i]!) / 2) });
  }
  const rows: Table['rows'] = [];
  for (const seconds of BEGINNINGS_S) {
    const length = seconds * SAMPLE_RATE_HZ;
    let [recordings, sameCount, moved] = [0, 0, 0];
    let [compared, same] = [0, 0];
    for (const { samples } of long.filter((one) => one.samples.length >= 1.5 * length)) {
      const whole = await diarized(samples, detector);
      const part = await diarized(samples.slice(0, length), detector);
      let [own, ownSame] = [0, 0];
      for (let time = STEP_S / 2; time < seconds; time += STEP_S) {
        const [a, b] = [labelAt(part, time), labelAt(whole, time)];
        if (a === undefined || b === undefined) continue;
        own++;
        if (a === b) ownSame++;
      }
      const within = new Set(whole.turns.filter(({ start }) => start < seconds).map(({ speaker }) => speaker)).size;
      recordings++;
      if (part.speakers.count === within) sameCount++;
      if (ownSame < 0.95 * own) moved++;
      compared += own;
      same += ownSame;
    }
    rows.push([seconds, recordings, sameCount, moved, (100 * same) / Math.max(1, compared)]);
  }
  return {
    title: 'Labels of a beginning by itself, against those of the whole recording',
    columns: [
      'beginning s',
      'recordings',
      'same number of speakers there',
      'over 5 % labelled otherwise',
      'same label, % of time',
    ],
    rows,
    note: 'Recordings of 1.5 times the beginning and more, with the made calls of --replies.',
  };
}
