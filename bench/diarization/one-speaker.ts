import type { Interval } from '../../containers/pipeline/audio/interval.ts';
import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { diarize } from '../../containers/pipeline/diarization/diarize.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import type { LabelledSegment } from '../der.ts';
import type { Table } from '../report.ts';
import { featuresOf, type LabelledRecording, speechOf } from './recordings.ts';

/** With less speech than this, the number of speakers cannot be estimated, s. */
const LEAST_SPEECH_S = 6;
const LEAST_STRETCH_S = 0.2;
/** Silence between segments when the pauses of one side are removed, s. */
const GAP_S = 0.3;

const CLOSED_UP = 'a side, pauses cut out';

interface Count {
  recordings: number;
  split: number;
  seconds: number;
}

/** The parts of the speech regions in which only this speaker speaks. */
function alone(speech: Interval[], reference: LabelledSegment[], speaker: string): Interval[] {
  const own = reference.filter((r) => r.speaker === speaker);
  const others = reference.filter((r) => r.speaker !== speaker);
  const parts = speech.flatMap((region) =>
    own.map((r) => ({ start: Math.max(r.start, region.start), end: Math.min(r.end, region.end) })),
  );
  const cut = others.reduce(
    (left, other) =>
      left.flatMap(({ start, end }) =>
        other.end <= start || other.start >= end
          ? [{ start, end }]
          : [
              { start, end: Math.min(end, other.start) },
              { start: Math.max(start, other.end), end },
            ],
      ),
    parts,
  );
  return cut.filter((p) => p.end - p.start >= LEAST_STRETCH_S).sort((a, b) => a.start - b.start);
}

function closedUp(samples: Float32Array, parts: Interval[]): Float32Array {
  const cuts = parts.map(({ start, end }) =>
    samples.subarray(Math.round(start * SAMPLE_RATE_HZ), Math.round(end * SAMPLE_RATE_HZ)),
  );
  const gap = Math.round(GAP_S * SAMPLE_RATE_HZ);
  const out = new Float32Array(cuts.reduce((n, cut) => n + cut.length + gap, gap));
  let at = gap;
  for (const cut of cuts) {
    out.set(cut, at);
    at += cut.length + gap;
  }
  return out;
}

/**
 * Measures how often the recording of one person is split: whole recordings, one side of a dialogue, and that side
 * without its pauses.
 */
export async function oneSpeakerTable(all: LabelledRecording[], detector: SpeechDetector): Promise<Table> {
  const counts = new Map<string, Count>();
  const add = (kind: string, count: number, speech: Interval[]): void => {
    const row = counts.get(kind) ?? { recordings: 0, split: 0, seconds: 0 };
    row.recordings++;
    row.split += Number(count > 1);
    row.seconds += speech.reduce((sum, s) => sum + s.end - s.start, 0);
    counts.set(kind, row);
  };
  for (const recording of all) {
    const { features, speech, reference, samples, group, name } = recording;
    if (group === 'one speaker') add('recordings of one person', diarize(features, speech).speakers.count, speech);
    else if (reference && group !== 'AMI' && !name.startsWith('paa')) {
      for (const speaker of new Set(reference.map((r) => r.speaker))) {
        const parts = alone(speech, reference, speaker);
        if (parts.reduce((sum, p) => sum + p.end - p.start, 0) < LEAST_SPEECH_S) continue;
        add('one side of a dialogue', diarize(features, parts).speakers.count, parts);
        const closed = closedUp(samples, parts);
        const found = await speechOf(closed, detector);
        add(CLOSED_UP, diarize(featuresOf(closed), found).speakers.count, found);
      }
    }
  }
  const bars = [...counts].filter(([kind]) => kind !== CLOSED_UP).map(([, row]) => row);
  const sum = (field: 'recordings' | 'split' | 'seconds'): number => bars.reduce((n, row) => n + row[field], 0);
  const line = (kind: string, row: Count, bar: number | null): Table['rows'][number] => [
    kind,
    row.recordings,
    Math.round(row.seconds),
    row.split,
    (100 * row.split) / Math.max(1, row.recordings),
    bar,
  ];
  const both = { recordings: sum('recordings'), split: sum('split'), seconds: sum('seconds') };
  return {
    title: 'One person: how often the recording is split (count found)',
    columns: ['recordings', 'n', 'speech s', 'split', 'split %', 'bar %'],
    rows: [...[...counts].map(([kind, row]) => line(kind, row, null)), line('recordings and sides', both, 10)],
    note: 'Sides are cut out by the reference. Without its pauses one side of a call looks like a call with two people: the hardest case, without a bar.',
  };
}
