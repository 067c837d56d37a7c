import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import { UndertoneError } from './error.ts';
import { wait } from './waiting.ts';
import type {
  ConversationRecord,
  NewRedactionRequest,
  Receipt,
  ReceiptKind,
  ReceiptList,
  RedactionJob,
  RedactionKind,
} from './wire.ts';

/** Pause between status requests, ms. */
const POLL_MS = 2_000;

/** Redaction of what is stored already, and receipts of what was redacted or deleted. */
export class Redactions {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Redacts a stored conversation for good and waits for its receipt. Aborting the signal only stops the waiting.
   *
   * @example
   * const { redaction } = await undertone.redactions.redact(id, ['card', 'phone']);
   */
  async redact(id: string, kinds: RedactionKind[], { signal }: CallOptions = {}): Promise<Receipt> {
    const before = await this.receipts({ conversation_id: id, kind: 'redaction', limit: 1, signal });
    await this.begin(id, kinds, { signal });
    for (;;) {
      const { receipts } = await this.receipts({ conversation_id: id, kind: 'redaction', limit: 1, signal });
      const [receipt] = receipts;
      if (receipt && receipt.receipt_id !== before.receipts[0]?.receipt_id) return receipt;
      const record = path`conversations/${id}/record`;
      const { reanalysis } = await this.#connection.json<ConversationRecord>(record, { repeatable: true, signal });
      const { error, status } = reanalysis ?? {};
      if (error) throw new UndertoneError(error.code, error.message);
      if (status === 'cancelled') throw new UndertoneError('CANCELLED', 'The redaction was cancelled');
      await wait(POLL_MS, signal);
    }
  }

  /** Begins to redact a stored conversation for good. Its `reanalysis` has the progress. */
  async begin(id: string, kinds: RedactionKind[], { signal }: CallOptions = {}): Promise<void> {
    const { headers, ...call } = jsonCall('POST', { kinds });
    const begun = { ...call, headers: { ...headers, Prefer: 'respond-async' }, repeatable: false, signal };
    await this.#connection.json(path`conversations/${id}/redact`, begun);
  }

  /** Begins to redact every conversation that matches a filter. */
  create(redaction: NewRedactionRequest, { signal }: CallOptions = {}): Promise<RedactionJob> {
    return this.#connection.json('redactions', { ...jsonCall('POST', redaction), repeatable: false, signal });
  }

  /** The progress of a redaction over a filter. */
  get(id: string, { signal }: CallOptions = {}): Promise<RedactionJob> {
    return this.#connection.json(path`redactions/${id}`, { repeatable: true, signal });
  }

  /** A page of receipts of what was deleted or redacted, newest first. */
  receipts({
    signal,
    ...query
  }: CallOptions & {
    conversation_id?: string | undefined;
    redaction_id?: string | undefined;
    kind?: ReceiptKind | undefined;
    cursor?: string | undefined;
    limit?: number | undefined;
  } = {}): Promise<ReceiptList> {
    return this.#connection.json(withQuery('receipts', query), { repeatable: true, signal });
  }
}
