import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { GAUGES } from '../../src/worker/metrics/prometheus.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { form } from '../../support/service-under-test.ts';

/** Debian's package `prometheus` has it; `PROMTOOL` names another place. */
const PROMTOOL = process.env.PROMTOOL ?? 'promtool';
const hasPromtool = spawnSync(PROMTOOL, ['--version']).error === undefined;
if (!hasPromtool) console.warn('SKIPPED: promtool is not installed (apt install prometheus, or set PROMTOOL)');

let stack: LiveStack;
/** The text after a file was analysed, a session was finalised and a request was refused. */
let text: string;
beforeAll(async () => {
  stack = await startLiveStack();
  const { client } = stack;
  const headers = { 'X-API-Key': KEY };
  const analysed = await fetch(new URL('/analyze', stack.url), {
    method: 'POST',
    headers,
    body: form('a.wav', 'media'),
  });
  expect(analysed.status).toBe(200);
  const session = await client.ingesting(2);
  await client.control(session, 'finalize');
  await (await client.attach(session)).end();
  await (await fetch(new URL('/conversations/none', stack.url), { headers })).text();
  // Counts follow the response.
  text = await vi.waitFor(async () => {
    const scraped = await fetch(new URL('/metrics', stack.url), { headers: { ...headers, Accept: 'text/plain' } });
    const said = await scraped.text();
    expect(said).toMatch(/^undertone_pipeline_seconds_count/m);
    expect(said).toMatch(/^undertone_live_final_seconds_count/m);
    return said;
  }, 20_000);
});
afterAll(() => stack?.stop());

const sampled = (sample: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  return Number(line?.slice(sample.length + 1));
};

it('requests, waits, analyses and live finals are observed', () => {
  expect(sampled('undertone_request_seconds_count{route="POST /analyze",status="2xx"}')).toBe(1);
  expect(sampled('undertone_request_seconds_count{route="GET /conversations/:conversation_id",status="4xx"}')).toBe(1);
  expect(sampled('undertone_queue_seconds_count')).toBe(1);
  expect(sampled('undertone_pipeline_seconds_count{outcome="completed"}')).toBe(1);
  // The echo of a pipeline finishes an utterance for each chunk, after a millisecond.
  expect(sampled('undertone_live_final_seconds_count')).toBe(2);
  expect(sampled('undertone_live_final_seconds_bucket{le="0.25"}')).toBe(2);
  expect(sampled('undertone_live_final_seconds_sum')).toBeCloseTo(0.002, 6);
});

it('gauges tell the state of the queue and the pipelines', () => {
  for (const name of Object.keys(GAUGES)) expect(sampled(`undertone_${name}`), name).toBeGreaterThanOrEqual(0);
  expect(sampled('undertone_pipelines_ready')).toBe(1);
  expect(sampled('undertone_queue_slots')).toBeGreaterThan(0);
});

it('every family has its help and type, and buckets that rise to the count', () => {
  const families = [...text.matchAll(/^# HELP (\w+) .+\n# TYPE (\w+) (\w+)\n((?:(?!#).*\n)*)/gm)];
  expect(families.map(([whole]) => whole).join('')).toBe(text);
  expect(families.filter(([, , , type]) => type === 'histogram')).toHaveLength(6);
  for (const [, name, typed, type, samples = ''] of families) {
    expect(typed).toBe(name);
    const lines = samples.split('\n').filter(Boolean);
    for (const line of lines) expect(line).toMatch(/^\w+(\{\w+="[^"\\\n]*"(,\w+="[^"\\\n]*")*\})? [0-9.e+-]+$/);
    if (type !== 'histogram') continue;
    const groups = Map.groupBy(
      lines.filter((line) => line.startsWith(`${name}_bucket{`)),
      (line) => line.replace(/,?le="[^"]*"/, '').replace(/ \S+$/, ''),
    );
    // Only databases that are nearly full are observed.
    expect(groups.size > 0, name).toBe(name !== 'undertone_tenant_database_share');
    for (const [series, buckets] of groups) {
      const counts = buckets.map((line) => Number(line.split(' ').at(-1)));
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(buckets.at(-1)).toContain('le="+Inf"');
      const bare = series.replace('{}', '');
      expect(sampled(bare.replace('_bucket', '_count'))).toBe(counts.at(-1));
      expect(sampled(bare.replace('_bucket', '_sum'))).toBeGreaterThanOrEqual(0);
    }
  }
});

it.skipIf(!hasPromtool)('promtool finds nothing to say', () => {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});
