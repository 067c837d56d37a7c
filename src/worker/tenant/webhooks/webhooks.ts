import type {
  CreatedWebhook,
  DeliveryBody,
  EventMessage,
  NewWebhook,
  TestMessage,
  WebhookBody,
  WebhookPatch,
} from '../../../contract/webhooks.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../../../contract/webhooks.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { isoOf } from '../../sqlite/values.ts';

export const WEBHOOK_TABLES = [
  `CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, url TEXT NOT NULL, events TEXT NOT NULL, secret TEXT NOT NULL, is_enabled INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID`,
  `CREATE TABLE deliveries (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, webhook TEXT NOT NULL, event TEXT NOT NULL, conversation_id TEXT NOT NULL,
    body TEXT NOT NULL, status TEXT NOT NULL, attempts INTEGER NOT NULL, attempts_before INTEGER NOT NULL, last_status INTEGER,
    last_error TEXT, created_at INTEGER NOT NULL, last_attempt_at INTEGER, next_attempt_at INTEGER
  )`,
  `CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status = 'pending'`,
  'CREATE INDEX deliveries_of_webhook ON deliveries (webhook, seq)',
];

/** Limits on the webhooks of a tenant, and on the settled deliveries that are kept for each. */
export const MAX_WEBHOOKS = 10;
const KEPT_DELIVERIES = 100;
/** Number of concurrent deliveries. */
const AT_ONCE = 20;
const SECRET_BYTES = 32;

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** Waits after each failed attempt (Standard Webhooks, delivery schedule). They add up to a day. */
export const DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  7 * HOUR,
  9 * HOUR,
];
const ATTEMPTS = DELAYS_MS.length + 1;
/** Whether the attempts of a message are used up. A test has one: whoever fixes the receiver sends another. */
const IS_USED_UP = `attempts - attempts_before >= CASE event WHEN '${TEST_EVENT}' THEN 1 ELSE ${ATTEMPTS} END`;
/** Largest fraction added to a wait, so that deliveries do not all arrive at once. */
const JITTER = 0.1;

/** A message to send. */
export interface Outgoing {
  /** Every attempt has the same id. */
  id: string;
  url: string;
  secret: string;
  body: string;
}

/** The result of an attempt. `status` is null when the receiver did not respond. */
export type DeliveryAttempt = { status: number; error: null } | { status: number | null; error: string };

interface DeliveryRow extends Record<string, string | number | null> {
  id: string;
  event: DeliveryBody['event'];
  /** Empty for a test. */
  conversation_id: string;
  status: DeliveryBody['status'];
  attempts: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
}

/** A tenant's outgoing messages. They are stored in the transaction that ends an analysis, and delivered afterwards. */
export class Webhooks {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Null when the tenant has reached its limit. */
  add({ url, events = [...WEBHOOK_EVENTS] }: NewWebhook, now: number): CreatedWebhook | null {
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM webhooks').one();
    if (n >= MAX_WEBHOOKS) return null;
    const id = `wh_${crypto.randomUUID()}`;
    const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))))}`;
    this.#sql.exec('INSERT INTO webhooks VALUES (?, ?, ?, ?, 1, ?)', id, url, JSON.stringify(events), secret, now);
    return { id, url, events, is_enabled: true, created_at: new Date(now).toISOString(), secret };
  }

  list(): WebhookBody[] {
    const rows = this.#sql.exec<{ id: string; url: string; events: string; is_enabled: number; created_at: number }>(
      'SELECT id, url, events, is_enabled, created_at FROM webhooks ORDER BY created_at, id',
    );
    return rows.toArray().map(({ id, url, events, is_enabled, created_at }) => ({
      id,
      url,
      events: JSON.parse(events),
      is_enabled: is_enabled === 1,
      created_at: new Date(created_at).toISOString(),
    }));
  }

  /**
   * Changes the address or the events. Waiting messages go to the new address. A disabled webhook is enabled again by
   * any address, because its receiver may be back. Null for an unknown webhook.
   */
  update(id: string, { url, events }: WebhookPatch): WebhookBody | null {
    this.#sql.exec(
      `UPDATE webhooks SET url = coalesce(?2, url), events = coalesce(?3, events),
         is_enabled = CASE WHEN ?2 IS NULL THEN is_enabled ELSE 1 END
       WHERE id = ?1`,
      id,
      url ?? null,
      events ? JSON.stringify(events) : null,
    );
    return this.list().find((one) => one.id === id) ?? null;
  }

  /** Removes a webhook and its undelivered messages. @returns false for an unknown webhook */
  remove(id: string): boolean {
    this.#sql.exec('DELETE FROM deliveries WHERE webhook = ?', id);
    return this.#sql.exec('DELETE FROM webhooks WHERE id = ? RETURNING id', id).toArray().length > 0;
  }

  /** Stores a message for every webhook that is subscribed to the event. @returns their number */
  enqueue(message: EventMessage, now: number): number {
    const wanting = this.list().filter(({ is_enabled, events }) => is_enabled && events.includes(message.type));
    for (const { id } of wanting) this.#store(id, message, message.data.conversation_id, now);
    return wanting.length;
  }

  /** Stores a test message, for a disabled webhook too. Null for an unknown webhook. */
  test(webhook: string, now: number): DeliveryBody | null {
    if (!this.#has(webhook)) return null;
    const timestamp = new Date(now).toISOString();
    return this.#store(webhook, { type: TEST_EVENT, timestamp, data: { webhook_id: webhook } }, '', now);
  }

  /** Removes every message about a conversation, delivered or not. */
  forget(conversationId: string): void {
    this.#sql.exec('DELETE FROM deliveries WHERE conversation_id = ?', conversationId);
  }

  /** Removes the messages that quote a conversation, delivered or not. @returns their number */
  forgetQuotes(conversationId: string): number {
    const sql = `DELETE FROM deliveries WHERE conversation_id = ? AND event NOT LIKE 'analysis.%' RETURNING seq`;
    return this.#sql.exec(sql, conversationId).toArray().length;
  }

  /** Whether a message about this event was stored for any webhook. */
  wasEnqueued(event: EventMessage['type'], conversationId: string): boolean {
    const sql = 'SELECT 1 AS one FROM deliveries WHERE event = ? AND conversation_id = ? LIMIT 1';
    return this.#sql.exec(sql, event, conversationId).toArray().length > 0;
  }

  /** Deliveries, newest first. Null for an unknown webhook. */
  deliveries(webhook: string): DeliveryBody[] | null {
    if (!this.#has(webhook)) return null;
    const sql = 'SELECT * FROM deliveries WHERE webhook = ? ORDER BY seq DESC LIMIT ?';
    return this.#sql.exec<DeliveryRow>(sql, webhook, KEPT_DELIVERIES).toArray().map(bodyOf);
  }

  /**
   * Sends a message again with a full set of attempts, whether it is settled or not. Null when there is no such
   * message.
   */
  redeliver(webhook: string, id: string, now: number): DeliveryBody | null {
    const rows = this.#sql.exec<DeliveryRow>(
      `UPDATE deliveries SET status = 'pending', attempts_before = attempts, next_attempt_at = ?
       WHERE webhook = ? AND id = ? RETURNING *`,
      now,
      webhook,
      id,
    );
    return rows.toArray().map(bodyOf)[0] ?? null;
  }

  /**
   * Removes the due messages from the queue and returns them. An attempt counts from this call. If its result stays
   * unknown, it is repeated, so a receiver may get a message twice, with the same id.
   */
  take(now: number): Outgoing[] {
    this.#sql.exec(
      `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL
       WHERE status = 'pending' AND next_attempt_at <= ? AND ${IS_USED_UP}`,
      now,
    );
    const due = this.#sql
      .exec<{ seq: number; id: string; body: string; url: string; secret: string; made: number }>(
        `SELECT seq, deliveries.id, body, url, secret, attempts - attempts_before AS made
         FROM deliveries JOIN webhooks ON webhooks.id = webhook
         WHERE status = 'pending' AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?`,
        now,
        AT_ONCE,
      )
      .toArray();
    for (const { seq, made } of due)
      this.#sql.exec(
        'UPDATE deliveries SET attempts = attempts + 1, last_attempt_at = ?, next_attempt_at = ? WHERE seq = ?',
        now,
        Math.round(now + (DELAYS_MS[made] ?? MINUTE) * (1 + JITTER * Math.random())),
        seq,
      );
    return due.map(({ id, url, secret, body }) => ({ id, url, secret, body }));
  }

  /** Records the result of an attempt. A receiver that responds with 410 is unsubscribed. */
  settle({ id, url }: Pick<Outgoing, 'id' | 'url'>, { status, error }: DeliveryAttempt): void {
    // The address may have been changed while the message was on its way.
    const isGone = status === 410 && this.#addressOf(id) === url;
    this.#sql.exec(
      `UPDATE deliveries SET last_status = ?2, last_error = ?3,
         status = CASE WHEN ?3 IS NULL THEN 'delivered' WHEN ?4 OR ${IS_USED_UP} THEN 'failed' ELSE status END,
         next_attempt_at = CASE WHEN ?3 IS NULL OR ?4 OR ${IS_USED_UP} THEN NULL ELSE next_attempt_at END
       WHERE id = ?1`,
      id,
      status,
      error,
      isGone ? 1 : 0,
    );
    if (isGone)
      this.#sql.exec('UPDATE webhooks SET is_enabled = 0 WHERE id = (SELECT webhook FROM deliveries WHERE id = ?)', id);
  }

  /** Unix time at which the next message is due, ms. Null when there is none. */
  dueAt(): number | null {
    const sql = `SELECT min(next_attempt_at) AS at FROM deliveries WHERE status = 'pending'`;
    return this.#sql.exec<{ at: number | null }>(sql).one().at;
  }

  #store(webhook: string, message: EventMessage | TestMessage, conversationId: string, now: number): DeliveryBody {
    const row = this.#sql
      .exec<DeliveryRow>(
        `INSERT INTO deliveries (id, webhook, event, conversation_id, body, status, attempts, attempts_before, created_at, next_attempt_at)
         VALUES (?, ?, ?, ?, ?, 'pending', 0, 0, ?, ?) RETURNING *`,
        `msg_${crypto.randomUUID()}`,
        webhook,
        message.type,
        conversationId,
        JSON.stringify(message),
        now,
        now,
      )
      .one();
    this.#prune(webhook);
    return bodyOf(row);
  }

  #addressOf(delivery: string): string | undefined {
    const sql = 'SELECT url FROM webhooks WHERE id = (SELECT webhook FROM deliveries WHERE id = ?)';
    return this.#sql.exec<{ url: string }>(sql, delivery).toArray()[0]?.url;
  }

  #has(webhook: string): boolean {
    return this.#sql.exec('SELECT 1 AS one FROM webhooks WHERE id = ?', webhook).toArray().length > 0;
  }

  #prune(webhook: string): void {
    this.#sql.exec(
      `DELETE FROM deliveries WHERE webhook = ?1 AND status <> 'pending' AND seq NOT IN
         (SELECT seq FROM deliveries WHERE webhook = ?1 ORDER BY seq DESC LIMIT ?2)`,
      webhook,
      KEPT_DELIVERIES,
    );
  }
}

const bodyOf = (row: DeliveryRow): DeliveryBody => ({
  id: row.id,
  event: row.event,
  conversation_id: row.conversation_id || null,
  status: row.status,
  attempts: row.attempts,
  last_status: row.last_status,
  last_error: row.last_error,
  created_at: new Date(row.created_at).toISOString(),
  last_attempt_at: isoOf(row.last_attempt_at),
  next_attempt_at: isoOf(row.next_attempt_at),
});
