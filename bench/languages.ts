import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import { analyse } from '../containers/pipeline/pipeline.ts';
import { WorkerPool } from '../containers/pipeline/workers/pool.ts';
import { EVAL_DATA } from '../scripts/eval-data.ts';
import type { AnalysisResponse } from '../src/contract/analysis.ts';
import { ServiceError } from '../src/contract/errors.ts';
import { OPTIONS } from '../support/pipeline-server.ts';
import { FOREIGN_SPEECH } from './foreign-speech.ts';
import { report, say, type Table } from './report.ts';

// Whether speech in other languages is reported as not understood, and English speech never is. The whole pipeline runs
// on recordings of the evaluation data and, if espeak-ng is installed, on texts that it reads.

const { values } = parseArgs({ strict: false, options: { most: { type: 'string', default: '100' } } });
/** Number of recordings of a group, chosen evenly. */
const MOST = Number(values.most);
/** Recordings analysed at once. */
const AT_ONCE = 3;
const AUDIO = ['.flac', '.wav', '.mp3', '.m4a', '.ogg'];

interface Group {
  name: string;
  isEnglish: boolean;
  files: string[];
}

const filesOf = (...path: string[]): string[] => {
  const folder = join(EVAL_DATA, ...path);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => AUDIO.includes(extname(file)))
    .sort()
    .map((file) => join(folder, file));
  return files.filter((_, i) => Math.floor((i * MOST) / files.length) !== Math.floor(((i - 1) * MOST) / files.length));
};

/** Six people of pyAudioAnalysis who speak several languages. */
const SEVERAL_LANGUAGES = 'paa_diarizationExample2';

function groups(folder: string): Group[] {
  const calls = filesOf('diarization', 'audio');
  return [
    { name: 'calls and meetings', isEnglish: true, files: calls.filter((file) => !file.includes(SEVERAL_LANGUAGES)) },
    { name: 'read clips', isEnglish: true, files: filesOf('asr', 'audio') },
    { name: 'telephone sentences', isEnglish: true, files: filesOf('telephone', 'audio') },
    { name: 'acted sentences (RAVDESS)', isEnglish: true, files: filesOf('speech-emotion', 'ravdess') },
    { name: 'German sentences (EmoDB)', isEnglish: false, files: filesOf('speech-emotion', 'emodb') },
    { name: 'several languages', isEnglish: false, files: calls.filter((file) => file.includes(SEVERAL_LANGUAGES)) },
    { name: 'espeak-ng, other languages', isEnglish: false, files: synthesised(folder) },
  ];
}

/** Each text in a man's and a woman's voice. */
function synthesised(folder: string): string[] {
  try {
    execFileSync('espeak-ng', ['--version']);
  } catch {
    say('espeak-ng is not installed: its languages are left out');
    return [];
  }
  return Object.entries(FOREIGN_SPEECH).flatMap(([language, text]) =>
    ['m3', 'f2'].map((variant) => {
      const file = join(folder, `${language}-${variant}.wav`);
      execFileSync('espeak-ng', ['-v', `${language}+${variant}`, '-s', '155', '-w', file, text]);
      return file;
    }),
  );
}

async function analysed(file: string, pool: WorkerPool): Promise<AnalysisResponse | null> {
  const options = { ...OPTIONS, suffix: extname(file) as typeof OPTIONS.suffix };
  const output = new AnalysisOutput({ ...options, live: false });
  try {
    for await (const line of analyse(createReadStream(file), { options }, pool)) output.take(line);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NO_UTTERANCES') return null;
    throw error;
  }
  const document = output.documents?.find(({ name }) => name === 'result.json');
  return JSON.parse(Buffer.concat(document!.parts.map(({ bytes }) => bytes)).toString()) as AnalysisResponse;
}

/** Findings that depend on words. */
const findingsOf = ({ moments, summary, timeline }: AnalysisResponse): number =>
  moments.length +
  summary.key_insights.length +
  summary.recommendations.length +
  timeline.filter(({ emotion, sentiment }) => emotion !== null || sentiment !== null).length;

async function rowOf({ name, isEnglish, files }: Group, pool: WorkerPool): Promise<Table['rows'][number]> {
  const counts = { en: 0, unknown: 0, null: 0, silent: 0 };
  let findings = 0;
  let withFindings = 0;
  const left = [...files];
  const work = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const result = await analysed(file, pool);
      if (!result) {
        counts.silent++;
        continue;
      }
      const language = String(result.language) as 'en' | 'unknown' | 'null';
      counts[language]++;
      if ((language === 'en') !== isEnglish)
        say(
          `${file}: ${language}: ${result.timeline
            .map(({ text }) => text)
            .join(' ')
            .slice(0, 100)}`,
        );
      const found = findingsOf(result);
      findings += found;
      if (found > 0) withFindings++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  say(`${name}: ${files.length}`);
  return [name, files.length, counts.en, counts.unknown, counts.null, counts.silent, withFindings, findings];
}

const folder = mkdtempSync(join(tmpdir(), 'undertone-languages-'));
const pool = await WorkerPool.start();
try {
  const rows: Table['rows'] = [];
  for (const group of groups(folder)) if (group.files.length > 0) rows.push(await rowOf(group, pool));
  report('languages', [
    {
      title: 'Speech that the built-in recogniser understands',
      columns: ['recordings', 'count', 'en', 'unknown', 'too little', 'no words', 'with findings', 'findings'],
      rows,
      note: 'Findings: moments, insights, recommendations, and utterances with emotion or sentiment.',
    },
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
