import { z } from 'zod';
import { PoolInstanceSchema } from '../../src/contract/operations.ts';
import { DeployFault } from './platform.ts';

// The running service can be of another version than this command, so only what is needed is read.
const TenantSchema = z.object({ id: z.string(), name: z.string() });
const TenantListSchema = z.object({ tenants: z.array(TenantSchema), next_cursor: z.string().nullable() });
const KeySchema = z.object({ key: z.string() });
const OperationsSchema = z.object({
  version: z.string().optional(),
  idle_application: z.object({ ready: z.number(), work: z.number() }).optional(),
  pool: z.object({ instances: z.array(PoolInstanceSchema.pick({ name: true, state: true, live: true })) }).optional(),
});

/** Name of the tenant under which a deployment tries the service. It exists only while one runs. */
const TRIAL_TENANT = 'Trial of a deployment';
/** A key that a broken deployment leaves behind ends by itself. */
const KEY_MS = 3 * 3_600_000;

/** A deployed service, through its own API as the operator. */
export class DeployedService {
  readonly #url: string;
  readonly #adminToken: string;
  readonly #fetch: typeof fetch;
  readonly #trial: string;

  /** @param trial name of the tenants that it makes for trials */
  constructor(url: string, adminToken: string, fetcher: typeof fetch, trial = TRIAL_TENANT) {
    this.#url = url;
    this.#adminToken = adminToken;
    this.#fetch = fetcher;
    this.#trial = trial;
  }

  async #text(method: string, path: string, body?: object): Promise<string> {
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Bearer ${this.#adminToken}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const answer = await this.#fetch(new URL(path, this.#url), init);
    const text = await answer.text();
    if (answer.ok) return text;
    throw new DeployFault(`${method} ${path} of ${this.#url} answered ${answer.status}: ${text.slice(0, 200)}`);
  }

  async #json<T>(schema: z.ZodType<T>, method: string, path: string, body?: object): Promise<T> {
    return schema.parse(JSON.parse(await this.#text(method, path, body)));
  }

  /** The tenant of the trial: a new one, or one that a broken deployment left behind. */
  async trialTenant(): Promise<string> {
    const left = await this.#trialTenants();
    return left[0] ?? (await this.#json(TenantSchema, 'POST', '/tenants', { name: this.#trial })).id;
  }

  async #trialTenants(): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null = '';
    do {
      const query: string = cursor === '' ? '' : `?cursor=${cursor}`;
      const page: z.infer<typeof TenantListSchema> = await this.#json(TenantListSchema, 'GET', `/tenants${query}`);
      found.push(...page.tenants.filter(({ name }) => name === this.#trial).map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  }

  /** A key of the trial's tenant, valid for a few hours. */
  async trialKey(tenant: string, now: number): Promise<string> {
    const expires = new Date(now + KEY_MS).toISOString();
    const body = { label: 'deployment', tenant, expires_at: expires };
    return (await this.#json(KeySchema, 'POST', '/keys', body)).key;
  }

  /** Removes everything that trials left. */
  async removeTrials(): Promise<void> {
    for (const tenant of await this.#trialTenants()) await this.#text('DELETE', `/tenants/${tenant}`);
  }

  /** The application that gets no new work. Undefined if the service has none. */
  async idleApplication(): Promise<{ ready: number; work: number } | undefined> {
    const { idle_application: idle } = await this.#json(OperationsSchema, 'GET', '/operations?hours=1');
    return idle;
  }

  /** The service's version, and the pipelines of its pool as they last reported. */
  async pool() {
    const { version, pool } = await this.#json(OperationsSchema, 'GET', '/operations?hours=1');
    return { version: version ?? 'unknown', instances: pool?.instances ?? [] };
  }

  /** The counters in Prometheus' text format. */
  async metrics(key: string): Promise<string> {
    const answer = await this.#fetch(new URL('/metrics', this.#url), {
      headers: { 'X-API-Key': key, Accept: 'text/plain' },
    });
    if (!answer.ok) throw new DeployFault(`GET /metrics of ${this.#url} answered ${answer.status}`);
    return answer.text();
  }
}
