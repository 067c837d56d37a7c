import { createTestHarness, type TestHarness } from 'wrangler';
import { type EchoOptions, type EchoPipeline, startEchoPipeline } from '../../bench/echo-pipeline.ts';
import { LiveClient } from './live-client.ts';

export const KEY = 'live-test-key';
export const OTHER_KEY = 'another-test-key';

/** The Worker in workerd, with an echo in place of the pipeline. */
export interface LiveStack {
  url: URL;
  client: LiveClient;
  echo: EchoPipeline;
  worker: TestHarness;
  stop(): Promise<void>;
}

/** @param vars over those of wrangler.toml */
export async function startLiveStack(vars: Record<string, string> = {}, options: EchoOptions = {}): Promise<LiveStack> {
  const echo = await startEchoPipeline(options);
  const worker = createTestHarness({
    workers: [
      {
        configPath: new URL('../../wrangler.toml', import.meta.url),
        vars: { RUNTIME_URL: echo.url, API_KEYS: `${KEY} ${OTHER_KEY}`, MAX_SESSIONS_PER_KEY: '1000', ...vars },
      },
    ],
  });
  const { url } = await worker.listen();
  return {
    url,
    client: new LiveClient(url, KEY),
    echo,
    worker,
    async stop() {
      await worker.close();
      await echo.close();
    },
  };
}
