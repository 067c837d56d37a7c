import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEGMENTATION_FILES } from '../../src/conversation/weights.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Limit of all modules together, compressed; a free Worker may have three times as much. */
const MOST_GZIP_BYTES = 1035 * 1024;

let folder: string;
let modules: string[];
let deployed: Miniflare;

// The bundle of `wrangler deploy`, run unchanged: it starts without the development server around it.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'undertone-bundle-'));
  const wrangler = [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), 'deploy', '--dry-run', '--outdir', folder];
  execFileSync(process.execPath, [...wrangler, '--containers-rollout=none'], { cwd: ROOT, stdio: 'pipe' });
  // The first one is the entry.
  modules = ['index.js', ...(await readdir(folder)).filter((file) => file.endsWith('.bin'))];
  const durable = (className: string) => ({ className, useSQLite: true });
  deployed = new Miniflare(
    convertV4MiniflareOptions({
      modules: modules.map((file) => ({
        type: file.endsWith('.js') ? 'ESModule' : 'Data',
        path: join(folder, file),
      })),
      modulesRoot: folder,
      compatibilityDate: '2026-11-01',
      compatibilityFlags: ['enable_request_signal', 'nodejs_compat'],
      r2Buckets: ['MEDIA'],
      durableObjects: {
        LIVE: durable('LiveSession'),
        METRICS: durable('Metrics'),
        PIPELINE: durable('PipelineContainer'),
        PIPELINE_B: durable('PipelineContainerB'),
        TENANT: durable('Tenant'),
        DIRECTORY: durable('Directory'),
        POOL: durable('PoolDirectory'),
        QUEUE: durable('AnalysisQueue'),
      },
      bindings: { API_KEYS: 'bundle-key' },
    }),
  );
  await deployed.ready;
});
afterAll(async () => {
  await deployed?.dispose();
  await rm(folder, { recursive: true, force: true });
});

it('fits a Worker', async () => {
  expect(modules).toHaveLength(2 + SEGMENTATION_FILES.length);
  const sizes = await Promise.all(modules.map(async (file) => gzipSync(await readFile(join(folder, file))).length));
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MOST_GZIP_BYTES);
});

it('answers from the bundle that would be deployed', async () => {
  expect(await (await deployed.dispatchFetch('http://undertone/health')).json()).toEqual({ status: 'ok' });
  expect((await deployed.dispatchFetch('http://undertone/metrics')).status).toBe(401);
  const segmented = await deployed.dispatchFetch('http://undertone/segment/conversation', {
    method: 'POST',
    headers: { 'X-API-Key': 'bundle-key', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      timeline: [{ utterance_id: 'c_utt_0', speaker: 'Speaker_0', t_start: 0, t_end: 2, text: 'Hello, this is Anna.' }],
    }),
  });
  expect(segmented.status).toBe(200);
  expect(await segmented.json()).toMatchObject({ segmentation: { total_phases: 1 } });
});
