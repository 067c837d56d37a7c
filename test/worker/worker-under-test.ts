import { createTestHarness, type TestHarness } from 'wrangler';
import { type FakePipeline, sayEverything, startFakePipeline } from './fake-pipeline.ts';

export const KEY = 'test-key-one';
export const OTHER_KEY = 'test-key-two';
export const DEMO_KEY = 'test-demo';

/** What the tests use of the Worker's bindings. */
export interface TestEnv {
  MEDIA: {
    list(): Promise<{ objects: { key: string }[] }>;
    get(key: string): Promise<{ text(): Promise<string> } | null>;
    delete(keys: string[]): Promise<void>;
  };
}

/** The Worker in real workerd with real storage, in front of a fake pipeline. */
export interface TestService {
  url: URL;
  pipeline: FakePipeline;
  harness: TestHarness;
  /** Keys of all stored objects. */
  objects(): Promise<string[]>;
  /** The stored text of an object. */
  text(key: string): Promise<string>;
  post(path: string, body: BodyInit, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

export async function startService(vars: Record<string, string> = {}): Promise<TestService> {
  const pipeline = await startFakePipeline();
  const harness = createTestHarness({
    workers: [
      {
        configPath: new URL('../../wrangler.toml', import.meta.url),
        vars: { RUNTIME_URL: pipeline.url, API_KEYS: `${KEY}, ${OTHER_KEY}`, DEMO_API_KEY: DEMO_KEY, ...vars },
      },
    ],
  });
  const { url } = await harness.listen();
  const bucket = async () => (await harness.getWorker<TestEnv>().getEnv()).MEDIA;
  return {
    url,
    pipeline,
    harness,
    objects: async () => (await (await bucket()).list()).objects.map(({ key }) => key),
    text: async (key) => (await (await bucket()).get(key))?.text() ?? '',
    post: (path, body, headers = {}) =>
      fetch(new URL(path, url), { method: 'POST', body, headers: { 'X-API-Key': KEY, ...headers } }),
    async stop() {
      await harness.close();
      pipeline.close();
    },
  };
}

/** Leaves the service as it was: the default answer, nothing stored, nothing seen. */
export async function clear(service: TestService): Promise<void> {
  service.pipeline.answer = sayEverything;
  service.pipeline.seen.length = 0;
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
