import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureBytes } from '../../support/recordings.ts';
import * as specified from '../../support/specification.ts';
import { KEY, type Stack, startStack } from '../../support/whole-service.ts';

// Everything that leaves the service, against the specification's field tables, without our own contract or client in between.

const NAME = 'call.wav';
const CHUNK_BYTES = 128 * 1024;
const own = { 'X-API-Key': KEY };
const json = { ...own, 'Content-Type': 'application/json' };

interface Event {
  name: string;
  data: unknown;
}

let stack: Stack;
let batch: unknown;
let replayed: Event[];
let live: { session: unknown; chunk: unknown; alive: unknown; finalized: unknown; events: Event[] };

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, stack.url), init);
const answerOf = async (answer: Promise<Response>): Promise<unknown> => (await answer).json();
const post = (path: string, body: unknown) =>
  answerOf(ask(path, { method: 'POST', headers: json, body: JSON.stringify(body) }));

function analyse(path: string): Promise<Response> {
  const body = new FormData();
  body.set('goal', 'the price');
  body.set('quality', 'fast');
  body.set('file', new File([new Uint8Array(fixtureBytes(NAME))], NAME));
  return ask(path, { method: 'POST', headers: own, body });
}

async function eventsOf(answer: Promise<Response>): Promise<Event[]> {
  const events: Event[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ name: event ?? '', data: JSON.parse(data) }),
  });
  for await (const bytes of (await answer).body!.pipeThrough(new TextDecoderStream())) parser.feed(bytes);
  return events;
}

async function captured(): Promise<typeof live> {
  const session = (await post('/analyze/live/start', { suffix: '.wav', quality: 'fast' })) as Record<string, string>;
  const events = eventsOf(ask(session.events_endpoint!, { headers: own }));
  const bytes = new Uint8Array(fixtureBytes(NAME));
  let chunk: unknown;
  for (let seq = 0; seq * CHUNK_BYTES < bytes.length; seq++) {
    const body = new FormData();
    body.set('chunk_seq', String(seq));
    body.set('chunk', new File([bytes.subarray(seq * CHUNK_BYTES, (seq + 1) * CHUNK_BYTES)], 'chunk'));
    chunk = await answerOf(ask(session.chunk_endpoint!, { method: 'POST', headers: own, body }));
  }
  const alive = await post(session.control_endpoint!, { action: 'keepalive' });
  const finalized = await post(session.control_endpoint!, { action: 'finalize' });
  return { session, chunk, alive, finalized, events: await events };
}

beforeAll(async () => {
  stack = await startStack();
  batch = await answerOf(analyse('/analyze'));
  replayed = await eventsOf(analyse('/analyze/stream'));
  live = await captured();
});
afterAll(() => stack.stop());

/** The differences, each with its path. */
const differences = (schema: { safeParse(value: unknown): { error?: { issues: unknown[] } } }, value: unknown) =>
  schema.safeParse(value).error?.issues ?? [];

it('answers a batch with every field of AnalysisResponse', () => {
  expect(differences(specified.AnalysisResponse, batch)).toEqual([]);
  // No table was compared with an empty list alone.
  const { timeline, moments, segmentation } = batch as Record<string, unknown[]> & {
    segmentation: { phases: unknown[] };
  };
  for (const list of [timeline, moments, segmentation.phases]) expect(list?.length).toBeGreaterThan(0);
});

it('answers a segmentation with one field', async () => {
  const { timeline } = batch as { timeline: unknown };
  expect(differences(specified.Segmented, await post('/segment/conversation', { timeline }))).toEqual([]);
});

it('answers health with one field, and metrics', async () => {
  expect(differences(specified.Health, await answerOf(ask('/health')))).toEqual([]);
  expect(differences(specified.Metrics, await answerOf(ask('/metrics', { headers: own })))).toEqual([]);
});

it('answers the requests of a live session', () => {
  expect(differences(specified.LiveSession, live.session)).toEqual([]);
  expect(differences(specified.ChunkAccepted, live.chunk)).toEqual([]);
  expect(differences(specified.ControlAnswer, live.alive)).toEqual([]);
  expect(differences(specified.ControlAnswer, live.finalized)).toEqual([]);
});

describe.each([
  ['replay', () => replayed],
  ['live', () => live.events],
])('%s', (mode, of) => {
  it('sends events of the catalogue alone, with every field', () => {
    for (const { name, data } of of()) {
      expect(Object.keys(specified.EVENTS)).toContain(name);
      expect({ name, differences: differences(specified.EVENTS[name]!, data) }).toEqual({ name, differences: [] });
    }
    const seen = new Set(of().map(({ name }) => name));
    const always = ['status', 'final_transcript', 'emotion', 'cognitive', 'moment', 'summary_update', 'done'];
    expect([...seen]).toEqual(expect.arrayContaining(always));
    // A live session has them when interim text exists.
    if (mode === 'replay') expect(seen).not.toContain('partial_transcript');
  });
});

it('answers an error with a detail', async () => {
  const { detail } = (await answerOf(ask('/analyze', { method: 'POST' }))) as { detail: unknown };
  expect(detail).toBe('Invalid or missing API key');
});
