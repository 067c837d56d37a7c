import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AnalyzeOptions, type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { fixtureBytes } from '../../support/recordings.ts';
import { KEY, type Stack, startStack } from '../../support/whole-service.ts';

// A telephone number that is really heard, through the whole service. `npm run bench -- canaries` has more of them.

const OPTIONS: AnalyzeOptions = { quality: 'fast', redact: ['phone'] };
/** Groups of the number, as digits and as words, with whatever stands between them. */
const NUMBER =
  /303|875|5337|three\W+(?:oh|zero|free|three)\W+three|eight\W+seven|seven\W+five|thirty[- ]three|\b800\b|\b337\b/iu;

/** Milliseconds that a chunk waits for interim text of the chunks before it, until some has come. */
const INTERIM_WAIT_MS = 3_000;

let stack: Stack;
let undertone: Undertone;
const recording = new Uint8Array(fixtureBytes('number-given.wav'));
beforeAll(async () => {
  stack = await startStack();
  undertone = new Undertone({ url: stack.url, key: KEY });
});
afterAll(() => stack.stop());

/** Texts of a value, without its numbers. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, member]) =>
          /(?:_id|_path|_dir|^id)$/u.test(name) ? [] : textsIn(member),
        )
      : [];

const expectNoNumber = (value: unknown, id: string) => {
  for (const text of textsIn(value)) expect(text.replaceAll(id, '')).not.toMatch(NUMBER);
};

it('shows no group of a spoken number in results, events, exports and documents, nor in its recording', async () => {
  const result = await undertone.analyze(new File([recording], 'call.wav'), OPTIONS);
  const { conversation_id: id, redaction } = result;
  expect(redaction?.counts.phone).toBeGreaterThan(0);
  expectNoNumber(result.timeline, id);
  expectNoNumber([result.summary, result.segmentation, result.moments, result.insights], id);
  for (const format of ['txt', 'srt', 'md'] as const) {
    const text = await (await undertone.conversations.export(id, format)).text();
    // Times of captions are no numbers that were said.
    expectNoNumber(text.replace(/\d+:\d\d(?::\d\d)?(?:[,.]\d+)?/gu, ''), id);
  }
  expectNoNumber(JSON.parse(await stack.artifact(id, 'result.json')).timeline, id);
  const tones = new Blob([await (await undertone.conversations.media(id)).arrayBuffer()]);
  const again = await undertone.analyze(new File([tones], 'again.wav'), { quality: 'fast' });
  expectNoNumber(
    again.timeline.map(({ text }) => text),
    again.conversation_id,
  );
}, 120_000);

it('shows no group of it in the events of a live session', async () => {
  const capture = await undertone.live.start({ suffix: '.wav', quality: 'fast', redact: ['phone'] });
  const received: StreamEvent[] = [];
  const reading = (async () => {
    for await (const event of capture) received.push(event);
  })();
  const hasInterim = () => received.some(({ event }) => event === 'partial_transcript');
  for (let at = 0; at < recording.length; at += 16_000) {
    await capture.send(new Blob([recording.subarray(at, at + 16_000)]));
    await vi.waitUntil(hasInterim, { timeout: INTERIM_WAIT_MS }).catch(() => undefined);
  }
  await capture.finalize();
  await reading;
  const done = received.findLast(({ event }) => event === 'done');
  const { conversation_id: id } = done!.data as { conversation_id: string };
  expect(hasInterim()).toBe(true);
  expectNoNumber(
    received.map(({ data }) => data),
    id,
  );
}, 120_000);
