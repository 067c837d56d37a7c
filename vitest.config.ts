import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/faults/**'],
    environment: 'node',
    globalSetup: 'test/set-up.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A page of a loaded machine takes longer than the second that is usual.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // Most files start real processes, and a machine may stall for longer than one of them waits; a retry is printed.
    retry: 1,
    // The counter of a pattern's steps recurses as deep as a text is long; half of what a system gives a thread, in kB.
    execArgv: ['--stack-size=3900'],
    env: { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_LOG: 'error' },
  },
});
