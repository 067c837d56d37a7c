import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LiveClient } from '../../support/live-client.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';

const RACES = 1_000;
const RACES_PER_SESSION = 50;

let stack: LiveStack;
let client: LiveClient;
beforeAll(async () => {
  stack = await startLiveStack();
  client = stack.client;
});
afterAll(() => stack?.stop());

it(`of two senders racing with the same chunk_seq exactly one gets 200, over ${RACES} races`, async () => {
  for (let race = 0; race < RACES; race += RACES_PER_SESSION) {
    const session = await client.start();
    for (let seq = 0; seq < RACES_PER_SESSION; seq++) {
      const answers = await Promise.all([client.chunk(session, seq), client.chunk(session, seq)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
    await client.control(session, 'cancel');
  }
});

it('of two consumers racing exactly one gets the stream, over 100 races', async () => {
  for (let race = 0; race < 100; race++) {
    const session = await client.start();
    const readers = await Promise.all([client.attach(session), client.attach(session)]);
    expect(readers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await Promise.all(readers.map((reader) => reader.leave()));
    await client.control(session, 'cancel');
  }
});

it('a finalize that races a chunk loses no acknowledged chunk, over 100 races', async () => {
  for (let race = 0; race < 100; race++) {
    const session = await client.start();
    await client.chunk(session, 0);
    const [chunk, finalize] = await Promise.all([client.chunk(session, 1), client.control(session, 'finalize')]);
    expect(finalize.status).toBe(200);
    const events = await (await client.attach(session)).end();
    const finals = events.filter(({ event }) => event === 'final_transcript');
    expect(finals).toHaveLength(chunk.status === 200 ? 2 : 1);
  }
});
