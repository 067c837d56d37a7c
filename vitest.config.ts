import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import Sequencer from './test/sequencer.ts';

/**
 * The name of a test file shows what it needs: `*.test.ts` nothing, `*.models.test.ts` ffmpeg and the models,
 * `*.worker.test.ts` workerd, `*.service.test.ts` the whole service as processes, `*.browser.test.ts` a browser.
 */
const project = (name: string, needs: string, more: object = {}) => ({
  extends: true as const,
  test: { name, include: [`{test,tools}/**/*.${needs}test.ts`], ...more },
});
const KINDS = ['models', 'worker', 'service', 'browser'] as const;

/**
 * Imports the Worker's modules into Node. They need only names from the runtime, and weights files are imported as
 * bytes.
 */
const WORKER_MODULES: Plugin = {
  name: 'worker-modules',
  enforce: 'pre',
  config: () => ({
    resolve: {
      alias: [
        {
          find: /^(cloudflare:workers|@cloudflare\/containers)$/,
          replacement: join(import.meta.dirname, 'support/worker-runtime.ts'),
        },
      ],
    },
  }),
  load: (id) =>
    id.endsWith('.bin')
      ? `export default Uint8Array.from(atob('${readFileSync(id, 'base64')}'), (c) => c.charCodeAt(0)).buffer`
      : undefined,
};

export default defineConfig({
  plugins: [WORKER_MODULES],
  test: {
    environment: 'node',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A page on a loaded machine can take longer than the usual second.
    expect: { poll: { timeout: 20_000 } },
    // Many files spend more time waiting for timers than working.
    maxWorkers: 4,
    retry: 0,
    sequence: { sequencer: Sequencer },
    reporters: ['default', './test/slowest-files.ts'],
    // Stack size, kB: half of what a system gives a thread. The step counter for patterns recurses once for each
    // character of a text.
    execArgv: ['--stack-size=3900'],
    env: {
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_LOG: 'error',
      // The processes that tests start (commands and pipelines) compile their modules only once.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'build/compile-cache'),
    },
    exclude: ['test/faults/**', '**/node_modules/**'],
    projects: [
      project('unit', '', {
        isolate: false,
        exclude: [...KINDS.map((kind) => `**/*.${kind}.test.ts`), 'test/faults/**', '**/node_modules/**'],
      }),
      project('models', 'models.', { globalSetup: 'test/set-up.ts' }),
      // These files share a process and run one after another, so that their imports are loaded only once.
      project('worker', 'worker.', { globalSetup: 'test/set-up.ts', isolate: false }),
      project('service', 'service.', { globalSetup: 'test/set-up-service.ts', isolate: false }),
      project('browser', 'browser.', { globalSetup: 'test/set-up.ts', isolate: false }),
    ],
  },
});
