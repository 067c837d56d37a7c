import { expect, it } from 'vitest';
import { readAhead } from '../../../src/worker/analysis/read-ahead.ts';
import type { WrittenEvent } from '../../../src/worker/http/sse.ts';

/** Every third event is a status. Events of the store have a number, so that a test can tell them apart. */
const eventOf = (n: number, isStored = false): WrittenEvent => ({
  event: n % 3 === 0 ? 'status' : 'final_transcript',
  json: String(n).padStart(10, '0'),
  id: isStored ? n : undefined,
});

async function* counting(upTo: number, log: number[] = []): AsyncGenerator<WrittenEvent, void> {
  for (let n = 0; n < upTo; n++) {
    log.push(n);
    yield eventOf(n);
  }
}

async function* stored(upTo: number): AsyncGenerator<WrittenEvent, void> {
  for (let n = 0; n < upTo; n++) yield eventOf(n, true);
}

const nothing = (): AsyncIterable<WrittenEvent> => {
  throw new Error('the store was read');
};
const numberOf = ({ json }: WrittenEvent): number => Number(json);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

it('yields every event once and in order', async () => {
  const numbers: number[] = [];
  for await (const event of readAhead(counting(100), nothing)) {
    numbers.push(numberOf(event));
    if (numbers.length % 7 === 0) await turn();
  }
  expect(numbers).toEqual(upTo(100));
});

it('does not stall the source for a client that reads nothing', async () => {
  const read: number[] = [];
  const events = readAhead(counting(100, read), nothing);
  await events.next();
  await turn();
  expect(read).toHaveLength(100);
  await events.return();
});

it('holds no more than the limit for a client that reads nothing, and gives it every event in the end', async () => {
  const read: number[] = [];
  const events = readAhead(counting(100, read), () => stored(100), 200);
  const received = [(await events.next()).value as WrittenEvent];
  await turn();
  expect(read).toHaveLength(100);
  for await (const event of events) received.push(event);
  expect(received.map(numberOf)).toEqual(upTo(100));
  // Ten characters each: the first one was taken, and twenty were held.
  expect(received.filter(({ id }) => id === undefined).length).toBeLessThanOrEqual(21);
});

it('gives every lasting event once when the store has other status events', async () => {
  const withoutStatus = async function* () {
    for await (const event of stored(100)) if (event.event !== 'status' || numberOf(event) > 90) yield event;
  };
  const events = readAhead(counting(100), withoutStatus, 200);
  const received: WrittenEvent[] = [];
  for await (const event of events) {
    received.push(event);
    await turn();
  }
  const lasting = received.filter(({ event }) => event === 'final_transcript').map(numberOf);
  expect(lasting).toEqual(upTo(100).filter((n) => n % 3 !== 0));
});

it('does not read the store for a client that keeps up, however long the stream', async () => {
  const source = async function* () {
    for await (const event of counting(100)) {
      await turn();
      yield event;
    }
  };
  const numbers: number[] = [];
  for await (const event of readAhead(source(), nothing, 200)) numbers.push(numberOf(event));
  expect(numbers).toEqual(upTo(100));
});

it('throws the error of the source after the events before it', async () => {
  const failing = async function* () {
    yield* counting(2);
    throw new Error('lost');
  };
  const numbers: number[] = [];
  await expect(async () => {
    for await (const event of readAhead(failing(), nothing)) numbers.push(numberOf(event));
  }).rejects.toThrow('lost');
  expect(numbers).toEqual(upTo(2));
});

it('throws the error of a source that failed after the limit, without reading the store', async () => {
  const failing = async function* () {
    yield* counting(100);
    throw new Error('lost');
  };
  const events = readAhead(failing(), nothing, 200);
  await events.next();
  await turn();
  await expect(async () => {
    for await (const _ of events);
  }).rejects.toThrow('lost');
});

it('returns the source when it is left early', async () => {
  let returned = false;
  const endless = async function* () {
    try {
      for (;;) {
        await turn();
        yield eventOf(1);
      }
    } finally {
      returned = true;
    }
  };
  for await (const _ of readAhead(endless(), nothing)) break;
  expect(returned).toBe(true);
});
