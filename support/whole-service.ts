import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createTestHarness } from 'wrangler';

const ROOT = join(import.meta.dirname, '..');
export const KEY = 'stack-test-key';

/** The part of R2 that is used. */
interface Bucket {
  list(): Promise<{ objects: { key: string }[] }>;
  get(key: string): Promise<{ text(): Promise<string> } | null>;
}

/** The whole service as users meet it: the real pipeline process, and the Worker in workerd. */
export interface Stack {
  /** Base address of the Worker. */
  url: URL;
  pipeline: ChildProcess;
  /** The text of a stored document by its file name. @throws when there is none */
  artifact(conversationId: string, name: string): Promise<string>;
  stop(): Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};

async function healthy(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the pipeline did not come up');
}

export async function startStack(vars: Record<string, string> = {}): Promise<Stack> {
  const port = await freePort();
  const pipeline = spawn(process.execPath, ['containers/pipeline/server.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const runtime = `http://127.0.0.1:${port}`;
  await healthy(`${runtime}/healthz`);
  const worker = createTestHarness({
    workers: [
      {
        configPath: new URL('../wrangler.toml', import.meta.url),
        vars: { RUNTIME_URL: runtime, API_KEYS: KEY, ...vars },
      },
    ],
  });
  const { url } = await worker.listen();
  return {
    url,
    pipeline,
    async artifact(conversationId, name) {
      const { MEDIA } = await worker.getWorker<{ MEDIA: Bucket }>().getEnv();
      const { objects } = await MEDIA.list();
      const key = objects.map((object) => object.key).find((key) => key.endsWith(`${conversationId}/${name}`));
      const object = key === undefined ? null : await MEDIA.get(key);
      if (!object) throw new Error(`${conversationId} has no ${name}`);
      return object.text();
    },
    async stop() {
      await worker.close();
      pipeline.kill('SIGTERM');
      if (pipeline.exitCode === null && pipeline.signalCode === null) await once(pipeline, 'exit');
    },
  };
}
