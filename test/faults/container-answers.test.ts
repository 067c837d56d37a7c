import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EchoPipeline, startEchoPipeline } from '../../support/echo-pipeline.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { Load, noise, UNHARMED } from './load.ts';
import { MOMENTS, note, TRIES } from './table.ts';

// Answers of the container class in place of the pipeline's, to the letter (@cloudflare/containers 0.3.7), and bodies
// that break on the way. Each request meets each of them once. An echo replaces the recogniser.

const ANSWERS: Record<string, Fault> = {
  '503 no instance': {
    type: 'answer',
    status: 503,
    text: 'There is no Container instance available at this time.\nThis is likely because you have reached your max concurrent instance count (set in wrangler config) or are you currently provisioning the Container.',
  },
  '429 too many': { type: 'answer', status: 429, text: 'Too many requests to start a container' },
  '500 not started': { type: 'answer', status: 500, text: 'Failed to start container: the image cannot be pulled' },
  '500 disconnected': { type: 'answer', status: 500, text: 'Container suddenly disconnected, try again' },
  '500 proxying': {
    type: 'answer',
    status: 500,
    text: 'Error proxying request to container: Network connection lost.',
  },
  'connection refused': { type: 'cut', after: -1 },
  'break in the request': { type: 'cut-request', after: 300 },
};
/** For long bodies, after a share of them. */
const BREAK = 'break in the answer';
const SILENCES: Record<string, Fault> = {
  'silence instead of an answer': { type: 'silence', after: -1 },
  'silence in the answer': { type: 'silence', after: 3_000 },
};
/** Approximate size of the lines of a file or a session, bytes. */
const LINES_BYTES = 20_000;

let echo: EchoPipeline;
let proxy: FaultyProxy;
let stack: LiveStack;

beforeAll(async () => {
  echo = await startEchoPipeline({ pieceMs: 200 });
  proxy = await startFaultyProxy(echo.url);
  stack = await startLiveStack({ RUNTIME_URL: '', POOL_MAX: '1', CONTAINERS: proxy.url });
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
  await echo?.close();
});

/** The requests that last as long as the work. */
const isLong = (route: string): boolean => route.includes('/analyses') || route.endsWith('/lines');

/** Each route of each session, and each file, meets a fault once. */
function once(files: number, faultOf: (route: string, nth: number) => Fault | undefined): FaultyProxy['fault'] {
  const met = new Map<string, number>();
  return (method, path) => {
    const route = `${method} ${path.replace(/\d+\?.*$/, '')}`;
    const times = met.get(route) ?? 0;
    if (method === 'DELETE' || times >= (path === '/analyses' ? files : 1)) return undefined;
    met.set(route, times + 1);
    return faultOf(route, met.size + times);
  };
}

async function withFaults(load: Load, fault: FaultyProxy['fault']) {
  try {
    return await load.disturbed(async () => {
      proxy.fault = fault;
    });
  } finally {
    proxy.fault = () => undefined;
  }
}

const breakAfter = (moment: number): Fault => ({ type: 'cut', after: Math.round(moment * LINES_BYTES) });

describe('the usual load', () => {
  const speech = noise();
  const files = speech.files.length;
  let load: Load;
  beforeAll(async () => {
    load = new Load(stack, speech);
    expect(await load.undisturbed()).toEqual(UNHARMED);
  });

  it.runIf(TRIES === 1)('meets every answer', async () => {
    const faults = [...Object.values(ANSWERS), breakAfter(0.5)];
    const fault = once(files, (route, nth) => (isLong(route) ? faults[nth % faults.length] : faults[nth % 5]));
    expect(await withFaults(load, fault)).toEqual(UNHARMED);
  });

  describe.runIf(TRIES > 1).each(Object.entries(ANSWERS))('%s', (name, fault) => {
    it.each(MOMENTS)('$nth', async () => {
      const outcome = await withFaults(
        load,
        once(files, () => fault),
      );
      note(name, outcome);
      expect(outcome).toEqual(UNHARMED);
    });
  });

  describe.runIf(TRIES > 1)(BREAK, () => {
    it.each(MOMENTS)('$nth', async ({ moment }) => {
      const fault = once(files, (route) => (isLong(route) ? breakAfter(moment) : undefined));
      const outcome = await withFaults(load, fault);
      note(BREAK, outcome);
      expect(outcome).toEqual(UNHARMED);
    });
  });
});

// Each takes most of a minute: ten sessions and ten files meet it at once.
describe.runIf(TRIES > 1).each(Object.entries(SILENCES))('%s', (name, fault) => {
  it('ten times at once', async () => {
    const size = { sessions: 10, files: 10 };
    const load = new Load(stack, noise(size));
    await load.undisturbed();
    const outcome = await withFaults(
      load,
      once(size.files, (route) => (isLong(route) || route.startsWith('PUT') ? fault : undefined)),
    );
    note(`${name} (ten at once)`, outcome);
    expect(outcome).toEqual(UNHARMED);
  });
});
