import { RpcTarget } from 'cloudflare:workers';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type {
  CreatedWebhook,
  DeliveryBody,
  NewWebhook,
  WebhookBody,
  WebhookEvent,
  WebhookMessage,
} from '../../../contract/webhooks.ts';
import type { Env } from '../../identity/env.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { deliverDue } from './deliver.ts';
import { MAX_WEBHOOKS, Webhooks } from './webhooks.ts';

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown webhook');

/** What the tenant's object gives. */
export interface WebhooksHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Makes one that the settings name, at its first call; false for any other that is not there. */
  ready: () => Promise<boolean>;
}

/** Who is told when an analysis of one tenant ends, and what became of telling them. */
export class TenantWebhooks extends RpcTarget {
  readonly #host: WebhooksHost;
  readonly #webhooks: Webhooks;

  constructor(host: WebhooksHost) {
    super();
    this.#host = host;
    this.#webhooks = new Webhooks(host.sql);
  }

  /** What the object does of itself for them. */
  get tasks(): DueTasks {
    return { deliveries: (now) => deliverDue(this.#webhooks, now, settingsOf(this.#host.env)) };
  }

  async add(webhook: NewWebhook): Promise<Result<CreatedWebhook>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    const created = this.#webhooks.add(webhook, Date.now());
    return created
      ? ok(created)
      : fail('INVALID_REQUEST', `This tenant already has ${MAX_WEBHOOKS} webhooks, its limit`);
  }

  async list(): Promise<WebhookBody[]> {
    if (!this.#host.exists()) return [];
    return this.#webhooks.list();
  }

  async remove(id: string): Promise<Result<null>> {
    if (!this.#host.exists()) return UNKNOWN;
    return this.#webhooks.remove(id) ? ok(null) : UNKNOWN;
  }

  async deliveries(webhook: string): Promise<Result<DeliveryBody[]>> {
    if (!this.#host.exists()) return UNKNOWN;
    const deliveries = this.#webhooks.deliveries(webhook);
    return deliveries ? ok(deliveries) : UNKNOWN;
  }

  async redeliver(webhook: string, id: string): Promise<Result<DeliveryBody>> {
    if (!this.#host.exists()) return UNKNOWN;
    const delivery = this.#webhooks.redeliver(webhook, id, Date.now());
    if (!delivery) return fail('NOT_FOUND', 'Unknown delivery');
    await this.#host.due.within('deliveries', Date.now());
    return ok(delivery);
  }

  /** Notes the messages of an event in the turn that calls it; they are sent by the alarm. */
  async tell(type: WebhookEvent, data: WebhookMessage['data'], now: number): Promise<void> {
    const wanted = this.#webhooks.tell({ type, timestamp: new Date(now).toISOString(), data }, now);
    if (wanted > 0) await this.#host.due.within('deliveries', now);
  }

  /** Tells of an analysis that is no job, a live session's; what was told is not told again. */
  async tellOnce(type: WebhookEvent, data: WebhookMessage['data']): Promise<void> {
    if (this.#host.exists() && !this.#webhooks.wereTold(type, data.conversation_id))
      await this.tell(type, data, Date.now());
  }

  /** Leaves no message of a conversation. */
  forget(conversationId: string): void {
    this.#webhooks.forget(conversationId);
  }
}
