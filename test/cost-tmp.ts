import { startService, KEY } from '/work/wt/keys/test/worker/worker-under-test.ts';
const s = await startService({ MAX_REQUESTS_PER_MINUTE_PER_KEY: '10000000', MAX_REQUESTS_PER_MINUTE_PER_TENANT: '10000000' });
const k = await s.issue();
const run = async (name: string, path: string, headers: Record<string,string>, n = 3000) => {
  for (let i = 0; i < 200; i++) await (await fetch(new URL(path, s.url), { headers })).text();
  const t = performance.now();
  for (let i = 0; i < n; i++) await (await fetch(new URL(path, s.url), { headers })).text();
  console.log(name, ((performance.now() - t) / n).toFixed(3), 'ms');
};
for (let r = 0; r < 3; r++) {
  await run('health (open)', '/health', {});
  await run('401 made-up key of the settings\' kind', '/metrics', { 'X-API-Key': 'nope' });
  await run('403 issued key lacking scope (auth+meter)', '/keys', { 'X-API-Key': k.key });
  await run('403 configured', '/keys', { 'X-API-Key': KEY });
}
await s.stop();
