import { expect, it } from 'vitest';
import { readAhead } from '../../../src/worker/analysis/read-ahead.ts';

async function* counting(upTo: number, log: number[] = []): AsyncGenerator<number, void> {
  for (let n = 0; n < upTo; n++) {
    log.push(n);
    yield n;
  }
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 0));

it('yields every item once and in order', async () => {
  const items: number[] = [];
  for await (const item of readAhead(counting(100))) {
    items.push(item);
    if (item % 7 === 0) await turn();
  }
  expect(items).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

it('does not stall the source for a slow reader', async () => {
  const read: number[] = [];
  const items = readAhead(counting(100, read));
  await items.next();
  await turn();
  expect(read).toHaveLength(100);
  await items.return();
});

it('throws the error of the source after the items before it', async () => {
  const failing = async function* () {
    yield* counting(2);
    throw new Error('lost');
  };
  const items: number[] = [];
  await expect(async () => {
    for await (const item of readAhead(failing())) items.push(item);
  }).rejects.toThrow('lost');
  expect(items).toEqual([0, 1]);
});

it('returns the source when it is left early', async () => {
  let returned = false;
  const endless = async function* () {
    try {
      for (;;) {
        await turn();
        yield 1;
      }
    } finally {
      returned = true;
    }
  };
  for await (const _ of readAhead(endless())) break;
  expect(returned).toBe(true);
});
