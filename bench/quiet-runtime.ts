// The local runtime as the tests run it (vitest.config.ts): nothing leaves the machine, and only a bench's report goes
// to stdout. Import this if a Worker runs in the bench's own process.
Object.assign(process.env, {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_LOG: 'error',
});
