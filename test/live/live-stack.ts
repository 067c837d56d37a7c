import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHarness, type TestHarness } from 'wrangler';
import { type EchoOptions, type EchoPipeline, startEchoPipeline } from '../../bench/echo-pipeline.ts';
import { LiveClient } from './live-client.ts';

export const KEY = 'live-test-key';
export const OTHER_KEY = 'another-test-key';

const ROOT = join(import.meta.dirname, '../..');

/** wrangler.toml with another entry, kept where build results go. */
function configWithCrash(): string {
  const folder = join(ROOT, 'build/test-live');
  mkdirSync(folder, { recursive: true });
  const toml = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
  const main = join(import.meta.dirname, 'crash-worker.ts');
  const path = join(folder, `wrangler.${process.pid}.toml`);
  writeFileSync(path, toml.replace(/^main = .*$/m, `main = "${main}"`).replace('"./containers', `"${ROOT}/containers`));
  return path;
}

/** The Worker in workerd, with an echo in place of the pipeline. */
export interface LiveStack {
  url: URL;
  client: LiveClient;
  echo: EchoPipeline;
  worker: TestHarness;
  /** The text of an artifact by its file name. */
  artifact(conversationId: string, name: string): Promise<string>;
  /** The bytes of all chunks of a session that was concluded. */
  upload(conversationId: string): Promise<Uint8Array>;
  /** Throws a session's object out of memory, whatever it is doing. */
  crash(sessionId: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param vars over those of wrangler.toml */
export async function startLiveStack(vars: Record<string, string> = {}, options: EchoOptions = {}): Promise<LiveStack> {
  const echo = await startEchoPipeline(options);
  const worker = createTestHarness({
    workers: [
      {
        configPath: configWithCrash(),
        vars: { RUNTIME_URL: echo.url, API_KEYS: `${KEY} ${OTHER_KEY}`, MAX_SESSIONS_PER_KEY: '1000', ...vars },
      },
    ],
  });
  const { url } = await worker.listen();
  const find = async (part: string): Promise<StoredObject> => {
    const { MEDIA } = await worker.getWorker<{ MEDIA: Bucket }>().getEnv();
    const { objects } = await MEDIA.list();
    const key = objects.map((object) => object.key).find((key) => key.includes(part));
    const object = key === undefined ? null : await MEDIA.get(key);
    if (!object) throw new Error(`there is no ${part}`);
    return object;
  };
  return {
    url,
    client: new LiveClient(url, KEY),
    echo,
    worker,
    artifact: async (conversationId, name) => (await find(`${conversationId}/${name}`)).text(),
    upload: async (conversationId) => new Uint8Array(await (await find(`${conversationId}/upload.`)).arrayBuffer()),
    async crash(sessionId) {
      const { LIVE } = await worker.getWorker<{ LIVE: LiveNamespace }>().getEnv();
      // The call itself dies with the object.
      await LIVE.get(LIVE.idFromString(sessionId))
        .crash()
        .catch(() => undefined);
    },
    async stop() {
      await worker.close();
      await echo.close();
    },
  };
}

interface LiveNamespace {
  idFromString(id: string): unknown;
  get(id: unknown): { crash(): Promise<void> };
}

interface Bucket {
  list(): Promise<{ objects: { key: string }[] }>;
  get(key: string): Promise<StoredObject | null>;
}

interface StoredObject {
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
