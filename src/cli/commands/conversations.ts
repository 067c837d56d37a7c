import { type Command, Option } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { ConversationEntry, ConversationQueryInput, ExportFormat } from '../../sdk/index.ts';
import { EXIT, exitOf, Misuse } from '../exits.ts';
import { listLines, resultLines } from '../result.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { paperOf, plain, wrapped } from '../terminal.ts';
import { FORMATS, formatsOf, wholeNumber, writeWhole } from './analyze.ts';

const STATUSES = ['processing', 'completed', 'failed', 'cancelled'] as const;
const MOMENTS = ['objection', 'cta_offered', 'cta_accepted', 'cta_rejected', 'topic_shift'] as const;
const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

/** Around what was found, while lines are broken; of the letters that nobody writes. */
const HIT = { begins: '\uE000', ends: '\uE001', all: /\uE000([^\uE001]*)\uE001?/g };

interface ListCommand extends ServiceOptions {
  limit: number;
  status?: (typeof STATUSES)[number];
  moment?: (typeof MOMENTS)[number];
  sentiment?: (typeof SENTIMENTS)[number];
  label?: string;
  json?: true;
}

export function addConversations(program: Command, run: CommandRun): void {
  const group = program.command('conversations').description('What was analysed, and stays');
  addList(group, run);
  addShow(group, run);
  addExport(group, run);
  addDelete(group, run);
}

const withFilters = (command: Command): Command =>
  command
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .addOption(new Option('--status <status>').choices(STATUSES))
    .addOption(new Option('--moment <category>', 'in which such a moment occurs').choices(MOMENTS))
    .addOption(new Option('--sentiment <label>').choices(SENTIMENTS))
    .option('--label <label>')
    .option('--json', 'print each as a line of JSON');

function addList(group: Command, run: CommandRun): void {
  withFilters(group.command('list').description('The newest first')).action(async (_, self: Command) => {
    const options = self.optsWithGlobals<ListCommand>();
    const found = await collected(options, {}, run);
    const paper = paperOf(process.stdout);
    if (options.json) await printEach(found);
    else if (found.length > 0) await print(listLines(found, paper));
    else run.note('Nothing is stored that fits.');
  });
  withFilters(
    group
      .command('search')
      .description('Those in which it was said: every word in any form, "words in quotation marks" as they stand')
      .argument('<words...>'),
  ).action(async (words: string[], _, self: Command) => {
    const options = self.optsWithGlobals<ListCommand>();
    const found = await collected(options, { q: words.join(' ') }, run);
    if (options.json) return printEach(found);
    if (found.length === 0) run.note('Nobody said that.');
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

async function printEach(found: readonly ConversationEntry[]): Promise<void> {
  for (const entry of found) await print(JSON.stringify(entry));
}

/** A conversation with the places in it where something was said. */
function matchLines({ conversation_id, title, matches = [] }: ConversationEntry): string[] {
  const { width, paint } = paperOf(process.stdout);
  return [
    `${paint('bold', plain(title) || 'untitled')}  ${paint('dim', conversation_id)}`,
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
    .description('A result, as analyze prints it')
    .argument('<id>')
    .option('--transcript', 'print every utterance, too')
    .option('--json', 'print it as JSON')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { transcript?: true; json?: true }>();
      const { conversations } = clientOf(options, run.onRetry);
      const { signal } = run;
      const [analysis, { title }] = await Promise.all([
        conversations.get(id, { signal }),
        conversations.record(id, { signal }),
      ]);
      if (options.json) return print(JSON.stringify(analysis));
      await print(resultLines(analysis, { title, transcript: options.transcript }, paperOf(process.stdout)));
    });
}

function addExport(group: Command, run: CommandRun): void {
  group
    .command('export')
    .description('Write one as a file; or, with --all, everything that is stored as lines of JSON')
    .argument('[id]')
    .option('--format <format>', FORMATS.join(', '), formatsOf, ['md'])
    .option('--output <file>', 'where to; standard output if not given')
    .option('--all', 'everything that is stored')
    .action(async (id: string | undefined, _, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { format: ExportFormat[]; output?: string; all?: true }>();
      const { conversations } = clientOf(options, run.onRetry);
      const { signal } = run;
      if (options.all) {
        for await (const one of conversations.exportAll({ signal })) await print(JSON.stringify(one));
        return;
      }
      if (id === undefined) throw new Misuse('Name a conversation, or --all');
      const [format = 'md'] = options.format;
      const bytes = new Uint8Array(await (await conversations.export(id, format, { signal })).arrayBuffer());
      if (options.output !== undefined) writeWhole(options.output, bytes);
      else await new Promise((resolve) => process.stdout.write(bytes, resolve));
    });
}

function addDelete(group: Command, run: CommandRun): void {
  group
    .command('delete')
    .description('Remove conversations with all that is stored of them')
    .argument('<id...>')
    .option('--json', 'print each receipt as a line of JSON')
    .action(async (ids: string[], _, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { json?: true }>();
      const { conversations } = clientOf(options, run.onRetry);
      let code: number = EXIT.done;
      for (const id of ids) {
        try {
          const receipt = await conversations.delete(id, { signal: run.signal });
          if (options.json) await print(JSON.stringify(receipt));
          else run.note(`Deleted: ${id}`);
        } catch (error) {
          if (ids.length === 1 || run.signal.aborted) throw error;
          run.note(`${id}: ${error instanceof Error ? error.message : error}`);
          code ||= exitOf(error);
        }
      }
      process.exitCode = code;
    });
}
