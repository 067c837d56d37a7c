import { type Interval, SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { endOfBeginning, extended, isSure } from '../../containers/pipeline/diarization/beginning.ts';
import { diarize } from '../../containers/pipeline/diarization/diarize.ts';
import { SpeakerFeatures } from '../../containers/pipeline/diarization/speaker-features.ts';
import type { SpeakerTurn } from '../../containers/pipeline/diarization/turns.ts';
import { diarizationErrors, type LabelledSegment } from '../der.ts';
import { say, type Table } from '../report.ts';
import { collarOf, type LabelledRecording, labelled } from './recordings.ts';

// The labels of a long recording of which the beginning is final before the rest is known.

const MINUTES = 22;
/** The end of the beginning, and the earliest, as in the pipeline, s. */
const BEGINNING_S = 640;
const EARLIEST_S = 512;
/** A recording that follows another one begins here, s. */
const JOINED_S = 660;

type Referenced = LabelledRecording & { reference: LabelledSegment[] };

interface Long {
  name: string;
  features: SpeakerFeatures;
  speech: Interval[];
  reference: LabelledSegment[];
  collar: number;
}

/** Recordings one after another, each repeated until its time. */
function joined(parts: { recording: Referenced; until: number }[]): Long {
  const features = new SpeakerFeatures();
  const speech: Interval[] = [];
  const reference: LabelledSegment[] = [];
  let at = 0;
  for (const { recording, until } of parts) {
    const { name, samples } = recording;
    const length = samples.length / SAMPLE_RATE_HZ;
    const moved = <T extends Interval>(span: T): T => ({ ...span, start: span.start + at, end: span.end + at });
    for (; at < until; at += length) {
      features.push(samples);
      speech.push(...recording.speech.map(moved));
      reference.push(
        ...recording.reference.map((segment) => ({ ...moved(segment), speaker: `${name} ${segment.speaker}` })),
      );
    }
  }
  const name = parts.map(({ recording }) => recording.name).join(', then ');
  return { name, features, speech, reference, collar: Math.max(...parts.map((part) => collarOf(part.recording.name))) };
}

function row({ name, features, speech, reference, collar }: Long): Table['rows'][number] {
  const duration = features.frames / 100;
  const error = (turns: SpeakerTurn[]) => {
    const { total, miss, falseAlarm, confusion } = diarizationErrors(reference, labelled(turns), duration, collar);
    return [(100 * (miss + falseAlarm + confusion)) / total, (100 * confusion) / total];
  };
  const whole = diarize(features, speech);
  const end = endOfBeginning(
    speech.filter((region) => region.end < BEGINNING_S),
    EARLIEST_S,
  );
  const beginning =
    end === null
      ? null
      : diarize(
          features,
          speech.filter((region) => region.end < end),
        );
  const isUsed = beginning !== null && isSure(beginning);
  const joint = isUsed ? extended(beginning, whole, end!) : whole;
  const voices = new Set(reference.map(({ speaker }) => speaker)).size;
  say(name);
  return [
    name,
    voices,
    whole.speakers.count,
    ...error(whole.turns),
    beginning?.speakers.count ?? null,
    beginning?.speakers.confidence ?? null,
    isUsed ? 'yes' : 'no',
    joint.speakers.count,
    ...error(joint.turns),
  ];
}

/** Recordings of several people, repeated for 22 minutes, and each for half of that before another one. */
export function longTable(all: readonly LabelledRecording[]): Table {
  const several = all.filter(
    (one): one is Referenced => one.reference !== null && one.entry.n_speakers > 1 && one.entry.duration > 20,
  );
  const until = 60 * MINUTES;
  const rows = [
    ...several.map((recording) => row(joined([{ recording, until }]))),
    ...several.map((recording, i) =>
      row(
        joined([
          { recording, until: JOINED_S },
          { recording: several[(i + 1) % several.length]!, until },
        ]),
      ),
    ),
  ];
  return {
    title: `Long recordings (${MINUTES} minutes), with the labels of the beginning final before the rest`,
    columns: [
      'recording, repeated',
      'speakers',
      'found',
      'DER %',
      'confusion %',
      'in the beginning',
      'confidence',
      'final',
      'found with it',
      'DER with it %',
      'confusion with it %',
    ],
    rows,
    note: 'A beginning is final only if its number of speakers is sure. Repeated speech is easier than an hour of talk.',
  };
}
