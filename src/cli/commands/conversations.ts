import { type Command, InvalidArgumentError, Option } from 'commander';
import { clockOf, recordedOn } from '../../mcp/links.ts';
import {
  type BatchRequest,
  type ConversationEntry,
  type ConversationQueryInput,
  type ExportFormat,
  MOMENT_CATEGORIES,
  type MomentCategory,
  UndertoneError,
} from '../../sdk/index.ts';
import { EXIT, exitOf, Misuse } from '../exits.ts';
import { listLines, resultLines } from '../result.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table, wrapped } from '../terminal.ts';
import { addAccess } from './access-log.ts';
import { FORMATS, formatsOf, wholeNumber, writeAtomically } from './analyze.ts';

const STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

/** Private-use characters that mark hits while lines are being wrapped. */
const HIT = { begins: '\uE000', ends: '\uE001', all: /\uE000([^\uE001]*)\uE001?/g };

interface ListCommand extends ServiceOptions {
  limit: number;
  status?: (typeof STATUSES)[number];
  moment?: MomentCategory;
  sentiment?: (typeof SENTIMENTS)[number];
  label?: string;
  json?: true;
}

export function addConversations(program: Command, run: CommandRun): void {
  const group = program
    .command('conversations')
    .description('List, search, show, label, export and delete stored conversations');
  addList(group, run);
  addShow(group, run);
  addCourse(group, run);
  addExport(group, run);
  addAccess(group, run);
  addLabel(group, run);
  addReview(group, run);
  addDelete(group, run);
}

const withFilters = (command: Command): Command =>
  command
    .option('--limit <n>', 'maximum number', wholeNumber, 20)
    .addOption(new Option('--status <status>', 'only conversations with this status').choices(STATUSES))
    .addOption(
      new Option('--moment <category>', 'only conversations with a moment of this category').choices(
        MOMENT_CATEGORIES.map(({ name }) => name),
      ),
    )
    .addOption(new Option('--sentiment <label>', 'only conversations with this sentiment').choices(SENTIMENTS))
    .option('--label <label>', 'only conversations with this label')
    .option('--json', 'print each conversation as a line of JSON');

function addList(group: Command, run: CommandRun): void {
  withFilters(group.command('list').description('List conversations, newest first')).action(
    async (_, self: Command) => {
      const options = self.optsWithGlobals<ListCommand>();
      const found = await collected(options, {}, run);
      if (options.json) await printEach(found);
      else await printConversations(found, run);
    },
  );
  withFilters(
    group
      .command('search')
      .description('Search for words in any form, or "exact phrases" in quotation marks')
      .argument('<words...>'),
  ).action(async (words: string[], _, self: Command) => {
    const options = self.optsWithGlobals<ListCommand>();
    const found = await collected(options, { q: words.join(' ') }, run);
    if (options.json) return printEach(found);
    if (found.length === 0) run.note('No conversations found.');
    for (const entry of found) await print(matchLines(entry));
  });
}

async function collected(
  options: ListCommand,
  more: ConversationQueryInput,
  run: CommandRun,
): Promise<ConversationEntry[]> {
  const { limit, status, moment, sentiment, label } = options;
  const query = { ...more, status, moment, sentiment, label, limit: Math.max(1, Math.min(100, limit)) };
  const found: ConversationEntry[] = [];
  for await (const entry of clientOf(options, run.onRetry).conversations.all(query, { signal: run.signal })) {
    if (found.length >= limit) break;
    found.push(entry);
  }
  return found;
}

export async function printConversations(found: readonly ConversationEntry[], run: CommandRun): Promise<void> {
  if (found.length > 0) await print(listLines(found, outputOf(process.stdout)));
  else run.note('No conversations found.');
}

async function printEach(found: readonly ConversationEntry[]): Promise<void> {
  for (const entry of found) await print(JSON.stringify(entry));
}

/** A conversation with its matching utterances. */
function matchLines({ conversation_id, title, matches = [], ...entry }: ConversationEntry): string[] {
  const { width, paint } = outputOf(process.stdout);
  return [
    `${paint('bold', plain(title) || 'untitled')}  ${recordedOn(entry)}  ${paint('dim', conversation_id)}`,
    ...matches.flatMap(({ t_start, text, hits }) => {
      let marked = '';
      let at = 0;
      for (const [from = 0, to = 0] of hits) {
        marked += text.slice(at, from) + HIT.begins + text.slice(from, to) + HIT.ends;
        at = to;
      }
      const lines = wrapped(marked + text.slice(at), width - 10);
      return lines.map((line, i) => {
        const time = i === 0 ? clockOf(t_start).padStart(7) : ' '.repeat(7);
        return `${paint('dim', time)}  ${line.replaceAll(HIT.all, (_, hit: string) => paint(['bold', 'yellow'], hit))}`;
      });
    }),
  ];
}

function addShow(group: Command, run: CommandRun): void {
  group
    .command('show')
    .description('Show a result as analyze prints it')
    .argument('<id>')
    .option('--transcript', 'also print every utterance')
    .option('--json', 'print the result as JSON')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { transcript?: true; json?: true }>();
      const { conversations } = clientOf(options, run.onRetry);
      const { signal } = run;
      const [analysis, { title }] = await Promise.all([
        conversations.get(id, { signal }),
        conversations.record(id, { signal }),
      ]);
      if (options.json) return print(JSON.stringify(analysis));
      await print(resultLines(analysis, { title, transcript: options.transcript }, outputOf(process.stdout)));
    });
}

function addCourse(group: Command, run: CommandRun): void {
  group
    .command('course')
    .description('Show valence, arousal, pitch and level over time, for each speaker')
    .argument('<id>')
    .option('--window <seconds>', 'length of a window, 0.5 to 60', secondsOf, 1)
    .option('--json', 'print the course as JSON')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { window: number; json?: true }>();
      const { window } = options;
      const found = await clientOf(options, run.onRetry).conversations.course(id, { window, signal: run.signal });
      if (options.json) return print(JSON.stringify(found));
      const rows = found.course.map((entry) => [
        ...[clockOf(entry.t_start), shown(entry.valence, 2), shown(entry.arousal, 2)],
        ...[shown(entry.pitch_hz, 0), shown(entry.level_db, 1), plain(entry.speaker)],
      ]);
      const head = ['time', 'valence', 'arousal', 'pitch Hz', 'level dB', 'speaker'];
      await print(table([head, ...rows], outputOf(process.stdout)));
      for (const note of found.notes) run.note(plain(note));
    });
}

/** A number, or a dash if there is none. */
const shown = (value: number | null, digits: number): string => value?.toFixed(digits) ?? '-';

/** @throws InvalidArgumentError for a string that is not a number */
function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !Number.isFinite(seconds)) throw new InvalidArgumentError('It must be a number.');
  return seconds;
}

interface ExportCommand extends ServiceOptions {
  format: ExportFormat[];
  output?: string;
  all?: true;
  json?: true;
}

function addExport(group: Command, run: CommandRun): void {
  group
    .command('export')
    .description('Export a conversation as a file; with --all, export all conversations as lines of JSON')
    .argument('[id]')
    .option('--format <format>', FORMATS.join(', '), formatsOf, ['md'])
    .option('--output <file>', 'file to write; default: standard output')
    .option('--all', 'export all conversations')
    .option('--json', 'with --output: print the path and the size as JSON')
    .action(async (id: string | undefined, _, self: Command) => {
      const options = self.optsWithGlobals<ExportCommand>();
      const { conversations } = clientOf(options, run.onRetry);
      const { signal } = run;
      if (options.all) {
        for await (const one of conversations.exportAll({ signal })) await print(JSON.stringify(one));
        return;
      }
      if (id === undefined) throw new Misuse('Give the id of a conversation, or --all');
      const [format = 'md'] = options.format;
      const bytes = new Uint8Array(await (await conversations.export(id, format, { signal })).arrayBuffer());
      const { output } = options;
      if (output === undefined) return void (await new Promise((resolve) => process.stdout.write(bytes, resolve)));
      writeAtomically(output, bytes);
      if (options.json) await print(JSON.stringify({ conversation_id: id, format, path: output, bytes: bytes.length }));
      else run.note(`Written: ${output}`);
    });
}

/** Applies one act to conversations, and prints the outcome of each. */
async function changeEach(
  self: Command,
  run: CommandRun,
  { done, ...request }: BatchRequest & { done: string },
): Promise<void> {
  const options = self.optsWithGlobals<ServiceOptions & { json?: true }>();
  const result = await clientOf(options, run.onRetry).conversations.batch(request, { signal: run.signal });
  if (options.json) await print(JSON.stringify(result));
  let code: number = EXIT.done;
  for (const { conversation_id: id, outcome, error } of result.items) {
    if (error) code ||= exitOf(new UndertoneError(error.code, error.message));
    const what = outcome === 'done' ? done : 'Unchanged';
    if (!options.json) run.note(error ? `${id}: ${error.message}` : `${what}: ${id}`);
  }
  process.exitCode = code;
}

const collect = (value: string, before: string[]): string[] => [...before, value];

function addLabel(group: Command, run: CommandRun): void {
  group
    .command('label')
    .description('Add and remove labels of conversations')
    .argument('<id...>')
    .option('--add <label>', 'label to add; can be repeated', collect, [])
    .option('--remove <label>', 'label to remove; can be repeated', collect, [])
    .option('--json', 'print the outcomes as JSON')
    .action((ids: string[], { add, remove }: { add: string[]; remove: string[] }, self: Command) =>
      changeEach(self, run, { ids, labels: { add, remove }, done: 'Labelled' }),
    );
}

function addReview(group: Command, run: CommandRun): void {
  group
    .command('review')
    .description('Mark conversations as reviewed')
    .argument('<id...>')
    .option('--undo', 'mark them as to review')
    .option('--json', 'print the outcomes as JSON')
    .action((ids: string[], { undo }: { undo?: true }, self: Command) =>
      changeEach(self, run, { ids, reviewed: !undo, done: undo ? 'To review' : 'Reviewed' }),
    );
}

function addDelete(group: Command, run: CommandRun): void {
  group
    .command('delete')
    .description('Delete conversations with everything stored for them')
    .argument('<id...>')
    .option('--json', 'print the outcomes and the receipt of all as JSON')
    .action((ids: string[], _, self: Command) => changeEach(self, run, { ids, delete: true, done: 'Deleted' }));
}
