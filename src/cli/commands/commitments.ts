import { writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { CommitmentEntry, CommitmentQueryInput, CommitmentState } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { plain } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

const STATES: Readonly<Record<CommitmentState, true>> = {
  offered: true,
  open: true,
  accepted: true,
  declined: true,
  done: true,
};
const MAX_LISTED = 100;

interface CommitmentsCommand extends ServiceOptions {
  json?: true;
  person?: string;
  dueBefore?: string;
  status?: string;
  limit?: number;
  format?: 'csv' | 'ics';
  out?: string;
}

export function addCommitments(program: Command, run: CommandRun): void {
  const group = program.command('commitments').description('See who owes whom what in all conversations');
  const filtered = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option('--person <name>', 'who owes it: a name, or the id of a person')
      .option('--due-before <day>', 'only what is due before this day, such as 2026-12-01')
      .option('--status <list>', `${Object.keys(STATES).join(', ')}, with commas between`);
  const client = (options: CommitmentsCommand) => clientOf(options, run.onRetry).commitments;
  const { signal } = run;

  filtered('list', 'List commitments by the day on which they are due')
    .option('--limit <n>', `how many to show, at most ${MAX_LISTED}`, wholeNumber)
    .option('--json', 'print the result as JSON')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<CommitmentsCommand>();
      const { limit } = options;
      const list = await client(options).list({ ...filtersOf(options), ...(limit !== undefined && { limit }), signal });
      if (options.json) return print(JSON.stringify(list));
      await printCommitments(list.commitments, run);
    });

  filtered('export', 'Write commitments as a table or a calendar')
    .addOption(new Option('--format <format>', 'csv or ics').choices(['csv', 'ics']).default('csv'))
    .option('--out <file>', 'the file; default: standard output')
    .option('--json', 'print the name of the file as JSON')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<CommitmentsCommand>();
      const { format = 'csv', out } = options;
      const text = await (await client(options).export(format, { ...filtersOf(options), signal })).text();
      if (out === undefined) return print(options.json ? JSON.stringify(text) : text);
      writeFileSync(out, text);
      if (options.json) await print(JSON.stringify({ file: out }));
      else run.note(`Written: ${out}`);
    });

  group
    .command('set')
    .description('Set the status of a commitment')
    .argument('<id>')
    .argument('<status>', `${Object.keys(STATES).join(', ')}, or words for the state by the words`)
    .option('--json', 'print the result as JSON')
    .action(async (id: string, status: string, _, self: Command) => {
      const options = self.optsWithGlobals<CommitmentsCommand>();
      const wanted = status === 'words' ? null : (status as CommitmentState);
      const changed = await client(options).setStatus(id, wanted, { signal });
      if (options.json) await print(JSON.stringify(changed));
      else run.note(`${changed.status}: ${plain(changed.deed)}`);
    });
}

const filtersOf = ({ person, dueBefore, status }: CommitmentsCommand): CommitmentQueryInput => ({
  ...(person !== undefined && { person }),
  ...(dueBefore !== undefined && { due_before: dueBefore }),
  ...(status !== undefined && { status }),
});

export async function printCommitments(commitments: readonly CommitmentEntry[], run: CommandRun): Promise<void> {
  if (commitments.length === 0) run.note('Nothing is owed.');
  else await print(commitments.flatMap(linesOf).join('\n'));
}

function linesOf({
  commitment_id,
  owner,
  to,
  deed,
  due,
  vague_due,
  status,
  title,
  t_start,
  quote,
  speaker,
}: CommitmentEntry): string[] {
  const none = vague_due === null ? 'no date was said' : `“${plain(vague_due)}”, date unclear`;
  const day = due ? due.date : none;
  const who = `${plain(owner ?? '?')}${to === null ? '' : ` to ${plain(to)}`}`;
  const asked = speaker !== undefined && speaker !== owner ? `${plain(speaker)} asked: ` : '';
  return [
    `${day}  ${status}  ${who}: ${plain(deed)}`,
    `  ${clockOf(t_start).padStart(6)}  ${asked}${plain(quote)}`,
    `          ${plain(title)}  ${commitment_id}`,
  ];
}
