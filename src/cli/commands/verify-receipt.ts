import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from 'commander';
import type { ReceiptKeys } from '../../sdk/index.ts';
import { EXIT, Misuse } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { clientOf, type ServiceOptions } from '../settings.ts';
import { plain } from '../terminal.ts';

interface VerifyCommand extends ServiceOptions {
  keys?: string;
  json?: true;
}

/** Checks a signed receipt with the published key. The command needs no key of the service. */
export function addVerifyReceipt(program: Command, run: CommandRun): void {
  program
    .command('verify-receipt')
    .description('Check a signed receipt with the public key of the service')
    .argument('<file>', 'a receipt (JSON), or its member "signed" alone; - for standard input')
    .option('--keys <file>', 'a saved answer of /receipts/keys, instead of asking the service')
    .option('--json', 'print the receipt as JSON')
    .action(async (file: string, _, self: Command) => {
      const options = self.optsWithGlobals<VerifyCommand>();
      const keys =
        options.keys === undefined
          ? await clientOf(options, run.onRetry).receiptKeys({ signal: run.signal })
          : jsonIn<ReceiptKeys>(readText(options.keys), options.keys);
      const receipt = verified(readText(file), keys);
      if (typeof receipt === 'string') {
        process.exitCode = EXIT.failed;
        return run.note(`Not valid: ${receipt}`);
      }
      if (options.json) return print(JSON.stringify(receipt));
      if (receipt.receipt_id !== undefined) return print(`Valid: ${deedOf(receipt)}`);
      const { conversation_id, id, deleted_at, deleted_by, bytes, objects } = receipt;
      const what =
        conversation_id === undefined ? `the tenant ${text(id)}` : `the conversation ${text(conversation_id)}`;
      const count = Array.isArray(objects) ? objects.length : text(objects);
      await print(
        `Valid: ${what} was deleted at ${text(deleted_at)} by ${text(deleted_by)}: ${count} objects, ${text(bytes)} bytes`,
      );
    });
}

/** The content of a receipt of `GET /receipts` or of a redaction, as a sentence. */
function deedOf({ kind, conversation_id, conversation_ids, redaction_id, at, by, removed }: Receipt): string {
  const count = Array.isArray(removed) ? removed.length : 0;
  const when = `at ${text(at)} by ${text(by)}`;
  if (kind === 'redactions') return `the redaction ${text(redaction_id)} ended ${when}`;
  const what = Array.isArray(conversation_ids)
    ? `${conversation_ids.length} conversations`
    : `the conversation ${text(conversation_id)}`;
  return kind === 'redaction'
    ? `${what} was redacted ${when}: ${count} objects were removed`
    : `${what} ${Array.isArray(conversation_ids) ? 'were' : 'was'} deleted ${when}: ${count} objects`;
}

type Receipt = Readonly<Record<string, unknown>>;

/** The signed receipt, or why it is not valid. */
function verified(given: string, { keys }: ReceiptKeys): Receipt | string {
  const answer = given.trim().startsWith('{') ? jsonIn<Record<string, unknown>>(given, 'the receipt') : undefined;
  const { signed = given.trim(), ...shown } = answer ?? {};
  const parts = String(signed).split('.');
  const [head = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) return 'it has no signature (the member "signed")';
  const { alg, kid } = decoded(head) ?? {};
  if (alg !== 'EdDSA') return 'it is not signed with EdDSA';
  const key = keys.find((one) => one.kid === kid);
  if (!key) return 'the service has no key with the id that it names';
  const publicKey = createPublicKey({ key: key as unknown as JsonWebKey, format: 'jwk' });
  if (!verify(null, Buffer.from(`${head}.${payload}`), publicKey, Buffer.from(signature, 'base64url')))
    return 'the signature does not match';
  const receipt = decoded(payload);
  if (!receipt) return 'it is not a receipt';
  // The readable members of an answer could have been changed without its signature.
  const changed = Object.keys(shown).find((name) => !isDeepStrictEqual(shown[name], receipt[name]));
  return changed === undefined ? receipt : `"${plain(changed)}" differs from what was signed`;
}

function decoded(part: string): Receipt | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Receipt) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws Misuse for a file that cannot be read */
function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new Misuse(`${plain(file)} cannot be read`);
  }
}

/** @throws Misuse for text that is not JSON */
function jsonIn<T>(source: string, name: string): T {
  try {
    return JSON.parse(source) as T;
  } catch {
    throw new Misuse(`${plain(name)} is not JSON`);
  }
}

const text = (value: unknown): string => plain(String(value));
