import { afterEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../support/service-under-test.ts';

// Requests of a container to `ai.internal`, through the container class's own proxy in real workerd, with a fake
// binding. They were never tried with Cloudflare's containers and models.

const WAV = new Uint8Array(1_000).map((_, i) => i);
const BINDING = '[[services]]\nbinding = "AI"\nservice = "undertone"\nentrypoint = "FakeAi"';
/** The response of whisper-large-v3-turbo in Cloudflare's documentation. */
const TURBO = {
  transcription_info: { language: 'en', language_probability: 1, duration: 2 },
  word_count: 2,
  segments: [
    {
      start: 0,
      end: 1.4,
      text: ' Hello Zorblax.',
      temperature: 0,
      avg_logprob: -0.2,
      no_speech_prob: 0,
      words: [
        { word: ' Hello', start: 0.2, end: 0.6 },
        { word: ' Zorblax.', start: 0.7, end: 1.4 },
      ],
    },
  ],
};
/** The response of whisper. */
const OLDER = { word_count: 1, words: [{ word: 'Hello', start: 0.2, end: 0.6 }] };

let service: TestService;
afterEach(() => service.stop());

const start = (says: object | string, vars: Record<string, string> = {}, binding = BINDING) =>
  startService(
    {
      AI_SAYS: typeof says === 'string' ? says : JSON.stringify(says),
      ASR_MODEL: '@cf/openai/whisper-large-v3-turbo',
      ASR_TIMEOUT_SECONDS: '1',
      ...vars,
    },
    binding,
    'test/worker/workers-ai.ts',
  );

function form(fields: Record<string, string> = {}): FormData {
  const body = new FormData();
  body.set('file', new Blob([WAV], { type: 'audio/wav' }), 'segment.wav');
  for (const [name, value] of Object.entries({ model: 'whatever', response_format: 'verbose_json', ...fields }))
    body.set(name, value);
  return body;
}

const ask = (
  body: FormData | string = form(),
  { to = 'http://ai.internal/v1/audio/transcriptions', allowed = 'ai.internal' } = {},
) => fetch(service.url, { method: 'POST', body, headers: { 'X-To': to, 'X-Allowed': allowed } });

describe('Workers AI for a container', () => {
  it('transcribes a segment with the deployment’s model, in the form of OpenAI’s API', async () => {
    service = await start(TURBO);
    const answer = await ask(form({ language: 'pt', prompt: 'Zorblax, Undertone' }));
    expect(answer.status).toBe(200);
    const { text, ...told } = (await answer.json()) as { text: string };
    expect(told).toEqual({
      words: TURBO.segments[0]!.words,
      segments: [{ start: 0, end: 1.4, text: ' Hello Zorblax.', avg_logprob: -0.2 }],
    });
    expect(JSON.parse(text)).toEqual({
      model: '@cf/openai/whisper-large-v3-turbo',
      bytes: WAV.length,
      task: 'transcribe',
      language: 'pt',
      initial_prompt: 'Zorblax, Undertone',
    });
    expect((await ask(form(), { to: 'http://ai.internal/v1/models' })).status).toBe(404);
    expect((await ask('no form')).status).toBe(400);
    // Other hosts are not reachable, and neither is this one when the deployment does not name it.
    expect((await ask(form(), { to: 'http://example.com/v1/audio/transcriptions' })).status).toBe(520);
    expect((await ask(form(), { allowed: 'whisper.example' })).status).toBe(520);
  });

  it('may be an older model, which takes numbers', async () => {
    service = await start(OLDER, { ASR_MODEL: '@cf/openai/whisper' });
    const { text, words } = (await (await ask(form({ language: 'en' }))).json()) as { text: string; words: unknown };
    expect(words).toEqual(OLDER.words);
    expect(JSON.parse(text)).toEqual({ model: '@cf/openai/whisper', bytes: '1000 numbers' });
  });

  it.each<[string, object | string, number]>([
    ['fails', 'error', 502],
    ['never answers', 'nothing', 504],
    ['returns an invalid response', { segments: 'none' }, 502],
    ['returns an invalid time', { words: [{ word: 'a', start: null, end: 1 }] }, 502],
  ])('that %s is reported as such', async (_, says, status) => {
    service = await start(says);
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain('5007');
  });

  it('is unavailable without the binding', async () => {
    service = await start(TURBO, {}, '');
    expect((await ask()).status).toBe(404);
  });
});
