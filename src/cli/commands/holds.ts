import type { Command } from 'commander';
import type { Hold } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { type ConversationFilters, filterOf, filterText, timeOf, withFilters } from './filters.ts';

interface HoldsCommand extends ServiceOptions, ConversationFilters {
  json?: true;
  reason: string;
  until?: string;
}

export function addHolds(program: Command, run: CommandRun): void {
  const group = program.command('holds').description('Keep conversations from being deleted');
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const withReason = (one: Command): Command =>
    one
      .requiredOption('--reason <text>', 'why they are kept')
      .option('--until <time>', 'when the hold ends by itself, such as 2027-01-01');
  const client = (options: HoldsCommand) => clientOf(options, run.onRetry).holds;
  const { signal } = run;
  const told = async (hold: Hold, { json }: HoldsCommand): Promise<void> => {
    if (json) return print(JSON.stringify(hold));
    run.note(
      hold.conversations === 1 ? '1 conversation is on hold' : `${hold.conversations} conversations are on hold`,
    );
    await print(hold.id);
  };

  withReason(command('set', 'Put a conversation on hold, and print the id of the hold'))
    .argument('<conversation>', 'the id of a conversation')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<HoldsCommand>();
      const { reason, until } = options;
      await told(await client(options).set(id, { reason, until: timeOf(until) ?? null }, { signal }), options);
    });

  withFilters(
    withReason(
      command('add', 'Hold every conversation that matches a filter, now and later; print the id of the hold'),
    ),
  ).action(async (_, self: Command) => {
    const options = self.optsWithGlobals<HoldsCommand>();
    const { reason, until } = options;
    const asked = { filter: filterOf(options), reason, until: timeOf(until) ?? null };
    await told(await client(options).create(asked, { signal }), options);
  });

  command('list', 'List holds, newest first').action(async (_, self: Command) => {
    const options = self.optsWithGlobals<HoldsCommand>();
    const list = await client(options).list({ signal });
    if (options.json) return print(JSON.stringify(list));
    if (list.holds.length === 0) run.note('Nothing is on hold.');
    else await print(table(list.holds.map(rowOf), outputOf(process.stdout)));
  });

  command('lift', 'Lift a hold')
    .argument('<id>', 'the id of a hold')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<HoldsCommand>();
      await client(options).lift(id, { signal });
      if (options.json) await print(JSON.stringify({ id }));
      else run.note(`Lifted: ${id}`);
    });
}

const rowOf = ({ id, conversation_id, filter, until, reason, conversations }: Hold): string[] => [
  id,
  conversation_id ?? filterText(filter),
  `${conversations} conversations`,
  until === null ? 'until lifted' : `until ${until.slice(0, 10)}`,
  plain(reason),
];
