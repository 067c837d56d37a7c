import { readFileSync } from 'node:fs';
import type { Interval } from '../../containers/pipeline/audio/interval.ts';
import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { speechRegions } from '../../containers/pipeline/audio/speech.ts';
import { DIARIZATION_SPEECH } from '../../containers/pipeline/diarization/diarize.ts';
import { SpeakerFeatures } from '../../containers/pipeline/diarization/speaker-features.ts';
import type { SpeakerTurn } from '../../containers/pipeline/diarization/turns.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import { decodeAudio, evalPath, readEvalJson } from '../../scripts/eval-data.ts';
import { type LabelledSegment, parseRttm } from '../der.ts';

/** An entry of diarization/manifest.json. */
export interface Entry {
  file: string;
  rttm: string | null;
  n_speakers: number;
  duration: number;
  transcript: { speaker: string; start: number; end: number; text: string; clip?: string }[] | null;
}

export type Group = 'assembled' | 'call' | 'AMI' | 'one speaker' | 'small';

/** A recording as the diarizer sees it, with its reference. */
export interface LabelledRecording {
  name: string;
  group: Group;
  entry: Entry;
  /** Null if only the number of speakers is known. */
  reference: LabelledSegment[] | null;
  samples: Float32Array;
  features: SpeakerFeatures;
  speech: Interval[];
}

export const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');

function groupOf(name: string, speakers: number): Group {
  if (name.startsWith('asm')) return 'assembled';
  if (name.startsWith('ami')) return 'AMI';
  if (speakers === 1) return 'one speaker';
  return name.includes('call') ? 'call' : 'small';
}

/**
 * Collar by reference (data README): 0 for exact ones, .25 s for derived ones, .5 s for `paa` with its 100 ms
 * resolution.
 */
export function collarOf(name: string): number {
  if (name.startsWith('asm') || name.startsWith('ami') || name.startsWith('pyannote')) return 0;
  return name.startsWith('paa') ? 0.5 : 0.25;
}

export const entries = (): Entry[] => readEvalJson<Entry[]>('diarization', 'manifest.json');

export async function speechOf(samples: Float32Array, detector: SpeechDetector): Promise<Interval[]> {
  const duration = samples.length / SAMPLE_RATE_HZ;
  return speechRegions(await detector.probabilities(samples), { ...DIARIZATION_SPEECH, duration });
}

export function featuresOf(samples: Float32Array): SpeakerFeatures {
  const features = new SpeakerFeatures();
  features.push(samples);
  return features;
}

/** The recordings in mono. */
export async function* recordings(detector: SpeechDetector): AsyncGenerator<LabelledRecording> {
  for (const entry of entries()) {
    const name = nameOf(entry.file);
    if (name.includes('stereo')) continue;
    const samples = decodeAudio(evalPath('diarization', entry.file));
    yield {
      name,
      group: groupOf(name, entry.n_speakers),
      entry,
      reference: entry.rttm ? parseRttm(readFileSync(evalPath('diarization', entry.rttm), 'utf8')) : null,
      samples,
      features: featuresOf(samples),
      speech: await speechOf(samples, detector),
    };
  }
}

export const labelled = (turns: SpeakerTurn[]): LabelledSegment[] =>
  turns.map(({ start, end, speaker }) => ({ start, end, speaker: String(speaker) }));
