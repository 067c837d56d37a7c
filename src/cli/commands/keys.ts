import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Key, Scope } from '../../sdk/index.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { wholeNumber } from './analyze.ts';

const SCOPES: readonly Scope[] = ['analyze', 'read', 'delete', 'live', 'admin', 'unredacted'];

interface KeysCommand extends ServiceOptions {
  json?: true;
  tenant?: string;
  scopes?: Scope[];
  expires?: string;
  overlap?: number;
  days?: number;
}

const scopesOf = (text: string): Scope[] =>
  text.split(',').map((name) => {
    const scope = SCOPES.find((one) => one === name.trim());
    if (scope === undefined) throw new InvalidArgumentError(`${name} is not one of ${SCOPES.join(', ')}.`);
    return scope;
  });

/** The commands need the operator's token, or a key with the scope `admin`, which manages only its own tenant. */
export function addKeys(program: Command, run: CommandRun): void {
  const group = program.command('keys').description('Issue, list, rotate and revoke keys, and show their usage');
  const command = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .addOption(new Option('--operator-token <token>', "the operator's token").env('UNDERTONE_ADMIN_TOKEN'))
      .option('--json', 'print the result as JSON');
  const client = (options: KeysCommand) => clientOf(options, run.onRetry).keys;
  const { signal } = run;

  command('issue', 'Issue a key; its secret is shown only once')
    .argument('<label>')
    .option('--scopes <list>', `scopes, from ${SCOPES.join(',')}`, scopesOf)
    .option('--tenant <id>', 'tenant of the key (operator only)')
    .option('--expires <time>', 'expiry as ISO 8601, such as 2027-01-01T00:00:00Z')
    .action(async (label: string, _, self: Command) => {
      const options = self.optsWithGlobals<KeysCommand>();
      const { scopes, tenant, expires: expires_at } = options;
      const issued = await client(options).issue({ label, scopes, tenant, expires_at }, { signal });
      await printKey(issued, options, run);
    });

  command('list', 'List all keys, including expired and revoked ones')
    .option('--tenant <id>', 'only the keys of this tenant')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<KeysCommand>();
      const keys: Key[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await client(options).list({ tenant: options.tenant, cursor, signal });
        keys.push(...page.keys);
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
      if (options.json) return print(JSON.stringify(keys));
      const rows = keys.map(({ id, status, scopes, last_used_at, label }) => [
        ...[id, status, last_used_at?.slice(0, 10) ?? 'never used', scopes.join(','), plain(label)],
      ]);
      if (rows.length > 0) await print(table(rows, outputOf(process.stdout)));
    });

  command('rotate', 'Replace a key with a new one; both are valid for a while')
    .argument('<id>')
    .option('--overlap <seconds>', 'how long the old key stays valid', wholeNumber)
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<KeysCommand>();
      const rotation = options.overlap === undefined ? {} : { overlap_seconds: options.overlap };
      await printKey(await client(options).rotate(id, rotation, { signal }), options, run);
    });

  command('revoke', 'Revoke a key everywhere within a minute')
    .argument('<id>')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<KeysCommand>();
      const key = await client(options).revoke(id, { signal });
      if (options.json) await print(JSON.stringify(key));
      else run.note(`Revoked: ${key.id}`);
    });

  command('usage', 'Show the usage of a key by day')
    .argument('<id>')
    .option('--days <n>', 'number of days', wholeNumber)
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<KeysCommand>();
      const usage = await client(options).usage(id, { days: options.days, signal });
      if (options.json) return print(JSON.stringify(usage));
      const rows = usage.days.map(({ day, requests, audio_minutes, refusals }) => [
        ...[day, String(requests), audio_minutes.toFixed(1), String(refusals)],
      ]);
      await print(table([['day', 'requests', 'minutes', 'refused'], ...rows], outputOf(process.stdout)));
    });
}

/** Prints only the key itself on stdout, so that it can be used in `$(...)`. */
async function printKey(issued: Key & { key: string }, { json }: KeysCommand, run: CommandRun): Promise<void> {
  if (json) return print(JSON.stringify(issued));
  run.note(`${issued.id}, scopes ${issued.scopes.join(', ')}. This is the only time the key is shown:`);
  await print(issued.key);
}
