import { type Command, Option } from 'commander';
import { clockOf } from '../../mcp/links.ts';
import type { AccessEntry, ConversationAccessEntry } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber, writeAtomically } from './analyze.ts';

interface AccessCommand extends ServiceOptions {
  json?: true;
  tenant?: string;
  conversation?: string;
  person?: string;
  keyId?: string;
  share?: string;
  since?: string;
  limit: number;
  out?: string;
}

/** The command needs the operator's token, or a key with the scope `admin`, which reads the log of its own tenant. */
export function addAccessLog(program: Command, run: CommandRun): void {
  const { signal } = run;
  program
    .command('access-log')
    .description('Show who accessed which conversation, newest first')
    .addOption(new Option('--operator-token <token>', "the operator's token").env('UNDERTONE_ADMIN_TOKEN'))
    .option('--tenant <id>', 'the tenant (operator only)')
    .option('--conversation <id>', 'only what was done with this conversation')
    .option('--person <id>', 'only what was done with conversations in which this person speaks')
    .option('--key-id <id>', 'only what was done with this key')
    .option('--share <id>', 'only what was done with this share')
    .option('--since <time>', 'only what was done since, such as 2027-01-01T00:00:00Z')
    .option('--limit <n>', 'maximum number, up to 100', wholeNumber, 20)
    .option('--out <file>', 'write all entries to this file as CSV')
    .option('--json', 'print the result as JSON')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<AccessCommand>();
      const { tenant, conversation: conversation_id, person, keyId: key_id, share: share_id, since, out } = options;
      const query = { tenant, conversation_id, person, key_id, share_id, since };
      const { tenants } = clientOf(options, run.onRetry);
      if (out !== undefined) {
        const file = await tenants.exportAccessLog({ ...query, signal });
        writeAtomically(out, new Uint8Array(await file.arrayBuffer()));
        return run.note(`Written: ${out}`);
      }
      const log = await tenants.accessLog({ ...query, limit: options.limit, signal });
      if (options.json) return print(JSON.stringify(log));
      await printRows(
        log.entries.map((entry) => [
          ...rowOf(entry),
          entry.address || '-',
          plain(entry.title ?? entry.conversation_id ?? '-'),
        ]),
        run,
      );
    });
}

/** Adds the command that shows who accessed one conversation, which any key with the scope `read` may ask. */
export function addAccess(group: Command, run: CommandRun): void {
  group
    .command('access')
    .description('Show who read, heard, exported, edited and shared a conversation, newest first')
    .argument('<id>')
    .option('--limit <n>', 'maximum number, up to 100', wholeNumber, 20)
    .option('--json', 'print the result as JSON')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<AccessCommand>();
      const { conversations } = clientOf(options, run.onRetry);
      const log = await conversations.access(id, { limit: options.limit, signal: run.signal });
      if (options.json) return print(JSON.stringify(log));
      await printRows(
        log.entries.map((entry) => [...rowOf(entry), entry.address_prefix || '-']),
        run,
      );
    });
}

async function printRows(rows: string[][], run: CommandRun): Promise<void> {
  if (rows.length === 0) run.note('No access is recorded.');
  else await print(table(rows, outputOf(process.stdout)));
}

const rowOf = ({ until, key_label, key_id, by_token, act, from_s, to_s }: AccessEntry | ConversationAccessEntry) => [
  until.slice(0, 16).replace('T', ' '),
  plain(key_label ?? key_id) + (by_token ? ' (token)' : ''),
  act.replaceAll('_', ' ') + (from_s === null || to_s === null ? '' : ` ${clockOf(from_s)} to ${clockOf(to_s)}`),
];
