import { createReadStream } from 'node:fs';
import { largestOf } from '../containers/pipeline/affect/joining.ts';
import { SAMPLE_RATE_HZ } from '../containers/pipeline/audio/interval.ts';
import { analyse } from '../containers/pipeline/pipeline.ts';
import { mean } from '../containers/pipeline/prosody/statistics.ts';
import { wavOf } from '../containers/pipeline/recognition/endpoint/wav.ts';
import { WorkerPool } from '../containers/pipeline/workers/pool.ts';
import { evalPath } from '../scripts/eval-data.ts';
import { rocAuc } from '../scripts/train/agreement.ts';
import { EMOTIONS, type Emotion, type EmotionMap } from '../src/contract/timeline.ts';
import type { TimelineEntry } from '../src/contract/timeline-entry.ts';
import { OPTIONS } from '../support/pipeline-server.ts';
import { calibrationError, reliabilityBins } from './reliability-diagram.ts';
import { say, type Table } from './report.ts';

// Reported emotions of acted clips, from words and voice together. All clips of a speaker are in one recording, so that
// there is a baseline, and each clip is also analysed separately. Then the reported emotions of real recordings, in
// which people rarely show any.

export interface ActedClip {
  corpus: string;
  speaker: string | null;
  emotion: Emotion | null;
  samples: Float32Array;
}

/** An acted clip and the reported emotion of its longest utterance, which is null if no speech was found. */
interface Told {
  clip: ActedClip;
  entry: TimelineEntry | null;
}

const PAUSE_S = 1.5;
const SURE = 0.5;
const AROUSED = new Set<Emotion | null>(['anger', 'fear', 'joy']);
const CALM = new Set<Emotion | null>(['sadness', 'neutral']);
/** Recordings of people who did not act. The call counts once, with one person per channel. */
const REAL = [
  ['diarization', 'audio', 'aws_call40_stereo.flac'],
  ['diarization', 'audio', 'aws_demo_agent.flac'],
  ['diarization', 'audio', 'aws_demo_agent1.flac'],
  ['diarization', 'audio', 'aws_demo_agent2.flac'],
  ['diarization', 'audio', 'gcp_commercial_mono.flac'],
  ['diarization', 'audio', 'pyannote_sample.flac'],
  ['diarization', 'audio', 'falcon_test.flac'],
  ['diarization', 'audio', 'azure_katiesteve.flac'],
  ['diarization', 'audio', 'ami_trn04.flac'],
  ['diarization', 'audio', 'ami_trn05.flac'],
  ['diarization', 'audio', 'paa_diarizationExample2.flac'],
  ['media', 'ted_60.m4a'],
];

async function entriesOf(media: AsyncIterable<Uint8Array>, pool: WorkerPool): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  for await (const line of analyse(media, { options: OPTIONS }, pool))
    if (line.type === 'utterance') entries.push(line.entry);
  return entries;
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const lengthOf = ({ t_start, t_end }: TimelineEntry): number => t_end - t_start;
const longest = (entries: TimelineEntry[]): TimelineEntry | null =>
  entries.reduce<TimelineEntry | null>((best, one) => (best && lengthOf(best) >= lengthOf(one) ? best : one), null);

/** All clips of a speaker, in an order that mixes the classes, with pauses between them. */
async function inOneRecording(own: ActedClip[], pool: WorkerPool): Promise<Told[]> {
  const mixed = own.map((clip, i) => ({ clip, at: (i * 7919) % own.length })).sort((a, b) => a.at - b.at);
  const pause = PAUSE_S * SAMPLE_RATE_HZ;
  const samples = new Float32Array(mixed.reduce((sum, { clip }) => sum + clip.samples.length + pause, 0));
  const spans: { clip: ActedClip; start: number; end: number }[] = [];
  let at = 0;
  for (const { clip } of mixed) {
    samples.set(clip.samples, at);
    spans.push({ clip, start: at / SAMPLE_RATE_HZ, end: (at + clip.samples.length) / SAMPLE_RATE_HZ });
    at += clip.samples.length + pause;
  }
  const entries = await entriesOf(whole(wavOf(samples)), pool);
  return spans.map(({ clip, start, end }) => {
    const isInside = ({ t_start, t_end }: TimelineEntry) =>
      (t_start + t_end) / 2 >= start && (t_start + t_end) / 2 <= end;
    return { clip, entry: longest(entries.filter(isInside)) };
  });
}

const inItself = async (clip: ActedClip, pool: WorkerPool): Promise<Told> => ({
  clip,
  entry: longest(await entriesOf(whole(wavOf(clip.samples)), pool)),
});

type Reading = (entry: TimelineEntry) => EmotionMap;
/**
 * The earlier rule, before words and voice were weighted by trust: a quarter of the voice, multiplied by its
 * confidence.
 */
const QUARTER: Reading = ({ emotion }) => {
  const { words, voice } = emotion!;
  const share = 0.25 * (voice?.confidence ?? 0);
  return Object.fromEntries(
    EMOTIONS.map((name) => [name, (1 - share) * words.emotion[name] + share * (voice?.emotion[name] ?? 0)]),
  ) as EmotionMap;
};
const READINGS: [string, Reading][] = [
  ['told', ({ emotion }) => emotion!.emotion],
  ['words alone', ({ emotion }) => emotion!.words.emotion],
  ['voice alone', ({ emotion }) => emotion!.voice?.emotion ?? emotion!.words.emotion],
  ['before: a fixed quarter of the voice', QUARTER],
];

/** Mean over the speakers. */
function arousalAuc(told: Told[]): number {
  const speakers = [...Map.groupBy(told, ({ clip }) => clip.speaker).values()];
  const scores = (own: Told[], classes: Set<Emotion | null>) =>
    own.filter(({ clip }) => classes.has(clip.emotion)).map(({ entry }) => entry?.emotion?.scores.arousal ?? 0.5);
  return mean(speakers.map((own) => rocAuc(scores(own, AROUSED), scores(own, CALM))));
}

function row(corpus: string, setting: string, told: Told[], [name, read]: [string, Reading]): Table['rows'][number] {
  const named = told.map(({ clip, entry }) => {
    const shares = entry && read(entry);
    const emotion = shares ? largestOf(shares) : 'neutral';
    return { emotion, right: emotion === clip.emotion, probability: shares?.[emotion] ?? 0, acted: clip.emotion };
  });
  const recalls = [...Map.groupBy(named, ({ acted }) => acted).values()].map(
    (own) => own.filter(({ right }) => right).length / own.length,
  );
  const percent = (count: number) => (100 * count) / named.length;
  return [
    corpus,
    setting,
    name,
    mean(recalls),
    name === 'told' ? arousalAuc(told) : null,
    calibrationError(reliabilityBins(named)),
    percent(named.filter(({ emotion }) => emotion === 'neutral').length),
    percent(
      named.filter(({ emotion, right, probability }) => !right && emotion !== 'neutral' && probability > SURE).length,
    ),
  ];
}

async function actedTable(clips: ActedClip[], pool: WorkerPool): Promise<Table> {
  const rows: Table['rows'] = [];
  for (const [corpus, own] of Map.groupBy(clips, (clip) => clip.corpus)) {
    const together: Told[] = [];
    for (const one of Map.groupBy(own, ({ speaker }) => speaker).values())
      together.push(...(await inOneRecording(one, pool)));
    const apart: Told[] = [];
    for (const clip of own) apart.push(await inItself(clip, pool));
    say(`${corpus}: told`);
    for (const [setting, told] of [
      ['a recording a speaker', together],
      ['single clips', apart],
    ] as const)
      for (const reading of READINGS) rows.push(row(corpus, setting, told, reading));
  }
  return {
    title: 'What the service tells of acted clips',
    columns: ['clips', 'setting', 'reading', 'UAR', 'arousal AUC', 'ECE', 'neutral (%)', 'wrong and sure > .5 (%)'],
    rows,
    note: 'bars: UAR .32 / .42 in a recording, .27 / .38 single; arousal AUC within speaker .86 / .95 and .78 / .88; wrong and sure 3 %. EmoDB is German: its words are misheard.',
  };
}

async function realTables(pool: WorkerPool): Promise<Table[]> {
  const entries: { file: string; entry: TimelineEntry }[] = [];
  for (const path of REAL) {
    const told = await entriesOf(createReadStream(evalPath(...path)), pool);
    entries.push(...told.map((entry) => ({ file: path.at(-1)!, entry })));
    say(path.at(-1)!);
  }
  const counts = [...Map.groupBy(entries, ({ file }) => file), ['all', entries] as const].map(([file, own]) => [
    file,
    own.length,
    ...READINGS.map(([, read]) => own.filter(({ entry }) => largestOf(read(entry)) !== 'neutral').length),
    own.filter(({ entry }) => entry.emotion!.decided_by === 'voice').length,
  ]);
  const decided = entries
    .filter(({ entry }) => entry.emotion!.decided_by === 'voice')
    .map(({ file, entry }) => {
      const { words, emotion, scores } = entry.emotion!;
      const told = largestOf(emotion);
      const { prosody } = entry;
      const measures = 'pitch_z' in prosody ? [prosody.pitch_z, prosody.energy_z, prosody.rate_z] : [null, null, null];
      return [
        file,
        told,
        emotion[told],
        largestOf(words.emotion),
        scores.arousal,
        ...measures,
        lengthOf(entry),
        entry.text,
      ];
    });
  return [
    {
      title: 'Utterances of real recordings told as other than neutral',
      columns: ['recording', 'utterances', ...READINGS.map(([name]) => name), 'decided by the voice'],
      rows: counts,
    },
    {
      title: 'Of these, what the voice decided',
      columns: ['recording', 'told', 'share', 'words alone', 'arousal', 'pitch z', 'energy z', 'rate z', 's', 'text'],
      rows: decided,
    },
  ];
}

/** @param clips of named speakers */
export async function serviceTables(clips: ActedClip[]): Promise<Table[]> {
  const pool = await WorkerPool.start();
  try {
    return [await actedTable(clips, pool), ...(await realTables(pool))];
  } finally {
    await pool.close();
  }
}
