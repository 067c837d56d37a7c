import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type {
  Affect,
  AnalysisOptionsInput,
  AnalysisResponse,
  ExportFormat,
  Quality,
  RedactionKind,
  Undertone,
} from '../../sdk/index.ts';
import { analysisOptions } from '../../sdk/media.ts';
import { EXIT, exitOf, Misuse } from '../exits.ts';
import { mediaOf, type NamedMedia } from '../recording.ts';
import { resultLines } from '../result.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain } from '../terminal.ts';

/** The export formats. The compiler checks that the list is complete. */
const KNOWN: Readonly<Record<ExportFormat, true>> = {
  json: true,
  txt: true,
  md: true,
  srt: true,
  vtt: true,
  csv: true,
  html: true,
};
export const FORMATS = Object.keys(KNOWN) as ExportFormat[];
const QUALITIES: Readonly<Record<Quality, true>> = { best: true, fast: true };

/** Adds the options of an analysis to a command. */
export function withAnalysisOptions(command: Command): Command {
  return command
    .option('--goal <text>', 'what you want to find out, such as a question')
    .option('--speakers <n>', 'number of speakers, if known', wholeNumber)
    .option('--recogniser <id>', 'the recogniser to use')
    .addOption(new Option('--quality <quality>', 'transcription quality').choices(Object.keys(QUALITIES)))
    .option('--words <list>', 'names and terms that may be spoken, separated by commas; repeatable', listedWords)
    .option('--language <tag>', 'spoken language, such as en or pt-BR')
    .option('--roles <list>', 'the roles of the two channels, such as agent,customer', rolesOf)
    .option('--affect <mode>', 'full, words or none; or per speaker or role: role:agent=none,*=full', affectOf)
    .option('--redact <kinds>', 'personal data to remove, such as card,phone; `all` for every kind', redactOf)
    .option('--recorded-at <time>', 'when the recording began, such as 2026-11-27T14:05:00Z')
    .option('--time-zone <zone>', 'time zone of the recording, such as Europe/London');
}

/** The options of an analysis as `commander` names them. */
export interface GivenOptions extends AnalysisOptionsInput {
  recordedAt?: string;
  timeZone?: string;
}

/** The options of an analysis as they are sent. */
export const optionsOf = ({ recordedAt, timeZone, ...options }: GivenOptions): AnalysisOptionsInput =>
  analysisOptions({ ...options, recorded_at: recordedAt, time_zone: timeZone });

export function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function listedWords(text: string, before: readonly string[] = []): string[] {
  const named = text.split(',').map((word) => word.trim());
  return [...before, ...named.filter((word) => word !== '')];
}

function rolesOf(text: string): (string | null)[] {
  return text.split(',').map((role) => role.trim() || null);
}

function affectOf(text: string): Affect {
  if (!text.includes('=')) return text as Affect;
  return Object.fromEntries(text.split(',').map((pair) => pair.split('=', 2).map((part) => part.trim())));
}

/** The kinds of redaction. The compiler checks that the list is complete. */
const REDACTIONS: Readonly<Record<RedactionKind, true>> = {
  card: true,
  iban: true,
  ssn: true,
  email: true,
  phone: true,
  dob: true,
  password: true,
  account: true,
  postcode: true,
  address: true,
  name: true,
  digits: true,
};

/** The service refuses an unknown kind with the list of all. */
function redactOf(text: string): RedactionKind[] {
  if (text.trim() === 'all') return Object.keys(REDACTIONS) as RedactionKind[];
  return text.split(',').map((kind) => kind.trim() as RedactionKind);
}

export function formatsOf(text: string): ExportFormat[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FORMATS.some((format) => format === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is not one of ${FORMATS.join(', ')}.`);
  return FORMATS.filter((format) => names.includes(format));
}

interface AnalyzeCommand extends GivenOptions, ServiceOptions {
  json?: true;
  transcript?: true;
  export?: ExportFormat[];
  out?: string;
}

export function addAnalyze(program: Command, run: CommandRun): void {
  const command = program
    .command('analyze')
    .alias('analyse')
    .description('Analyse recordings: files, URLs, or retained uploads')
    .argument('<file...>', 'files, https URLs, or ids of retained uploads');
  withAnalysisOptions(command)
    .option('--json', 'print each result as a line of JSON')
    .option('--transcript', 'also print every utterance')
    .addOption(new Option('--export <formats>', `write files: ${FORMATS.join(',')}`).argParser(formatsOf))
    .option('--out <dir>', 'folder for the files; default: the current folder')
    .addHelpText(
      'after',
      `
Examples:
  $ undertone analyze call.wav --goal "What was agreed?"
  $ undertone analyze *.mp3 --export vtt,md --out results
  $ undertone analyze call.wav --json | jq .summary.overview`,
    )
    .action(async (files: string[], _, self: Command) => {
      const options = self.optsWithGlobals<AnalyzeCommand>();
      const client = clientOf(options, run.onRetry);
      const all = await Promise.all(files.map(mediaOf));
      process.exitCode = await analyseAll(client, all, options, run);
    });
}

/** Analyses recordings one after the other, continuing after a failure. @returns the exit code of the first failure */
async function analyseAll(
  client: Undertone,
  all: NamedMedia[],
  options: AnalyzeCommand,
  run: CommandRun,
): Promise<number> {
  let code: number = EXIT.done;
  for (const [n, named] of all.entries()) {
    try {
      await analyseOne(client, named, { ...options, isFirst: n === 0 }, run);
    } catch (error) {
      if (all.length === 1 || run.signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      run.note(`${plain(named.name)}: ${plain(why)}`);
      code ||= exitOf(error);
    }
  }
  return code;
}

async function analyseOne(
  client: Undertone,
  { media, name, filename }: NamedMedia,
  options: AnalyzeCommand & { isFirst: boolean },
  run: CommandRun,
): Promise<void> {
  const shown = plain(name);
  run.show(`${shown}: sending`);
  const { signal } = run;
  const onProgress = run.progress(shown);
  const analysis = await client.analyze(media, { ...optionsOf(options), filename, signal, onProgress });
  const written = await writeExports(client, analysis, parse(shown).name, options, run);
  run.hide();
  if (options.json) return print(JSON.stringify(analysis));
  const output = outputOf(process.stdout);
  if (!options.isFirst) await print('');
  await print(resultLines(analysis, { title: name, transcript: options.transcript }, output));
  for (const path of written) run.note(`Written: ${path}`);
}

async function writeExports(
  client: Undertone,
  { conversation_id: id }: AnalysisResponse,
  stem: string,
  { export: requested, out }: AnalyzeCommand,
  run: CommandRun,
): Promise<string[]> {
  const formats = requested ?? (out === undefined ? [] : (['json'] as const));
  const folder = out ?? '.';
  if (formats.length > 0) mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  for (const format of formats) {
    run.show(`${stem}.${format}`);
    const path = join(folder, `${stem.replaceAll(/[/\\]/g, '_') || id}.${format}`);
    writeAtomically(
      path,
      new Uint8Array(await (await client.conversations.export(id, format, { signal: run.signal })).arrayBuffer()),
    );
    written.push(path);
  }
  return written;
}

/** Writes a file atomically. @throws Misuse if it cannot be written */
export function writeAtomically(path: string, bytes: Uint8Array): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Misuse(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
