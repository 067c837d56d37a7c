import type { TestHarness } from 'wrangler';
import { type IssuedKey, IssuedKeySchema, type NewKey } from '../src/contract/keys.ts';
import { type FakePipeline, startFakePipeline } from './fake-pipeline.ts';
import { MAIN, startWorker } from './worker.ts';

export const KEY = 'test-key-one';
export const OTHER_KEY = 'test-key-two';
export const DEMO_KEY = 'test-demo';
export const ADMIN_TOKEN = 'test-admin-token-0123456789';
export const KEY_PEPPER = 'test-pepper-0123456789abcdef';
export const PIPELINE_TOKEN = 'test-pipeline-token-0123456789';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The Worker's bindings that tests use. */
export interface TestEnv {
  MEDIA: {
    list(): Promise<{ objects: { key: string }[] }>;
    get(key: string): Promise<{ text(): Promise<string> } | null>;
    delete(keys: string[]): Promise<void>;
  };
}

/** The Worker in real workerd with real storage, and a fake pipeline. */
export interface TestService {
  url: URL;
  pipeline: FakePipeline;
  harness: TestHarness;
  /** Keys of all stored objects, except records, which failed conversations also have. */
  objects(): Promise<string[]>;
  /** Keys of all stored objects. */
  stored(): Promise<string[]>;
  /** The stored text of an object. */
  text(key: string): Promise<string>;
  post(path: string, body: BodyInit, headers?: Record<string, string>): Promise<Response>;
  /** Sends a request as the operator. The JSON body is optional. */
  admin(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Issues a key as the operator. */
  issue(key?: Partial<NewKey>): Promise<IssuedKey>;
  stop(): Promise<void>;
}

/**
 * @param vars override those in wrangler.toml and of the tests
 * @param more tables appended to wrangler.toml
 * @param main entry, if it is not the service's own
 */
export async function startService(vars: Record<string, string> = {}, more = '', main = MAIN): Promise<TestService> {
  const pipeline = await startFakePipeline();
  const own = {
    RUNTIME_URL: pipeline.url,
    API_KEYS: `${KEY}, ${OTHER_KEY}`,
    DEMO_API_KEY: DEMO_KEY,
    ADMIN_TOKEN,
    KEY_PEPPER,
    PIPELINE_TOKEN,
  };
  const harness = await startWorker({ ...own, ...vars }, { more, main });
  const { url } = await harness.listen();
  const admin: TestService['admin'] = (method, path, body, headers = {}) =>
    fetch(new URL(path, url), {
      method,
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, ...(body !== undefined && JSON_TYPE), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const bucket = async () => (await harness.getWorker<TestEnv>().getEnv()).MEDIA;
  const stored = async () => (await (await bucket()).list()).objects.map(({ key }) => key);
  return {
    url,
    pipeline,
    harness,
    objects: async () => (await stored()).filter((key) => !key.includes('/records/')),
    stored,
    text: async (key) => (await (await bucket()).get(key))?.text() ?? '',
    post: (path, body, headers = {}) =>
      fetch(new URL(path, url), { method: 'POST', body, headers: { 'X-API-Key': KEY, ...headers } }),
    admin,
    issue: async (key = {}) => {
      const response = await admin('POST', '/keys', { label: 'test', ...key });
      if (!response.ok) throw new Error(await response.text());
      return IssuedKeySchema.parse(await response.json());
    },
    async stop() {
      await harness.close();
      pipeline.close();
    },
  };
}

/** Resets the service to the default answer, with nothing stored and no requests recorded. */
export async function clear(service: TestService): Promise<void> {
  service.pipeline.clear();
  const { MEDIA } = await service.harness.getWorker<TestEnv>().getEnv();
  const keys = await service.objects();
  if (keys.length > 0) await MEDIA.delete(keys);
}

/** A form with one file and text fields. */
export function form(filename: string, bytes: Uint8Array<ArrayBuffer> | string, fields: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new File([bytes], filename));
  return body;
}

/** The status of a response whose body nobody reads. */
export async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}
