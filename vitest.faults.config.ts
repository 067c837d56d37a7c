import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'test/faults/table.ts',
    // Ten attempts at one fault form a single test when they share their start.
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    env: {
      FAULT_TRIES: process.env.FAULT_TRIES ?? '10',
      WRANGLER_SEND_METRICS: 'false',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_LOG: 'error',
    },
  },
});
