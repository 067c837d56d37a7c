import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { diarize } from '../../containers/pipeline/diarization/diarize.ts';
import { ProvisionalSpeakers } from '../../containers/pipeline/diarization/provisional.ts';
import { SpeakerFeatures } from '../../containers/pipeline/diarization/speaker-features.ts';
import type { SpeakerTurn } from '../../containers/pipeline/diarization/turns.ts';
import { diarizationErrors } from '../der.ts';
import type { Table } from '../report.ts';
import { type LabelledRecording, labelled } from './recordings.ts';

const COLLAR_S = 0.25;
/** How much audio beyond a segment's end has arrived when the segment is labelled, s. */
const LAG_S = 0.1;

function provisionalTurns({ samples, speech }: LabelledRecording): SpeakerTurn[] {
  const features = new SpeakerFeatures();
  const speakers = new ProvisionalSpeakers(features);
  let heard = 0;
  return speech.flatMap((segment) => {
    const until = Math.min(samples.length, Math.ceil((segment.end + LAG_S) * SAMPLE_RATE_HZ));
    if (until > heard) features.push(samples.subarray(heard, until));
    heard = Math.max(heard, until);
    return speakers.label(segment).turns;
  });
}

/** Labels sent during a session, compared with the final ones. */
export function liveTable(all: LabelledRecording[]): Table {
  const rows: Table['rows'] = [];
  for (const recording of all) {
    const { reference, entry, name, samples, features, speech } = recording;
    if (!reference || recording.group === 'small' || recording.group === 'AMI') continue;
    const started = process.cpuUsage();
    const turns = provisionalTurns(recording);
    const { user, system } = process.cpuUsage(started);
    const cost = (user + system) / 1000 / (samples.length / SAMPLE_RATE_HZ);
    const score = (t: SpeakerTurn[]): number => {
      const { total, miss, falseAlarm, confusion } = diarizationErrors(
        reference,
        labelled(t),
        entry.duration,
        COLLAR_S,
      );
      return (100 * (miss + falseAlarm + confusion)) / total;
    };
    rows.push([
      name,
      entry.n_speakers,
      new Set(turns.map((turn) => turn.speaker)).size,
      score(turns),
      score(diarize(features, speech).turns),
      cost,
    ]);
  }
  return {
    title: 'Live: provisional labels against those of the finished session (DER %, collar .25 s, count found)',
    columns: ['recording', 'speakers', 'labels told', 'provisional', 'at the end', 'CPU ms / s, with features'],
    rows,
  };
}
