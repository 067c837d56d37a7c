import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    environment: 'node',
    globalSetup: 'test/set-up.ts',
    testTimeout: 900_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    env: { WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_LOG: 'error' },
  },
});
