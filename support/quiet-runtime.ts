// The local runtime as the tests run it (vitest.config.ts): nothing leaves the machine, and only a program's report goes
// to stdout. Import this where a program starts a Worker in its own process.
Object.assign(process.env, {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_LOG: 'error',
});
