import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, workerProcess } from './processes.ts';
import { report, type Table } from './report.ts';
import { residentMb, workerdPids } from './workerd.ts';

// Memory that the local runtime keeps after requests with any Worker, here a bare one under `wrangler dev` that answers
// `ok`. It grows until V8 collects what its old objects hold, and then stays level. With
// MINIFLARE_WORKERD_V8_FLAGS=--gc-global V8 always collects them, as for `npm run test:attack` and `npm run test:soak`.

const { values } = parseArgs({
  strict: false,
  options: {
    passes: { type: 'string', default: '12' },
    requests: { type: 'string', default: '5000' },
  },
});
const [PASSES, REQUESTS] = [values.passes, values.requests].map(Number) as [number, number];
const AT_ONCE = 8;

const port = await freePort();
const folder = mkdtempSync(join(tmpdir(), 'undertone-bare-'));
const worker = workerProcess(port, folder, {}, 'bench/bare-worker.toml');
const ask = async (): Promise<void> => {
  const answer = await fetch(`http://127.0.0.1:${port}/health`);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.text();
};
const runsWorker = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--inspector-addr');

try {
  await worker.start();
  const [own, proxy] = [true, false].map((is) => workerdPids().filter((pid) => runsWorker(pid) === is));
  const rows: Table['rows'] = [];
  const note = (asked: number): void => {
    rows.push([asked, residentMb(own!, 'VmRSS'), residentMb(proxy!, 'VmRSS')]);
  };
  note(0);
  for (let pass = 1; pass <= PASSES; pass++) {
    let left = REQUESTS;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) await ask();
      }),
    );
    note(pass * REQUESTS);
  }
  report('runtime-growth', [
    {
      title: `Resident memory of the local runtime under a bare Worker`,
      columns: ['requests', "the Worker's process, MB", "wrangler's proxy, MB"],
      rows,
    },
  ]);
} finally {
  await worker.kill();
  rmSync(folder, { recursive: true, force: true });
}
