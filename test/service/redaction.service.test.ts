import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type AnalyzeOptions, type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { fixtureBytes } from '../../support/recordings.ts';
import { type Stack, startStack } from '../../support/whole-service.ts';

// A telephone number that is really heard, through the whole service. `npm run bench -- canaries` has more of them.

const OPTIONS: AnalyzeOptions = { quality: 'fast', redact: ['phone'] };
/** Groups of the number, as digits and as words, with whatever stands between them. */
const NUMBER =
  /303|875|5337|three\W+(?:oh|zero|free|three)\W+three|eight\W+seven|seven\W+five|thirty[- ]three|\b800\b|\b337\b/iu;

/** Milliseconds that a chunk waits for interim text of the chunks before it, until some has come. */
const INTERIM_WAIT_MS = 3_000;

const ADMIN_TOKEN = 'redaction-admin-token-0123456789';

let stack: Stack;
let undertone: Undertone;
/** The client of a key that may read what was redacted, of the same tenant. */
let reader: Undertone;
const recording = new Uint8Array(fixtureBytes('number-given.wav'));
beforeAll(async () => {
  stack = await startStack({ ADMIN_TOKEN, KEY_PEPPER: 'redaction-pepper-0123456789' });
  const operator = new Undertone({ url: stack.url, token: ADMIN_TOKEN });
  const { id: tenant } = await operator.tenants.create({ name: 'Court' });
  await operator.tenants.change(tenant, { keep_original: true });
  const { key } = await operator.keys.issue({ tenant, label: 'calls' });
  const unredacted = await operator.keys.issue({ tenant, label: 'court', scopes: ['unredacted'] });
  undertone = new Undertone({ url: stack.url, key });
  reader = new Undertone({ url: stack.url, key: unredacted.key });
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

/** Expects no part of the number in anything that the service shows of a conversation. */
async function expectNothingShown(id: string): Promise<void> {
  const result = await undertone.conversations.get(id);
  expectNoNumber([result.timeline, result.summary, result.segmentation, result.moments, result.insights], id);
  for (const format of ['txt', 'srt', 'md'] as const) {
    const text = await (await undertone.conversations.export(id, format)).text();
    // Times of captions are no numbers that were said.
    expectNoNumber(text.replace(/\d+:\d\d(?::\d\d)?(?:[,.]\d+)?/gu, ''), id);
  }
  const stored = (await stack.documents('result.json')).map(
    (text) => JSON.parse(text) as { timeline: { text: string }[] },
  );
  expect(stored.length).toBeGreaterThan(0);
  for (const { timeline } of stored)
    expectNoNumber(
      timeline.map(({ text }) => text),
      id,
    );
}

/** Expects that the words and the recording before the redaction are kept, for the reader alone. */
async function expectOriginalKept(id: string): Promise<void> {
  const { utterances, has_recording } = await reader.conversations.unredacted(id);
  expect(utterances.map(({ text }) => text).join(' ')).toMatch(NUMBER);
  expect(has_recording).toBe(true);
  const original = await reader.conversations.unredactedMedia(id);
  const toned = await undertone.conversations.media(id);
  expect(Buffer.from(await original.arrayBuffer())).not.toEqual(Buffer.from(await toned.arrayBuffer()));
  await expect(undertone.conversations.unredacted(id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
}

it('shows no group of a spoken number in results, events, exports and documents, nor in its recording', async () => {
  const result = await undertone.analyze(new File([recording], 'call.wav'), OPTIONS);
  const { conversation_id: id, redaction } = result;
  expect(redaction?.counts.phone).toBeGreaterThan(0);
  await expectNothingShown(id);
  await expectOriginalKept(id);
  const tones = new Blob([await (await undertone.conversations.media(id)).arrayBuffer()]);
  const again = await undertone.analyze(new File([tones], 'again.wav'), { quality: 'fast' });
  expectNoNumber(
    again.timeline.map(({ text }) => text),
    again.conversation_id,
  );
}, 120_000);

it('removes it from a stored conversation', async () => {
  const { conversation_id: id, timeline } = await undertone.analyze(new File([recording], 'call.wav'), {
    quality: 'fast',
  });
  expect(textsIn(timeline).join(' ')).toMatch(NUMBER);
  const { redaction } = await undertone.redactions.redact(id, ['phone']);
  expect(redaction?.counts.phone).toBeGreaterThan(0);
  await expectNothingShown(id);
  await expectOriginalKept(id);
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
  await expectOriginalKept(id);
}, 120_000);
