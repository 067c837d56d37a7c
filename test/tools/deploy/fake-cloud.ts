import type { Outside } from '../../../scripts/deploy/deployment.ts';
import type { Environment } from '../../../scripts/deploy/environments.ts';
import { CommandFault } from '../../../scripts/deploy/platform.ts';
import type { SmokeCheck } from '../../../scripts/deploy/smoke.ts';

interface Config {
  name: string;
  vars: Record<string, string>;
  containers: { name: string; image: string }[];
}

/**
 * How the n-th call to the outside fails: without effect, halfway (a Worker is deployed, its applications are not), or
 * with its effect but without an answer.
 */
export interface CallFailure {
  at: number;
  after: 'nothing' | 'half' | 'all';
}

/** A time that only waits move. */
const BEGUN = Date.parse('2026-11-28T08:00:00Z');
const ACCOUNT = '0123456789abcdef0123456789abcdef';

/** An account with one environment, and the service that its Worker would be. It records every call. */
export class FakeCloud {
  readonly #environment: Environment;
  readonly calls: string[] = [];
  readonly said: string[] = [];
  readonly versions = new Map<string, Record<string, string>>();
  readonly deployments: { created_on: string; version: string }[] = [];
  readonly images = new Map<string, string>();
  readonly pushed = new Set<string>();
  secrets: Record<string, string> = {};
  readonly #files = new Map<string, string>();
  readonly #tenants = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  #made = 0;
  #now = BEGUN;
  failure: CallFailure | undefined;
  commit = 'c0ffee000001';
  status = '';
  hasBucket = true;
  answer: string | undefined = 'built-in';
  /** Images with which the smoke test fails. */
  readonly broken = new Set<string>();
  /** `GET /metrics`, by the seconds since the begin. */
  metrics = (_: number): string => '';
  /** Work on the idle application. */
  idleWork = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The state of the account, without ids that differ from run to run. */
  get state() {
    const current = this.#current;
    return {
      vars: current && { ...current, PIPELINE_TRIAL_TENANT: current.PIPELINE_TRIAL_TENANT ?? 'none' },
      images: Object.fromEntries(this.images),
      secrets: this.secrets,
      tenants: [...this.#tenants.values()],
      keys: this.#keys.size,
      files: [...this.#files.keys()].filter((name) => name.includes('secret')),
    };
  }

  get #current(): Record<string, string> | undefined {
    const last = this.deployments.at(-1);
    return last && this.versions.get(last.version);
  }

  get outside(): Outside {
    return {
      run: (program, args) => this.#call(`${program} ${args.join(' ')}`, () => this.#run(program, [...args])),
      fetch: (async (url: URL, init: RequestInit = {}) =>
        this.#call(`${init.method ?? 'GET'} ${url.pathname}`, () => this.#serve(url, init))) as typeof fetch,
      smoke: ({ url, key }) => this.#call(`smoke ${url}`, () => this.#smoke(key)),
      write: (name, text) => {
        this.#files.set(name, text);
        return name;
      },
      remove: (name) => void this.#files.delete(name),
      pause: async (ms) => {
        this.#now += ms;
      },
      now: () => this.#now,
      say: (line) => void this.said.push(line),
      ask: async () => this.answer,
      env: { ADMIN_TOKEN: 'admin-token-of-the-test', KEY_PEPPER: 'pepper-of-the-test' },
    };
  }

  async #call<T>(name: string, effect: () => T): Promise<T> {
    const n = this.calls.push(name);
    const fails = this.failure?.at === n;
    const lost = new CommandFault(name, [], 'the connection was lost');
    if (!fails) return effect();
    if (this.failure?.after !== 'nothing')
      try {
        effect();
      } catch {
        // The failure hides its own.
      }
    throw lost;
  }

  #run(program: string, args: string[]): string {
    const [first = '', second = '', third = ''] = args;
    const after = (option: string): string => args[args.indexOf(option) + 1] ?? '';
    const fail = (output: string): never => {
      throw new CommandFault(program, args, output);
    };
    if (program === 'git') return first === 'status' ? this.status : this.commit;
    if (program === 'docker') return '';
    switch (`${first} ${second}`) {
      case 'whoami --json':
        return JSON.stringify({ loggedIn: true, accounts: [{ id: ACCOUNT, name: 'Own' }] });
      case 'containers list':
        return JSON.stringify([...this.images].map(([name, image]) => ({ name, image })));
      case 'containers push':
        this.pushed.add(`registry.cloudflare.com/${ACCOUNT}/${third}`);
        return '';
      case 'r2 bucket':
        return this.hasBucket ? '{}' : fail('The specified bucket does not exist. [code: 10006]');
      case 'secret list':
        if (this.deployments.length === 0) fail('Worker "undertone" not found.');
        return JSON.stringify(Object.keys(this.secrets).map((name) => ({ name, type: 'secret_text' })));
      case 'deployments list':
        if (this.deployments.length === 0) fail('This Worker does not exist on your account. [code: 10007]');
        return JSON.stringify(
          this.deployments
            .slice(-10)
            .map(({ created_on, version }) => ({ created_on, versions: [{ version_id: version, percentage: 100 }] })),
        );
      case 'versions view': {
        const vars = Object.entries(this.versions.get(third) ?? fail('no such version'));
        const bindings = vars.map(([name, text]) => ({ type: 'plain_text', name, text }));
        return JSON.stringify({ id: third, resources: { bindings: [...bindings, { type: 'ai', name: 'AI' }] } });
      }
      case `rollback ${second}`:
        if (!this.versions.has(second)) fail('no such version');
        this.#activate(second);
        return '';
      case 'deploy --config':
        this.#deploy(JSON.parse(this.#files.get(after('--config'))!), args);
        return '';
      default:
        return fail('unknown command');
    }
  }

  #deploy(config: Config, args: string[]): void {
    const id = `version-${++this.#made}`;
    this.versions.set(id, config.vars);
    this.#activate(id);
    if (args.includes('--secrets-file'))
      Object.assign(this.secrets, JSON.parse(this.#files.get(args[args.indexOf('--secrets-file') + 1]!)!));
    if (this.failure?.after === 'half' && this.failure.at === this.calls.length) return;
    for (const { name, image } of config.containers) {
      if (!this.pushed.has(image)) throw new CommandFault('wrangler', args, `there is no image ${image}`);
      this.images.set(name, image);
    }
  }

  #activate(version: string): void {
    const created_on = new Date(this.#now + this.deployments.length).toISOString();
    this.deployments.push({ created_on, version });
  }

  #serve({ pathname, searchParams }: URL, { method = 'GET', body }: RequestInit): Response {
    if (this.#current === undefined) return new Response('no Worker', { status: 404 });
    const at = '2026-11-28T08:00:00.000Z';
    const sent = typeof body === 'string' ? JSON.parse(body) : {};
    const tenantOf = ([id, name]: [string, string]) => ({ id, name, created_at: at });
    switch (`${method} ${pathname.split('/')[1]}`) {
      case 'GET tenants': {
        // A page holds one tenant.
        const [next, ...rest] = [...this.#tenants].filter(([id]) => id > (searchParams.get('cursor') ?? ''));
        return Response.json({
          tenants: next ? [tenantOf(next)] : [],
          next_cursor: next && rest.length > 0 ? next[0] : null,
        });
      }
      case 'POST tenants': {
        const id = `tenant-${++this.#made}`;
        this.#tenants.set(id, sent.name);
        return Response.json(tenantOf([id, sent.name]), { status: 201 });
      }
      case 'DELETE tenants': {
        const id = pathname.split('/')[2]!;
        this.#tenants.delete(id);
        for (const [key, tenant] of this.#keys) if (tenant === id) this.#keys.delete(key);
        return Response.json({});
      }
      case 'POST keys': {
        const key = `key-${++this.#made}`;
        this.#keys.set(key, sent.tenant);
        return Response.json({ id: key, key }, { status: 201 });
      }
      case 'GET operations':
        return Response.json({
          idle_application: { ready: this.#current.PIPELINE_TRIAL_TENANT ? 1 : 0, work: this.idleWork },
        });
      case 'GET metrics':
        return new Response(this.metrics((this.#now - BEGUN) / 1000));
      default:
        return new Response('unknown', { status: 404 });
    }
  }

  #smoke(key: string): SmokeCheck[] {
    const tenant = this.#keys.get(key);
    const { PIPELINE_TRIAL_TENANT: trial, PIPELINE_APPLICATION: active } = this.#current ?? {};
    const application = (tenant === trial) === (active === 'a') ? 'b' : 'a';
    const image = this.images.get(this.#environment.applications[application]) ?? '';
    const isOk = tenant !== undefined && !this.broken.has(image.split(':').at(-1)!);
    return [{ name: 'batch', isOk, seconds: 1, finding: isOk ? 'as stored' : `${image} finds other words` }];
  }
}
