import type { Command } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { NewShareRequest, Share, ShareOpen } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

interface SharesCommand extends ServiceOptions {
  json?: true;
  days?: number;
  label?: string;
  conversation?: string;
}

export function addShares(program: Command, run: CommandRun): void {
  const group = program.command('shares').description('Share conversations for days, and take shares back');
  const command = (name: string, description: string): Command =>
    group.command(name).description(description).option('--json', 'print the result as JSON');
  const client = (options: SharesCommand) => clientOf(options, run.onRetry).shares;
  const { signal } = run;

  command('create', 'Share a conversation, and print the path of the link, which is shown only once')
    .argument('<conversation>', 'the id of a conversation')
    .option('--days <n>', 'how long the link works; default: 7', wholeNumber)
    .option('--label <text>', 'whom it is for')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<SharesCommand>();
      const share: NewShareRequest = {
        conversation_id: id,
        ...(options.days !== undefined && { days: options.days }),
        ...(options.label !== undefined && { label: options.label }),
      };
      const made = await client(options).create(share, { signal });
      if (options.json) return print(JSON.stringify(made));
      run.note(`${made.id} works until ${made.expires_at}`);
      await print(made.path);
    });

  command('list', 'List shares, newest first')
    .option('--conversation <id>', 'only those of this conversation')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<SharesCommand>();
      const list = await client(options).list({ conversation_id: options.conversation, signal });
      if (options.json) return print(JSON.stringify(list));
      if (list.shares.length === 0) run.note('Nothing is shared.');
      else await print(table(list.shares.map(rowOf), outputOf(process.stdout)));
    });

  command('opens', 'Show what was opened and heard with a share')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<SharesCommand>();
      const list = await client(options).opens(id, { signal });
      if (options.json) return print(JSON.stringify(list));
      if (list.opens.length === 0) run.note('Nobody has opened it.');
      else await print(table(list.opens.map(openRowOf), outputOf(process.stdout)));
    });

  command('revoke', 'Take a share back')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<SharesCommand>();
      const share = await client(options).revoke(id, { signal });
      if (options.json) return print(JSON.stringify(share));
      run.note(`Taken back: ${share.id}`);
    });
}

const rowOf = ({ id, status, expires_at, opens, title, label }: Share): string[] => [
  ...[id, status, expires_at.slice(0, 10), `opened ${opens} times`],
  plain(title ?? '-'),
  plain(label ?? ''),
];

const openRowOf = ({ at, act, address_prefix, from_s, to_s }: ShareOpen): string[] => [
  ...[at, act.replaceAll('_', ' '), address_prefix || '-'],
  from_s === null || to_s === null ? '' : `${clockOf(from_s)} to ${clockOf(to_s)}`,
];
