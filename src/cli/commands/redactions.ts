import type { Command } from 'commander';
import type { Receipt, ReceiptKind, RedactionJob, RedactionKind } from '../../sdk/index.ts';
import { EXIT } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { outputOf, plain, table } from '../terminal.ts';
import { type ConversationFilters, filterOf, withFilters } from './filters.ts';

interface RedactionsCommand extends ServiceOptions, ConversationFilters {
  json?: true;
  kinds: string;
  conversation?: string;
  kind?: ReceiptKind;
  limit?: string;
}

/** Redaction of stored conversations, and receipts of what was removed. */
export function addRedactions(program: Command, run: CommandRun): void {
  const { signal } = run;
  const client = (options: RedactionsCommand) => clientOf(options, run.onRetry).redactions;
  const group = program.command('redactions').description('Redact stored conversations for good');
  const command = (name: string, description: string, of = group): Command =>
    of.command(name).description(description).option('--json', 'print the result as JSON');
  const withKinds = (one: Command): Command =>
    one.requiredOption('--kinds <list>', 'what to remove, such as card,phone,email');
  const told = async (job: RedactionJob, { json }: RedactionsCommand): Promise<void> => {
    if (json) return print(JSON.stringify(job));
    run.note(sumOf(job));
    await print(job.redaction_id);
  };

  withKinds(command('run', 'Redact one conversation, and wait for its receipt'))
    .argument('<conversation>', 'the id of a conversation')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<RedactionsCommand>();
      const receipt = await client(options).redact(id, kindsOf(options), { signal });
      if (receipt.redaction && !receipt.redaction.verified) process.exitCode = EXIT.failed;
      await print(options.json ? JSON.stringify(receipt) : contentOf(receipt));
    });

  withFilters(
    withKinds(command('add', 'Begin to redact every conversation that matches a filter; print an id')),
  ).action(async (_, self: Command) => {
    const options = self.optsWithGlobals<RedactionsCommand>();
    const asked = { filter: filterOf(options), kinds: kindsOf(options) };
    await told(await client(options).create(asked, { signal }), options);
  });

  command('show', 'Show the progress of a redaction over a filter')
    .argument('<id>', 'the id of a redaction')
    .action(async (id: string, _, self: Command) => {
      const options = self.optsWithGlobals<RedactionsCommand>();
      await told(await client(options).get(id, { signal }), options);
    });

  command('receipts', 'List receipts of what was redacted and deleted, newest first', program)
    .option('--conversation <id>', 'only those of this conversation')
    .option('--kind <kind>', 'only deletion, deletions, retention, redaction or redactions')
    .option('--limit <count>', 'how many', '50')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<RedactionsCommand>();
      const asked = { conversation_id: options.conversation, kind: options.kind, limit: Number(options.limit), signal };
      const { receipts } = await client(options).receipts(asked);
      if (options.json) for (const receipt of receipts) await print(JSON.stringify(receipt));
      else if (receipts.length === 0) run.note('There are no receipts.');
      else await print(table(receipts.map(rowOf), outputOf(process.stdout)));
    });
}

/** The service refuses unknown kinds by name. */
const kindsOf = ({ kinds }: RedactionsCommand): RedactionKind[] =>
  kinds.split(',').map((kind) => kind.trim()) as RedactionKind[];

const sumOf = ({ status, total, redacted, waiting, on_hold, failed }: RedactionJob): string =>
  `${status}: ${redacted} of ${total} redacted, ${waiting} waiting, ${on_hold} on hold, ${failed} failed`;

const rowOf = (receipt: Receipt): string[] => [
  receipt.at.slice(0, 16).replace('T', ' '),
  receipt.kind,
  contentOf(receipt),
  receipt.conversation_id ?? receipt.redaction_id ?? '',
  plain(receipt.by),
];

function contentOf({ redaction, conversations, conversation_ids: ids, removed }: Receipt): string {
  if (conversations) return `${conversations.redacted} redacted, ${conversations.verified} verified`;
  if (ids) return `${ids.length} conversations, ${removed.length} objects`;
  if (!redaction) return `${removed.length} objects`;
  const counts = Object.entries(redaction.counts).map(([kind, count]) => `${kind} ${count}`);
  return `${counts.join(', ') || 'nothing found'}; ${redaction.verified ? 'verified' : 'not verified'}`;
}
