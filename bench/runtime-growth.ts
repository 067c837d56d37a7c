import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, workerProcess } from './processes.ts';
import { report, type Table } from './report.ts';
import { residentMb, workerdPids } from './workerd.ts';

// What the local runtime keeps of requests, whatever Worker runs in it: a bare one, which puts a body into a row of a Durable
// Object's SQLite and says `ok`, under `wrangler dev`; an object for each pass. `npm run test:attack` is to be read beside it.

const { values } = parseArgs({
  strict: false,
  options: {
    passes: { type: 'string', default: '6' },
    requests: { type: 'string', default: '1500' },
    bytes: { type: 'string', default: '60000' },
  },
});
const [PASSES, REQUESTS, BYTES] = [values.passes, values.requests, values.bytes].map(Number) as [
  number,
  number,
  number,
];
const AT_ONCE = 8;

const port = await freePort();
const folder = mkdtempSync(join(tmpdir(), 'undertone-bare-'));
const worker = workerProcess(port, folder, {}, 'bench/bare-worker.toml');
/** A connection a request, as strangers come. */
const ask = async (pass: number, n: number): Promise<void> => {
  const init = { method: 'POST', body: new Uint8Array(BYTES), headers: { Connection: 'close' } };
  const answer = await fetch(`http://127.0.0.1:${port}/${pass}/${n}`, init);
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
        while (left-- > 0) await ask(pass, left);
      }),
    );
    note(pass * REQUESTS);
  }
  report('runtime-growth', [
    {
      title: `Resident memory of the local runtime under a bare Worker, bodies of ${BYTES} bytes`,
      columns: ['requests', "the Worker's process, MB", "wrangler's proxy, MB"],
      rows,
    },
  ]);
} finally {
  await worker.kill();
  rmSync(folder, { recursive: true, force: true });
}
