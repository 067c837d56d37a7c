import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type {
  Affect,
  AnalysisOptionsInput,
  AnalysisResponse,
  ExportFormat,
  Quality,
  Undertone,
} from '../../sdk/index.ts';
import { analysisOptions } from '../../sdk/media.ts';
import { EXIT, exitOf, Misuse } from '../exits.ts';
import { mediaOf, type Named } from '../recording.ts';
import { resultLines } from '../result.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { paperOf, plain } from '../terminal.ts';

/** Of the service's own: one more or less does not compile. */
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

/** Options of an analysis, as every command has them that begins one. */
export function withAnalysisOptions(command: Command): Command {
  return command
    .option('--goal <text>', 'what the analysis is for')
    .option('--speakers <n>', 'how many people speak, when you know it', wholeNumber)
    .option('--recogniser <id>', 'who hears the words')
    .addOption(new Option('--quality <quality>', 'how much is done to hear them').choices(Object.keys(QUALITIES)))
    .option('--words <list>', 'names and terms that may be said, between commas; may be given again', listedWords)
    .option('--language <tag>', 'what is spoken, as en or pt-BR')
    .option('--affect <mode>', 'full, words or none; or by speaker: Speaker_0=none,*=full', affectOf);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function listedWords(text: string, before: readonly string[] = []): string[] {
  const named = text.split(',').map((word) => word.trim());
  return [...before, ...named.filter((word) => word !== '')];
}

function affectOf(text: string): Affect {
  if (!text.includes('=')) return text as Affect;
  return Object.fromEntries(text.split(',').map((pair) => pair.split('=', 2).map((part) => part.trim())));
}

export function formatsOf(text: string): ExportFormat[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !FORMATS.some((format) => format === name));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${FORMATS.join(', ')}.`);
  return FORMATS.filter((format) => names.includes(format));
}

interface AnalyzeCommand extends AnalysisOptionsInput, ServiceOptions {
  json?: true;
  transcript?: true;
  export?: ExportFormat[];
  out?: string;
}

export function addAnalyze(program: Command, run: CommandRun): void {
  const command = program
    .command('analyze')
    .alias('analyse')
    .description('Analyse recordings: files, addresses, or uploads that were kept')
    .argument('<file...>', 'files, https addresses, or ids of kept uploads');
  withAnalysisOptions(command)
    .option('--json', 'print each answer as a line of JSON')
    .option('--transcript', 'print every utterance, too')
    .addOption(new Option('--export <formats>', `write files: ${FORMATS.join(',')}`).argParser(formatsOf))
    .option('--out <dir>', 'where files go; the current folder if not given')
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
      process.exitCode = await analyzeAll(client, all, options, run);
    });
}

/** One after the other; one that fails does not keep the others from it. @returns the code of the first that failed */
async function analyzeAll(client: Undertone, all: Named[], options: AnalyzeCommand, run: CommandRun): Promise<number> {
  let code: number = EXIT.done;
  for (const [n, named] of all.entries()) {
    try {
      await analyzeOne(client, named, { ...options, isFirst: n === 0 }, run);
    } catch (error) {
      if (all.length === 1 || run.signal.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      run.note(`${plain(named.name)}: ${plain(why)}`);
      code ||= exitOf(error);
    }
  }
  return code;
}

async function analyzeOne(
  client: Undertone,
  { media, name, filename }: Named,
  options: AnalyzeCommand & { isFirst: boolean },
  run: CommandRun,
): Promise<void> {
  const shown = plain(name);
  run.say(`${shown}: sending`);
  const { signal } = run;
  const onProgress = run.progress(shown);
  const analysis = await client.analyze(media, { ...analysisOptions(options), filename, signal, onProgress });
  const written = await writeExports(client, analysis, parse(shown).name, options, run);
  run.hush();
  if (options.json) return print(JSON.stringify(analysis));
  const paper = paperOf(process.stdout);
  if (!options.isFirst) await print('');
  await print(resultLines(analysis, { title: name, transcript: options.transcript }, paper));
  for (const path of written) run.note(`Written: ${path}`);
}

async function writeExports(
  client: Undertone,
  { conversation_id: id }: AnalysisResponse,
  stem: string,
  { export: asked, out }: AnalyzeCommand,
  run: CommandRun,
): Promise<string[]> {
  const formats = asked ?? (out === undefined ? [] : (['json'] as const));
  const folder = out ?? '.';
  if (formats.length > 0) mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  for (const format of formats) {
    run.say(`${stem}.${format}`);
    const path = join(folder, `${stem.replaceAll(/[/\\]/g, '_') || id}.${format}`);
    writeWhole(
      path,
      new Uint8Array(await (await client.conversations.export(id, format, { signal: run.signal })).arrayBuffer()),
    );
    written.push(path);
  }
  return written;
}

/** Whole, or not at all. @throws Misuse where it cannot be written */
export function writeWhole(path: string, bytes: Uint8Array): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    writeFileSync(draft, bytes);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Misuse(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
  }
}
