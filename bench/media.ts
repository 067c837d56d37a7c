import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { ServiceError } from '../src/contract/errors.ts';
import { postMedia, readFileOutput, startServer } from '../support/pipeline-server.ts';
import { report } from './report.ts';

// Every odd file of the evaluation data through a pipeline server. Each must get the right duration or a clear refusal,
// without a crash, a hang or leftovers.

interface MediaFile {
  file: string;
  what: string;
  duration: string | null;
  ffmpeg_audio_decode: 'ok' | 'ok-with-errors' | 'fails';
}

interface Outcome {
  said: string;
  duration: number;
  seconds: number;
}

/** Tolerance of a duration, s. */
const TOLERANCE_S = 0.1;

async function outcomeOf(port: number, file: string): Promise<Outcome> {
  const started = performance.now();
  let said = 'no end';
  let duration = 0;
  try {
    const { result } = await readFileOutput(await postMedia(`http://127.0.0.1:${port}`, readFileSync(file)));
    duration = result.media.duration_s;
    said = `${result.utterances} utterances`;
    if (result.warnings.length > 0) said += ` (${result.warnings.join(' ')})`;
  } catch (error) {
    if (error instanceof ServiceError) said = `${error.code}: ${error.detail}`;
  }
  return { said, duration, seconds: (performance.now() - started) / 1000 };
}

/** Children of the server that are still running. */
const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child !== '').length;
const temporaryFiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith('undertone-')).length;

function verdict({ ffmpeg_audio_decode, duration }: MediaFile, outcome: Outcome): string {
  const refused = /^[A-Z_]+:/.test(outcome.said);
  if (ffmpeg_audio_decode === 'fails') return refused ? 'ok' : 'WRONG';
  if (ffmpeg_audio_decode === 'ok-with-errors') return outcome.said === 'no end' ? 'WRONG' : 'ok';
  const expected = Number(duration ?? 0);
  return !refused && Math.abs(outcome.duration - expected) <= TOLERANCE_S ? 'ok' : 'DIFFERS';
}

const files = readEvalJson<MediaFile[]>('media', 'manifest.json');
const before = temporaryFiles();
const { server, port } = await startServer();
const rows: (string | number)[][] = [];
for (const media of files) {
  const outcome = await outcomeOf(port, evalPath('media', media.file));
  rows.push([
    verdict(media, outcome),
    media.file,
    media.duration ?? '-',
    outcome.duration,
    outcome.seconds.toFixed(1),
    outcome.said,
  ]);
}
const left = [childrenOf(server.pid!), temporaryFiles() - before];
server.kill();
report('media', [
  {
    title: 'Odd media through the pipeline',
    columns: ['verdict', 'file', 'stated s', 'decoded s', 'took s', 'answer'],
    rows,
    note: 'DIFFERS: the container states another length than its sound has (VBR, encoder padding, guessed bit rate).',
  },
  { title: 'Left behind', columns: ['processes', 'temporary files'], rows: [left] },
]);
