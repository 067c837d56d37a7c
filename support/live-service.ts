import { createHash } from 'node:crypto';
import type { TestHarness } from 'wrangler';
import type { LiveSessionBody } from '../src/contract/live.ts';
import { type Result, unwrapped } from '../src/contract/result.ts';
import { type EchoOptions, type EchoPipeline, startEchoPipeline } from './echo-pipeline.ts';
import { LiveClient } from './live-client.ts';
import { EXTENDED, startWorker } from './worker.ts';

export const KEY = 'live-test-key';
export const OTHER_KEY = 'another-test-key';

/** The tenant of `KEY`. */
const TENANT = createHash('sha256').update(KEY).digest('hex').slice(0, 16);
/** The Worker in workerd, with an echo pipeline. */
export interface LiveStack {
  url: URL;
  client: LiveClient;
  echo: EchoPipeline;
  worker: TestHarness;
  /** The text of a document stored under `KEY`, by file name. */
  artifact(conversationId: string, name: string): Promise<string | undefined>;
  /** The bytes of all chunks of a finished session, if they are stored. */
  upload(conversationId: string): Promise<Uint8Array | undefined>;
  /** A session as its object reports it, and its stored state. */
  known(sessionId: string): Promise<{ session: LiveSessionBody; storedState: string }>;
  /** Evicts a session's object at any moment. */
  crash(sessionId: string): Promise<void>;
  /** Evicts a container's object with everything that passes through it. */
  crashContainer(instance: number): Promise<void>;
  /** Evicts the object of the pool. */
  crashPool(): Promise<void>;
  stop(): Promise<void>;
}

/** @param vars override the ones in wrangler.toml */
export async function startLiveStack(vars: Record<string, string> = {}, options: EchoOptions = {}): Promise<LiveStack> {
  const echo = await startEchoPipeline(options);
  const own = { RUNTIME_URL: echo.url, API_KEYS: `${KEY} ${OTHER_KEY}`, MAX_SESSIONS_PER_KEY: '1000' };
  const worker = await startWorker({ ...own, ...vars }, { main: EXTENDED });
  const { url } = await worker.listen();
  const find = async (begin: string): Promise<StoredObject | undefined> => {
    const { MEDIA } = await worker.getWorker<{ MEDIA: Bucket }>().getEnv();
    const { objects } = await MEDIA.list({ prefix: `${TENANT}/${begin}` });
    return (objects[0] && (await MEDIA.get(objects[0].key))) ?? undefined;
  };
  return {
    url,
    client: new LiveClient(url, KEY),
    echo,
    worker,
    artifact: async (conversationId, name) => (await find(`${conversationId}/${name}`))?.text(),
    async upload(conversationId) {
      const object = await find(`${conversationId}/upload.`);
      return object && new Uint8Array(await object.arrayBuffer());
    },
    async known(sessionId) {
      const { LIVE } = await worker.getWorker<{ LIVE: LiveNamespace }>().getEnv();
      const object = LIVE.get(LIVE.idFromString(sessionId));
      return { session: unwrapped(await object.read(TENANT)), storedState: await object.storedState() };
    },
    async crash(sessionId) {
      const { LIVE } = await worker.getWorker<{ LIVE: LiveNamespace }>().getEnv();
      // The call itself fails when the object is evicted.
      await LIVE.get(LIVE.idFromString(sessionId))
        .crash()
        .catch(() => undefined);
    },
    async crashContainer(instance) {
      const { PIPELINE } = await worker.getWorker<{ PIPELINE: ContainerNamespace }>().getEnv();
      await PIPELINE.get(PIPELINE.idFromName(`pipeline-${instance}`))
        .crash()
        .catch(() => undefined);
    },
    async crashPool() {
      const { POOL } = await worker.getWorker<{ POOL: ContainerNamespace }>().getEnv();
      await POOL.get(POOL.idFromName('a'))
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
  get(id: unknown): {
    crash(): Promise<void>;
    read(tenant: string): Promise<Result<LiveSessionBody>>;
    storedState(): Promise<string>;
  };
}

interface ContainerNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { crash(): Promise<void> };
}

interface Bucket {
  list(options: { prefix: string }): Promise<{ objects: { key: string }[] }>;
  get(key: string): Promise<StoredObject | null>;
}

interface StoredObject {
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}
