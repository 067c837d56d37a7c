import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { clockOf, recordedOnDay } from '../../mcp/links.ts';
import { cellFigures } from '../../mcp/trend-figures.ts';
import type {
  LineHit,
  MomentHit,
  MomentList,
  MomentQueryInput,
  TableFormat,
  TrendCell,
  TrendList,
  TrendMeasure,
} from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { plain } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

const MAX_LISTED = 100;

interface PatternsCommand extends ServiceOptions {
  json?: true;
  from?: string;
  to?: string;
  tz?: string;
  label?: string;
  language?: string;
  person?: string;
  rule?: string;
  speaker?: string;
  role?: string;
  words?: string;
  category?: string;
  minConfidence?: string;
  outcome?: string;
  onePer?: 'conversation';
  cursor?: string;
  limit?: number;
  by?: string;
  format?: TableFormat;
  out?: string;
}

export function addPatterns(program: Command, run: CommandRun): void {
  const client = (options: PatternsCommand) => clientOf(options, run.onRetry).patterns;
  const { signal } = run;

  filtered(program.command('moments').description('List the moments of all conversations, newest first'))
    .option('--category <list>', 'such as objection, or several with commas between')
    .option('--min-confidence <p>', 'at least this confidence, 0 to 1')
    .option('--outcome <outcome>', 'what followed within a minute: a category, or nothing')
    .option('--words <words>', 'only conversations in which all these words occur')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<PatternsCommand>();
      const { cursor: _cursor, limit: _limit, ...all } = { ...queryOf(options), signal };
      if (options.format) return writeTable(self, options, (format) => client(options).exportMoments(format, all));
      const list = await client(options).moments({ ...queryOf(options), signal });
      if (options.json) return print(JSON.stringify(list));
      await printMoments(list, run);
      const { next_cursor } = list;
      if (next_cursor !== null) run.note(`There are more: --cursor ${next_cursor}`);
    });

  filtered(program.command('lines').description('Find lines in all conversations, newest first'))
    .argument('<words>', 'words that must all occur in the line; "..." is a phrase, wat* any ending')
    .action(async (words: string, _, self: Command) => {
      const options = self.optsWithGlobals<PatternsCommand>();
      const { cursor: _cursor, limit: _limit, ...all } = { ...queryOf(options), q: words, signal };
      if (options.format) return writeTable(self, options, (format) => client(options).exportLines(format, all));
      const list = await client(options).lines({ ...queryOf(options), q: words, signal });
      if (options.json) return print(JSON.stringify(list));
      const { lines, next_cursor } = list;
      if (lines.length > 0) await print(lines.flatMap(lineLines).join('\n'));
      else if (next_cursor === null) run.note('No line has all these words.');
      if (next_cursor !== null) run.note(`There may be more: --cursor ${next_cursor}`);
    });

  conversationsOf(program.command('trends').description('Measure what changes over all conversations'))
    .argument('<measure>', 'such as moments.count, duration, silence, tone, talk_share or pace')
    .option('--by <groups>', 'one or two of day, week, month, label, language, rule, role, person, category, outcome')
    .option('--category <list>', 'for moments: such as objection, or several with commas between')
    .option('--min-confidence <p>', 'for moments: at least this confidence, 0 to 1')
    .option('--outcome <outcome>', 'for moments: what followed within a minute')
    .option('--words <words>', 'only conversations in which all these words occur')
    .action(async (name: string, _, self: Command) => {
      const options = self.optsWithGlobals<PatternsCommand>();
      const { by, json } = options;
      // The service checks the name of the measure.
      const query = { ...queryOf(options), measure: name as TrendMeasure, ...(by !== undefined && { by }), signal };
      if (options.format) return writeTable(self, options, (format) => client(options).exportTrends(format, query));
      const list = await client(options).trends(query);
      if (json) return print(JSON.stringify(list));
      run.note(`${list.measure}, ${list.unit}; conversations: ${list.n}`);
      if (list.cells.length > 0) await print(list.cells.map((cell) => cellLine(cell, list)).join('\n'));
    });

  async function writeTable(
    self: Command,
    { format = 'csv', out, json }: PatternsCommand,
    read: (format: TableFormat) => Promise<Blob>,
  ): Promise<void> {
    if (out === undefined && format === 'parquet') self.error('--out is needed for parquet', { exitCode: 2 });
    const table = await read(format);
    if (out === undefined) return print(json ? JSON.stringify(await table.text()) : await table.text());
    writeFileSync(out, new Uint8Array(await table.arrayBuffer()));
    if (json) await print(JSON.stringify({ file: out }));
    else run.note(`Written: ${out}`);
  }
}

const filtered = (command: Command): Command =>
  conversationsOf(command)
    .option('--one-per <what>', '`conversation`: only the surest moment, or the first line, of each conversation')
    .option('--cursor <cursor>', 'continues an earlier list')
    .option('--limit <n>', `how many to show, at most ${MAX_LISTED}`, wholeNumber);

const conversationsOf = (command: Command): Command =>
  command
    .option('--from <time>', 'recordings that began on this day, or at this time, or later')
    .option('--to <time>', 'recordings that began before it')
    .option('--tz <zone>', 'the time zone of days, such as Europe/Berlin')
    .option('--label <label>', 'only conversations with this label')
    .option('--language <language>', 'only conversations in this language')
    .option('--person <name>', 'only conversations with this person: a name, or the id of a person')
    .option('--rule <id>', 'only conversations that this rule matches')
    .option('--speaker <name>', 'said by this speaker')
    .option('--role <role>', 'said in this role')
    .addOption(new Option('--format <format>', 'write a table of all: csv or parquet').choices(['csv', 'parquet']))
    .option('--out <file>', 'with --format: the file; default for csv: standard output')
    .option('--json', 'print the result as JSON');

function queryOf(options: PatternsCommand): MomentQueryInput {
  const { from, to, tz, label, language, person, rule, speaker, role, category, cursor, limit } = options;
  const { words: q, minConfidence } = options;
  const query = { from, to, tz, label, language, person, rule, speaker, role, category, q, cursor, limit };
  const all = {
    ...query,
    outcome: options.outcome,
    one_per: options.onePer,
    min_confidence: minConfidence === undefined ? undefined : Number(minConfidence),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const placeLine = ({ conversation, conversation_id, t_start }: MomentHit | LineHit): string =>
  `          ${plain(conversation.title)}  ${conversation_id} ${clockOf(t_start)}`;

export async function printMoments({ moments, totals }: MomentList, run: CommandRun): Promise<void> {
  if (totals)
    run.note(
      `Moments: ${totals.count} (${totals.unsure} unsure), conversations: ${totals.conversations} of ${totals.searched}`,
    );
  if (moments.length > 0) await print(moments.flatMap(momentLines).join('\n'));
}

function momentLines(hit: MomentHit): string[] {
  const { category, confidence, speaker, quote, followed_by: next, conversation } = hit;
  const sure = confidence < 0.5 ? 'unsure' : confidence.toFixed(2);
  const after = next ? `then ${next.category} after ${Math.round(next.after_s)} s` : 'nothing followed';
  return [
    `${recordedOnDay(conversation)}  ${category}  ${sure}  ${after}`,
    `          ${plain(speaker)}: ${plain(quote)}`,
    placeLine(hit),
  ];
}

const lineLines = (hit: LineHit): string[] => [
  `${recordedOnDay(hit.conversation)}  ${plain(hit.speaker)}: ${plain(hit.text)}`,
  placeLine(hit),
];

const cellLine = (cell: TrendCell, { by }: TrendList): string =>
  [by.map((one) => plain(cell.group[one] ?? 'unknown')).join('  '), ...cellFigures(cell)].join('  ');
