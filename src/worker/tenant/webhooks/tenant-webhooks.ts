import { RpcTarget } from 'cloudflare:workers';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type {
  CreatedWebhook,
  DeliveryBody,
  EventMessage,
  NewWebhook,
  WebhookBody,
  WebhookEvent,
  WebhookPatch,
} from '../../../contract/webhooks.ts';
import type { Env } from '../../identity/env.ts';
import { settingsOf } from '../../settings/settings.ts';
import type { DueTasks, DueTimes } from '../../sqlite/due-times.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { deliverDue } from './deliver.ts';
import { MAX_WEBHOOKS, Webhooks } from './webhooks.ts';

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown webhook');

/** The methods that the tenant's object provides. */
export interface WebhooksHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: () => Promise<boolean>;
}

/** The webhooks of one tenant, and the state of their deliveries. */
export class TenantWebhooks extends RpcTarget {
  readonly #host: WebhooksHost;
  readonly #webhooks: Webhooks;

  constructor(host: WebhooksHost) {
    super();
    this.#host = host;
    this.#webhooks = new Webhooks(host.sql);
  }

  /** Background work for webhooks in the tenant's object. */
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

  async update(id: string, patch: WebhookPatch): Promise<Result<WebhookBody>> {
    if (!this.#host.exists()) return UNKNOWN;
    const webhook = this.#webhooks.update(id, patch);
    return webhook ? ok(webhook) : UNKNOWN;
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

  /** Stores a test message for one webhook. The alarm sends it. */
  async test(id: string): Promise<Result<DeliveryBody>> {
    if (!this.#host.exists()) return UNKNOWN;
    const delivery = this.#webhooks.test(id, Date.now());
    if (!delivery) return UNKNOWN;
    await this.#host.due.within('deliveries', Date.now());
    return ok(delivery);
  }

  async redeliver(webhook: string, id: string): Promise<Result<DeliveryBody>> {
    if (!this.#host.exists()) return UNKNOWN;
    const delivery = this.#webhooks.redeliver(webhook, id, Date.now());
    if (!delivery) return fail('NOT_FOUND', 'Unknown delivery');
    await this.#host.due.within('deliveries', Date.now());
    return ok(delivery);
  }

  /** Stores the messages of an event in the caller's turn. The alarm sends them. */
  async send(type: WebhookEvent, data: EventMessage['data'], now: number): Promise<void> {
    const wanted = this.#webhooks.enqueue({ type, timestamp: new Date(now).toISOString(), data }, now);
    if (wanted > 0) await this.#host.due.within('deliveries', now);
  }

  /** Reports an analysis that is not a job, such as a live session. Each event is reported only once. */
  async sendOnce(type: WebhookEvent, data: EventMessage['data']): Promise<void> {
    if (this.#host.exists() && !this.#webhooks.wasEnqueued(type, data.conversation_id))
      await this.send(type, data, Date.now());
  }

  /** Removes every message about a conversation. */
  forget(conversationId: string): void {
    this.#webhooks.forget(conversationId);
  }

  /** Removes the messages that quote a conversation. @returns their number */
  forgetQuotes(conversationId: string): number {
    return this.#webhooks.forgetQuotes(conversationId);
  }
}
