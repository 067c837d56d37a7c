import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import type { LiveSessionBody } from '../../../src/contract/live.ts';
import { type EchoPipeline, startEchoPipeline } from '../../../support/echo-pipeline.ts';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';
import { PIPELINE_TOKEN } from '../../../support/service-under-test.ts';

// Two pipelines with two live slots each, and one that joins them.

let pipelines: EchoPipeline[];
let stack: LiveStack;
beforeAll(async () => {
  pipelines = await Promise.all([1, 2].map(() => startEchoPipeline({ slots: 2 })));
  stack = await startLiveStack({ RUNTIME_URL: pipelines.map(({ url }) => url).join(), PIPELINE_TOKEN });
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
  const moved = pipelines[1]!.sessions.get(first.session_id);
  expect(moved?.recalled).toEqual(moved?.digests.slice(0, 1));
  const events = readers[sessions.indexOf(first)]!.received;
  const phases = events.flatMap(({ event, data }) => (event === 'status' ? [data.phase] : []));
  expect(phases.slice(-2)).toEqual(['waiting_capacity', 'ingesting']);
  const texts = events.flatMap(({ event, data }) => (event === 'final_transcript' ? [data.text.split(' is ')[0]] : []));
  expect(texts).toEqual(['chunk 0', 'chunk 1']);
});

const announced = (body: object, token = PIPELINE_TOKEN): Promise<Response> =>
  fetch(new URL('/pool', stack.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

it('gives the session that still waits to a pipeline that joins, with the right token and an address that answers', async () => {
  const joining = await startEchoPipeline({ slots: 2 });
  pipelines.push(joining);
  const { url } = joining;
  const wrong = [
    announced({ url, status: 'ok' }, 'test-pipeline-token-012345678'),
    announced({ url: 'http://pipeline.example.com', status: 'ok' }),
    // It has ended.
    announced({ url: pipelines[0]!.url, status: 'ok' }),
    announced({ url, status: 'ok', slots: 4 }),
  ];
  const faults = await Promise.all(wrong.map(async (answer) => ErrorBodySchema.parse(await (await answer).json())));
  expect(faults.map(({ code, detail }) => `${code} ${detail}`)).toEqual([
    expect.stringMatching(/^INVALID_KEY PIPELINE_TOKEN differs/),
    expect.stringMatching(/^INVALID_REQUEST url: .*private network/),
    'INVALID_REQUEST url: no pipeline with this PIPELINE_TOKEN answers there',
    expect.stringMatching(/^INVALID_REQUEST Unknown field "slots"/),
  ]);
  expect(joining.sessions.size).toBe(0);
  const joined = await announced({ url, status: 'ok' });
  expect([joined.status, await joined.json()]).toEqual([200, { again_in_s: 10 }]);
  await vi.waitFor(() => expect(joining.sessions.size).toBe(1), 10_000);
});
