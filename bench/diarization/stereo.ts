import { readFileSync } from 'node:fs';
import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import {
  ChannelStatistics,
  channelsAreSpeakers,
  channelTurns,
} from '../../containers/pipeline/diarization/channels.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import { decodeAudio, evalPath } from '../../scripts/eval-data.ts';
import { diarizationErrors, parseRttm } from '../der.ts';
import type { Table } from '../report.ts';
import { entries, type LabelledRecording, labelled, nameOf, speechOf } from './recordings.ts';

/** The leakage of a line: its level in dB and its delay in seconds. */
interface Leakage {
  name: string;
  db: number;
  delay: number;
}

const LEAKAGES: Leakage[] = [
  { name: 'as recorded', db: Number.NEGATIVE_INFINITY, delay: 0 },
  { name: 'cross-talk -20 dB', db: -20, delay: 0 },
  { name: 'cross-talk -12 dB', db: -12, delay: 0 },
  { name: 'echo -18 dB after 120 ms', db: -18, delay: 0.12 },
  { name: 'echo -20 dB after 250 ms', db: -20, delay: 0.25 },
];

function leaked(own: Float32Array, other: Float32Array, { db, delay }: Leakage): Float32Array {
  const gain = 10 ** (db / 20);
  const late = Math.round(delay * SAMPLE_RATE_HZ);
  return own.map((sample, i) => sample + gain * (other[i - late] ?? 0));
}

function statisticsOf(left: Float32Array, right: Float32Array): ChannelStatistics {
  const statistics = new ChannelStatistics();
  statistics.push(left, right);
  return statistics;
}

/** Two-channel calls compared with their reference, clean and with leakage. */
export async function stereoTable(detector: SpeechDetector): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const entry of entries().filter(({ file, rttm }) => rttm && nameOf(file).includes('stereo'))) {
    const file = evalPath('diarization', entry.file);
    const [left, right] = [decodeAudio(file, 0), decodeAudio(file, 1)];
    const reference = parseRttm(readFileSync(evalPath('diarization', entry.rttm!), 'utf8'));
    for (const leakage of LEAKAGES) {
      const [l, r] = [leaked(left, right, leakage), leaked(right, left, leakage)];
      const statistics = statisticsOf(l, r);
      const found = channelsAreSpeakers(statistics);
      const speech = await Promise.all([speechOf(l, detector), speechOf(r, detector)]);
      const { turns } = channelTurns(statistics, [speech[0]!, speech[1]!]);
      const errors = diarizationErrors(reference, labelled(turns), entry.duration, 0.25);
      const percent = (seconds: number): number => (100 * seconds) / errors.total;
      rows.push([
        nameOf(entry.file),
        leakage.name,
        found ? 'yes' : 'NO',
        percent(errors.miss),
        percent(errors.falseAlarm),
        100 - percent(errors.confusion),
        100,
      ]);
    }
  }
  return {
    title: 'Stereo calls (%, collar .25 s)',
    columns: ['call', 'leakage', 'channels are speakers', 'miss', 'false alarm', 'right channel', 'bar'],
    rows,
    note: 'Leakage is added by the bench in both directions.',
  };
}

/** Recordings whose channels are not speakers: how often the diarizer treats them as speakers. */
export function notStereoTable(all: LabelledRecording[]): Table {
  let state = 1;
  const noise = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 32 - 0.5) * 2e-3;
  };
  const layouts: [string, (x: Float32Array) => [Float32Array, Float32Array]][] = [
    ['the same in both', (x) => [x, x]],
    ['the same, one side 6 dB down, own noise', (x) => [x.map((v) => v + noise()), x.map((v) => v / 2 + noise())]],
    ['left side only', (x) => [x, new Float32Array(x.length)]],
    ['left side only, noise on the right', (x) => [x, x.map(noise)]],
  ];
  return {
    title: 'Recordings whose channels are not speakers',
    columns: ['layout', 'recordings', 'taken for one speaker a channel'],
    rows: layouts.map(([name, lay]) => [
      name,
      all.length,
      all.filter(({ samples }) => channelsAreSpeakers(statisticsOf(...lay(samples)))).length,
    ]),
  };
}
