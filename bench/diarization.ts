/**
 * Diarization error per group with the number of speakers estimated and given, beside one speaker for all and mean-MFCC
 * clustering; splitting of one person; stereo; one microphone; live labels; words by speaker; cost. `--quick` leaves
 * out beginnings, long recordings, the same-microphone set, the one-voice set and the words. `--replies` prints only who
 * is given the short replies of calls in mono, `--long` only long recordings, and `--labels` only whether the labels are
 * the stored ones, with the cost. `--store-labels` stores them.
 */
import { type Interval, SAMPLE_RATE_HZ } from '../containers/pipeline/audio/interval.ts';
import { diarize } from '../containers/pipeline/diarization/diarize.ts';
import { SpeakerFeatures } from '../containers/pipeline/diarization/speaker-features.ts';
import { SpeechDetector } from '../containers/pipeline/models/silero.ts';
import { addErrors, type DiarizationErrors, diarizationErrors, type LabelledSegment, NO_ERRORS } from './der.ts';
import { meanMfcc, oneSpeaker } from './diarization/baselines.ts';
import { beginningsTable } from './diarization/beginnings.ts';
import { liveTable } from './diarization/live.ts';
import { longTable } from './diarization/long.ts';
import { oneSpeakerTable } from './diarization/one-speaker.ts';
import { oneVoiceTable } from './diarization/one-voice.ts';
import { collarOf, type Group, type LabelledRecording, labelled, recordings } from './diarization/recordings.ts';
import { repliesTable } from './diarization/replies.ts';
import { sameMicrophoneTable } from './diarization/same-microphone.ts';
import { notStereoTable, stereoTable } from './diarization/stereo.ts';
import { storedLabelsTable, storeLabels } from './diarization/stored-labels.ts';
import { wordsTable } from './diarization/words.ts';
import { report, say, type Table } from './report.ts';

const percent = (part: number, { total }: DiarizationErrors): number => (100 * part) / total;
const errorRate = (e: DiarizationErrors): number => percent(e.miss + e.falseAlarm + e.confusion, e);

interface Hypothesis {
  turns: LabelledSegment[];
  speakers: number;
}
type Method = (recording: LabelledRecording) => Hypothesis;

const counted = (turns: LabelledSegment[]): Hypothesis => ({
  turns,
  speakers: new Set(turns.map((turn) => turn.speaker)).size,
});
const METHODS: [string, Method][] = [
  ['count found', (r) => counted(labelled(diarize(r.features, r.speech).turns))],
  ['count given', (r) => counted(labelled(diarize(r.features, r.speech, { speakers: r.entry.n_speakers }).turns))],
  ['one speaker', (r) => counted(oneSpeaker(r.speech))],
  ['mean MFCC, found', (r) => counted(meanMfcc(r.features, r.speech))],
  ['mean MFCC, given', (r) => counted(meanMfcc(r.features, r.speech, r.entry.n_speakers))],
];

/** The target DERs, with the number of speakers estimated and given. */
const BARS: Record<string, number> = {
  'assembled, collar .25 s count found': 5,
  'call count found': 8,
  'call count given': 3,
};

function errorTables(all: LabelledRecording[]): Table[] {
  const groups: [string, LabelledRecording[], (r: LabelledRecording) => number][] = [];
  const order: Group[] = ['call', 'assembled', 'AMI', 'small', 'one speaker'];
  for (const group of order) {
    const members = all.filter((r) => r.group === group && r.reference);
    groups.push([group, members, (r) => collarOf(r.name)]);
    if (group === 'assembled') groups.push(['assembled, collar .25 s', members, () => 0.25]);
  }
  const rows: Table['rows'] = [];
  // AMI's target is the result of one speaker for all in the same run.
  const bars = new Map(Object.entries(BARS));
  const each: Table['rows'] = [];
  for (const [group, members, collar] of groups) {
    if (group === 'AMI') {
      const alone = members.map((r) =>
        diarizationErrors(r.reference!, oneSpeaker(r.speech), r.entry.duration, collar(r)),
      );
      bars.set('AMI count found', errorRate(alone.reduce(addErrors, NO_ERRORS)));
    }
    for (const [method, run] of METHODS) {
      let sum = NO_ERRORS;
      let countErrors = 0;
      for (const recording of members) {
        const { turns, speakers } = run(recording);
        const errors = diarizationErrors(recording.reference!, turns, recording.entry.duration, collar(recording));
        sum = addErrors(sum, errors);
        countErrors += Math.abs(speakers - recording.entry.n_speakers);
        if (method.startsWith('count')) {
          const { n_speakers } = recording.entry;
          each.push([
            recording.name,
            collar(recording),
            method,
            n_speakers,
            speakers,
            errorRate(errors),
            percent(errors.confusion, errors),
          ]);
        }
      }
      if (sum.total === 0) continue;
      rows.push([
        group,
        method,
        errorRate(sum),
        percent(sum.miss, sum),
        percent(sum.falseAlarm, sum),
        percent(sum.confusion, sum),
        countErrors / members.length,
        bars.get(`${group} ${method}`) ?? null,
      ]);
    }
  }
  return [
    {
      title: 'Diarization error per group (%, pooled by time)',
      columns: ['group', 'method', 'DER', 'miss', 'false alarm', 'confusion', 'count error', 'bar'],
      rows,
      note: 'Collar 0 for AMI, assembled and pyannote, .25 s for calls and falcon, .5 s for paa (read its confusion only). AMI bar: not above one speaker. The assembled reference cuts short pauses: read it with the collar.',
    },
    {
      title: 'Each recording',
      columns: ['recording', 'collar', 'method', 'speakers', 'found', 'DER %', 'confusion %'],
      rows: each,
    },
  ];
}

/** The estimated number of speakers and its confidence. */
function countTable(all: LabelledRecording[]): Table {
  return {
    title: 'Number of speakers found',
    columns: ['recording', 'speakers', 'found', 'confidence', 'note'],
    rows: all.map(({ name, entry, features, speech }) => {
      const { count, confidence, note } = diarize(features, speech).speakers;
      return [name, entry.n_speakers, count, confidence, note ?? ''];
    }),
  };
}

/** Time for ten minutes and for an hour, using the longest recording with a reference repeatedly. */
function costTable(all: LabelledRecording[]): Table {
  const longest = all
    .filter(({ reference }) => reference)
    .reduce((a, b) => (b.samples.length > a.samples.length ? b : a));
  return {
    title: `CPU time of ten minutes and of an hour (${longest.name} repeated)`,
    columns: [
      'minutes',
      'features s',
      'diarization s',
      'together s',
      'ms / audio s',
      'speakers found',
      'confusion %',
      'false alarm %',
    ],
    rows: [10, 60].map((minutes) => costRow(longest, minutes)),
    note: 'Bar: 2 s together for ten minutes. A false alarm beyond that of the call itself is overlap that is not there.',
  };
}

function costRow({ name, samples, speech, reference }: LabelledRecording, minutes: number): Table['rows'][number] {
  const duration = minutes * 60;
  const length = samples.length / SAMPLE_RATE_HZ;
  const repeated = <T extends Interval>(spans: T[]): T[] =>
    Array.from({ length: Math.ceil(duration / length) }, (_, i) =>
      spans.map((span) => ({ ...span, start: span.start + i * length, end: span.end + i * length })),
    )
      .flat()
      .filter(({ end }) => end <= duration);
  const features = new SpeakerFeatures();
  const total = duration * SAMPLE_RATE_HZ;
  const started = process.cpuUsage();
  for (let at = 0; at < total; at += samples.length)
    features.push(samples.subarray(0, Math.min(samples.length, total - at)));
  const extracted = process.cpuUsage();
  const { speakers, turns } = diarize(features, repeated(speech));
  const done = process.cpuUsage();
  const seconds = (from: NodeJS.CpuUsage, to: NodeJS.CpuUsage): number =>
    (to.user + to.system - from.user - from.system) / 1e6;
  const errors = diarizationErrors(repeated(reference!), labelled(turns), duration, collarOf(name));
  return [
    minutes,
    seconds(started, extracted),
    seconds(extracted, done),
    seconds(started, done),
    (1000 * seconds(started, done)) / duration,
    speakers.count,
    percent(errors.confusion, errors),
    percent(errors.falseAlarm, errors),
  ];
}

async function allTables(detector: SpeechDetector, quick: boolean): Promise<Table[]> {
  const all: LabelledRecording[] = [];
  for await (const recording of recordings(detector)) all.push(recording);
  say(`${all.length} recordings`);
  if (process.argv.includes('--store-labels')) storeLabels(all);
  if (process.argv.includes('--labels')) return [storedLabelsTable(all), costTable(all)];
  if (process.argv.includes('--long')) return [longTable(all)];
  const tables = [storedLabelsTable(all), ...errorTables(all), countTable(all), await oneSpeakerTable(all, detector)];
  say('stereo, live');
  tables.push(await stereoTable(detector), notStereoTable(all), liveTable(all), costTable(all));
  if (quick) return tables;
  say('beginnings');
  tables.push(await beginningsTable(all, detector), longTable(all));
  say('one microphone');
  tables.push(await sameMicrophoneTable(detector));
  say('one voice');
  tables.push(await oneVoiceTable());
  say('words');
  tables.push(await wordsTable());
  return tables;
}

const detector = await SpeechDetector.load();
const isReplies = process.argv.includes('--replies');
report(
  'diarization',
  isReplies ? [await repliesTable(detector)] : await allTables(detector, process.argv.includes('--quick')),
);
