import { afterAll, beforeAll, expect, it } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import type { LiveSessionBody } from '../../../src/contract/live.ts';
import { type EchoPipeline, startEchoPipeline } from '../../../support/echo-pipeline.ts';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';

// Two pipelines with two live slots each.

let pipelines: EchoPipeline[];
let stack: LiveStack;
beforeAll(async () => {
  pipelines = await Promise.all([1, 2].map(() => startEchoPipeline({ slots: 2 })));
  stack = await startLiveStack({ RUNTIME_URL: pipelines.map(({ url }) => url).join() });
});
afterAll(async () => {
  await stack?.stop();
  await Promise.all(pipelines.map((pipeline) => pipeline.close()));
});

const held = (): number[] => pipelines.map(({ sessions }) => sessions.size);

it('takes as many live sessions as there are slots, refuses the next, and moves those of a pipeline that ends', async () => {
  const { client } = stack;
  const sessions: LiveSessionBody[] = [];
  for (let n = 0; n < 4; n++) sessions.push(await client.start());
  const readers = await Promise.all(sessions.map((session) => client.attach(session)));
  for (const session of sessions) await client.chunk(session, 0);
  for (const reader of readers) await reader.until(({ event }) => event === 'final_transcript');
  expect(held()).toEqual([2, 2]);

  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"suffix":".pcm"}' };
  const refused = await client.request('/analyze/live/start', init);
  expect({ status: refused.status, isTold: Number(refused.headers.get('Retry-After')) > 0 }).toEqual({
    status: 503,
    isTold: true,
  });
  expect(ErrorBodySchema.parse(await refused.json()).code).toBe('OVERLOADED');

  const stranded = sessions.filter(({ session_id: id }) => pipelines[0]!.sessions.has(id));
  const free = sessions.find((session) => !stranded.includes(session))!;
  await pipelines[0]!.close();
  pipelines[0]!.sessions.clear();
  // They find no place, say so, and go before new sessions when one ends.
  for (const session of stranded) {
    const reader = readers[sessions.indexOf(session)]!;
    await reader.until(({ event, data }) => event === 'status' && data.phase === 'waiting_capacity');
    expect((await client.chunk(session, 1)).status).toBe(200);
  }
  await client.control(free, 'finalize');
  await readers[sessions.indexOf(free)]!.end();
  const isBack = ({ event, data }: { event: string; data: { text: string } }): boolean =>
    event === 'final_transcript' && data.text.startsWith('chunk 1 ');
  const first = await Promise.race(
    stranded.map(async (session) => {
      await readers[sessions.indexOf(session)]!.until(isBack);
      return session;
    }),
  );
  expect(pipelines[1]!.sessions.has(first.session_id)).toBe(true);
  const events = readers[sessions.indexOf(first)]!.received;
  const phases = events.flatMap(({ event, data }) => (event === 'status' ? [data.phase] : []));
  expect(phases.slice(-2)).toEqual(['waiting_capacity', 'ingesting']);
  const texts = events.flatMap(({ event, data }) => (event === 'final_transcript' ? [data.text.split(' is ')[0]] : []));
  expect(texts).toEqual(['chunk 0', 'chunk 1']);
});
