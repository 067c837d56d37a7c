import { once } from 'node:events';
import { inject } from 'vitest';
import { startServer } from './pipeline-server.ts';
import { startWorker } from './worker.ts';

export const KEY = 'stack-test-key';

/** The part of R2 that tests use. */
interface Bucket {
  list(): Promise<{ objects: { key: string }[] }>;
  get(key: string): Promise<{ text(): Promise<string> } | null>;
}

/** The whole service as users see it: the real pipeline process, and the Worker in workerd. */
export interface Stack {
  /** Base address of the Worker. */
  url: URL;
  /** The text of a stored document, by file name. @throws when it does not exist */
  artifact(conversationId: string, name: string): Promise<string>;
  /** The texts of all stored documents with a file name. */
  documents(name: string): Promise<string[]>;
  stop(): Promise<void>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The pipeline shared by the test files of a project. */
    pipeline?: string;
  }
}

/** The address of the project's pipeline, or of a separate one, and a function that ends it. */
async function startPipeline(): Promise<{ address: string; end(): Promise<void> }> {
  const shared = inject('pipeline');
  if (shared !== undefined) return { address: shared, end: async () => undefined };
  const { server, port } = await startServer();
  return {
    address: `http://127.0.0.1:${port}`,
    async end() {
      server.kill('SIGTERM');
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    },
  };
}

export async function startStack(vars: Record<string, string> = {}): Promise<Stack> {
  const pipeline = await startPipeline();
  const worker = await startWorker({ RUNTIME_URL: pipeline.address, API_KEYS: KEY, ...vars });
  const { url } = await worker.listen();
  return {
    url,
    async artifact(conversationId, name) {
      const { MEDIA } = await worker.getWorker<{ MEDIA: Bucket }>().getEnv();
      const { objects } = await MEDIA.list();
      const key = objects.map((object) => object.key).find((key) => key.endsWith(`${conversationId}/${name}`));
      const object = key === undefined ? null : await MEDIA.get(key);
      if (!object) throw new Error(`${conversationId} has no ${name}`);
      return object.text();
    },
    async documents(name) {
      const { MEDIA } = await worker.getWorker<{ MEDIA: Bucket }>().getEnv();
      const { objects } = await MEDIA.list();
      const keys = objects.map(({ key }) => key).filter((key) => key.endsWith(`/${name}`));
      return Promise.all(keys.map(async (key) => (await (await MEDIA.get(key))?.text()) ?? ''));
    },
    async stop() {
      await worker.close();
      await pipeline.end();
    },
  };
}
