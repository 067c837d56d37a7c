import { hostname } from 'node:os';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Announcer } from '../../containers/pipeline/announcement.ts';
import { advertisedUrl, pipelineSettings } from '../../containers/pipeline/settings.ts';

const TOKEN = 'a-token-of-twenty-four-ch';
/** The next answers of the service. A text is an error of the connection. */
let answers: (Response | string)[];
let announced: { url: string; status: string; authorization: string | null }[];
let said: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
  answers = [];
  announced = [];
  said = [];
  vi.stubGlobal('fetch', async (at: URL, { headers, body }: { headers: Record<string, string>; body: string }) => {
    expect(at.href).toBe('https://service.example/pool');
    announced.push({ ...JSON.parse(body), authorization: headers.Authorization ?? null });
    const answer = answers.shift() ?? Response.json({ again_in_s: 10 });
    if (typeof answer === 'string') throw new TypeError('fetch failed', { cause: new Error(answer) });
    return answer;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const started = (): Announcer =>
  Announcer.start({
    poolUrl: 'https://service.example',
    url: 'http://pipeline-0:8080',
    token: TOKEN,
    say: (message) => said.push(message),
  });
const statuses = () => announced.map(({ status }) => status);

it('announces itself at once, and then as often as the service asks for', async () => {
  answers.push(Response.json({ again_in_s: 3 }), Response.json({ again_in_s: 20 }));
  const announcer = started();
  await vi.advanceTimersByTimeAsync(0);
  expect(announced).toEqual([{ url: 'http://pipeline-0:8080', status: 'ok', authorization: `Bearer ${TOKEN}` }]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(announced).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(19_900);
  expect(announced).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(announced).toHaveLength(3);
  expect(said).toEqual(['member of the pool at https://service.example as http://pipeline-0:8080']);
  await announcer.end();
});

it('says at once that it drains, goes on, and says last that it has ended', async () => {
  const announcer = started();
  await vi.advanceTimersByTimeAsync(1_000);
  announcer.drain();
  await vi.advanceTimersByTimeAsync(10_500);
  expect(statuses()).toEqual(['ok', 'draining', 'draining']);
  await announcer.end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(statuses()).toEqual(['ok', 'draining', 'draining', 'ended']);
});

it('tries again with longer waits, and says once why', async () => {
  answers.push('refused', 'refused', Response.json({ code: 'INVALID_KEY' }, { status: 401 }), 'refused');
  const announcer = started();
  await vi.advanceTimersByTimeAsync(0);
  for (const [waitMs, count] of [
    [1_000, 2],
    [2_000, 3],
    [4_000, 4],
    [8_000, 5],
  ] as const) {
    await vi.advanceTimersByTimeAsync(waitMs - 100);
    expect(announced).toHaveLength(count - 1);
    await vi.advanceTimersByTimeAsync(100);
    expect(announced).toHaveLength(count);
  }
  const because = 'cannot join the pool at https://service.example: ';
  expect(said).toEqual([
    `${because}fetch failed: refused`,
    `${because}401 {"code":"INVALID_KEY"}`,
    `${because}fetch failed: refused`,
    'member of the pool at https://service.example as http://pipeline-0:8080',
  ]);
  await announcer.end();
});

it('ends even if the service cannot be reached', async () => {
  const announcer = started();
  await vi.advanceTimersByTimeAsync(0);
  answers.push('refused');
  await announcer.end();
  expect(statuses()).toEqual(['ok', 'ended']);
});

it('has the name of its machine as its address, unless another one is set', () => {
  const joined = { POOL_URL: 'https://service.example', PIPELINE_TOKEN: TOKEN };
  expect(advertisedUrl(pipelineSettings(joined), 8080)).toBe(`http://${hostname()}:8080`);
  const named = { ...joined, ADVERTISE_URL: 'https://pipeline-0.example.com' };
  expect(advertisedUrl(pipelineSettings(named), 8080)).toBe('https://pipeline-0.example.com');
});

it('needs a token that is hard to guess', () => {
  for (const PIPELINE_TOKEN of ['', 'short'])
    expect(() => pipelineSettings({ POOL_URL: 'https://service.example', PIPELINE_TOKEN })).toThrow(
      /^POOL_URL must be set together with a PIPELINE_TOKEN of at least 24 characters/,
    );
});
