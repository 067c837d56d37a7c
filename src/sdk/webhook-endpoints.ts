import { type CallOptions, type Connection, jsonCall, path } from './connection.ts';
import type { CreatedWebhook, Delivery, NewWebhookRequest, Webhook, WebhookPatchRequest } from './wire.ts';

/**
 * Manages webhooks, which are notified when an analysis ends. Receivers check messages with `verify` of
 * `@undertone/sdk/webhooks`.
 */
export class WebhookEndpoints {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Adds a webhook. Its `secret` is shown only once.
   *
   * @example
   * const { secret } = await undertone.webhooks.create({ url: 'https://example.com/undertone' });
   */
  create(webhook: NewWebhookRequest, { signal }: CallOptions = {}): Promise<CreatedWebhook> {
    return this.#connection.json('webhooks', { ...jsonCall('POST', webhook), repeatable: false, signal });
  }

  async list({ signal }: CallOptions = {}): Promise<Webhook[]> {
    const call = { repeatable: true, signal };
    return (await this.#connection.json<{ webhooks: Webhook[] }>('webhooks', call)).webhooks;
  }

  /** Changes the address or the events. The secret stays the same, and waiting messages go to the new address. */
  update(id: string, patch: WebhookPatchRequest, { signal }: CallOptions = {}): Promise<Webhook> {
    return this.#connection.json(path`webhooks/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  /** Sends a message of the type `webhook.test`, once. `deliveries` has its outcome. */
  test(id: string, { signal }: CallOptions = {}): Promise<Delivery> {
    return this.#connection.json(path`webhooks/${id}/test`, { method: 'POST', repeatable: false, signal });
  }

  /** Removes a webhook and drops its pending messages. */
  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`webhooks/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /** The last hundred deliveries, newest first. */
  async deliveries(id: string, { signal }: CallOptions = {}): Promise<Delivery[]> {
    const call = { repeatable: true, signal };
    return (await this.#connection.json<{ deliveries: Delivery[] }>(path`webhooks/${id}/deliveries`, call)).deliveries;
  }

  /** Sends a message again, with the full number of attempts. */
  redeliver(id: string, delivery: string, { signal }: CallOptions = {}): Promise<Delivery> {
    const call = { method: 'POST', repeatable: true, signal } as const;
    return this.#connection.json(path`webhooks/${id}/deliveries/${delivery}/redeliver`, call);
  }
}
