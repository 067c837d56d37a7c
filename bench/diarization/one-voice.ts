import { readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { analyse } from '../../containers/pipeline/pipeline.ts';
import { wavOf } from '../../containers/pipeline/recognition/endpoint/wav.ts';
import { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { decodeAudio, evalPath, readEvalJson } from '../../scripts/eval-data.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';
import { DEFAULT_LANGUAGE } from '../../src/conversation/languages.ts';
import { loneVoice } from '../../src/conversation/turn-taking/lone-voice.ts';
import type { Table } from '../report.ts';
import { entries, nameOf } from './recordings.ts';

/** Silence between the clips of one person, s, and clips of a person. */
const GAP_S = 0.3;
const CLIPS = 6;
/** Telephone callers, and clips that one needs. */
const CALLERS = 12;
const CALLER_CLIPS = 3;

interface Heard {
  group: string;
  people: number;
  files: string[];
}

/** Far-field meetings and small groups; recordings of one person; clips of one person after each other. */
function recordings(): Heard[] {
  const whole = entries()
    .filter(({ file }) => !file.includes('stereo') && !file.includes('asm'))
    .map(({ file, n_speakers: people }): Heard => {
      const name = nameOf(file);
      const group =
        people === 1 ? 'one person, calls' : name.startsWith('ami') ? 'far-field meetings' : 'several people';
      return { group, people, files: [evalPath('diarization', file)] };
    });
  const clips = readEvalJson<{ file: string; speaker?: string }[]>('asr', 'manifest.json').filter((c) => c.speaker);
  const readers = Map.groupBy(clips, ({ speaker }) => speaker);
  const callers = Map.groupBy(readdirSync(evalPath('telephone', 'audio')).sort(), (file) => file.split('_')[0]);
  const together = (group: string, files: string[]): Heard => ({ group, people: 1, files });
  return [
    ...whole,
    ...[...readers.values()]
      .filter((own) => own.length > 1)
      .map((own) =>
        together(
          'one reader',
          own.slice(0, CLIPS).map(({ file }) => evalPath('asr', file)),
        ),
      ),
    ...[...callers.values()]
      .filter((own) => own.length >= CALLER_CLIPS)
      .slice(0, CALLERS)
      .map((own) =>
        together(
          'one caller',
          own.map((file) => evalPath('telephone', 'audio', file)),
        ),
      ),
  ];
}

function joined(files: string[]): Float32Array {
  const gap = Math.round(GAP_S * SAMPLE_RATE_HZ);
  const clips = files.map((file) => decodeAudio(file));
  const samples = new Float32Array(clips.reduce((sum, clip) => sum + clip.length + gap, 0));
  let at = 0;
  for (const clip of clips) {
    samples.set(clip, at);
    at += clip.length + gap;
  }
  return samples;
}

/** How often several people are reported as one person without a warning, and one person with a warning. */
export async function oneVoiceTable(): Promise<Table> {
  const pool = await WorkerPool.start(2);
  const counts = new Map<string, { recordings: number; one: number; warned: number; people: number }>();
  for (const { group, people, files } of recordings()) {
    const timeline: TimelineEntry[] = [];
    const row = counts.get(group) ?? { recordings: 0, one: 0, warned: 0, people };
    counts.set(group, row);
    const options = { conversation_id: 'c', suffix: '.wav', affect: 'none' } as const;
    for await (const line of analyse(Readable.from([wavOf(joined(files))]), { options }, pool)) {
      if (line.type === 'utterance') timeline.push(line.entry);
      if (line.type !== 'end' || line.speakers.count !== 1) continue;
      row.one++;
      const heard = { speakers: line.speakers, hasSilentChannel: false };
      row.warned += Number(loneVoice(timeline, DEFAULT_LANGUAGE, heard) === 'unknown');
    }
    row.recordings++;
  }
  await pool.close();
  return {
    title: 'One voice: told as one person, and with the warning that there may be more',
    columns: ['recordings', 'n', 'one voice found', 'with warning', 'wrong', 'bar'],
    rows: [...counts].map(([group, { recordings, one, warned, people }]) => [
      group,
      recordings,
      one,
      warned,
      people === 1 ? warned : one - warned,
      people === 1 ? Math.floor(recordings / 10) : 0,
    ]),
    note: 'Wrong: several people told as one without the warning, or one person with it.',
  };
}
