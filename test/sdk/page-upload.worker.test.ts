import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Undertone, type UndertoneError } from '../../src/sdk/index.ts';
import { clear, KEY, startService, type TestService } from '../../support/service-under-test.ts';

// The actions of a page that has a token for one upload, through the client.

const PART_BYTES = 16 * 1024 * 1024;

let service: TestService;
let server: Undertone;
beforeAll(async () => {
  service = await startService({ MAX_FILE_SIZE_MB: '64' });
  server = new Undertone({ url: service.url, key: KEY });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const mint = () => server.tokens.mint({ for: { upload: 'new' } });
const page = (token: string) => new Undertone({ url: service.url, token, retries: 0 });
const recording = (bytes: number) => new Blob([new Uint8Array(bytes)]);

it('a page analyses a file with progress, and reads the result', async () => {
  const { token, conversation_id } = await mint();
  const phases = new Set<string>();
  const analysis = await page(token).analyze(recording(PART_BYTES + 1000), {
    filename: 'call.wav',
    onProgress: ({ phase }) => phases.add(phase),
  });
  expect(analysis.conversation_id).toBe(conversation_id);
  expect(phases).toContain('uploading');
  expect((await page(token).conversations.get(conversation_id!)).utterances).toBe(analysis.utterances);
});

it('a page starts the analysis of a small file and waits for it', async () => {
  const { token } = await mint();
  const { conversation_id } = await page(token).start(recording(1000), { filename: 'call.wav' });
  expect((await page(token).wait(conversation_id)).conversation_id).toBe(conversation_id);
  await expect(page(token).start(recording(1000), { filename: 'call.wav' })).rejects.toMatchObject({
    code: 'INVALID_KEY',
  } satisfies Partial<UndertoneError>);
});

it('a page that was reloaded goes on with its upload', async () => {
  const { token } = await mint();
  const upload = await page(token).uploads.open({ filename: 'call.wav', bytes: PART_BYTES + 1000 });
  const sent: number[] = [];
  const analysis = await page(token).analyze(recording(PART_BYTES + 1000), {
    filename: 'call.wav',
    resume: upload.id,
    onProgress: ({ progress }) => sent.push(progress),
  });
  expect(analysis.conversation_id).toBe(upload.id);
  expect(sent.length).toBeGreaterThan(1);
});
