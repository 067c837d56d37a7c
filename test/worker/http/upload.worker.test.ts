import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import { receiveUpload } from '../../../src/worker/http/upload.ts';
import { clear, form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';

const LIMIT = 6 * 1024 * 1024;

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_FILE_SIZE_MB: '6' });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const BOUNDARY = 'edge';
const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
const part = (disposition: string, body: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${body}\r\n`;
const END = `--${BOUNDARY}--\r\n`;
const FILE = part('name="file"; filename="a.wav"', 'media');

const patterned = (length: number) => {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (i * 31 + (i >> 8)) & 255;
  return bytes;
};

/** A request whose body arrives in these chunks; workerd's `readAtLeast` counts as one read. */
function requestOf(chunks: Uint8Array[]): Request {
  const waiting = [...chunks];
  const readAtLeast = async () => ({ value: waiting.shift(), done: waiting.length === 0 });
  const body = { getReader: () => ({ readAtLeast, releaseLock: () => undefined }) };
  return { headers: new Headers(MULTIPART), body } as unknown as Request;
}

async function expectRefused(response: Response, code: string, detail: RegExp): Promise<void> {
  expect(response.status).toBe(400);
  const body = ErrorBodySchema.parse(await response.json());
  expect(body.code).toBe(code);
  expect(body.detail).toMatch(detail);
  expect(service.pipeline.seen).toEqual([]);
  expect(await service.objects()).toEqual([]);
}

describe('an accepted upload', () => {
  it('reaches the pipeline byte for byte, in one part and in several', async () => {
    for (const length of [1, 5 * 1024 * 1024, 5 * 1024 * 1024 + 1, LIMIT]) {
      const bytes = patterned(length);
      const response = await service.post('/analyze', form('call.mp4', bytes));
      expect(response.status).toBe(200);
      expect(service.pipeline.seen.at(-1)).toMatchObject({
        bytes: length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
    }
  });

  it('may have its fields before and after the file', async () => {
    const before = part('name="goal"', 'renewal');
    const after = part('name="speakers"', '3');
    for (const body of [before + after + FILE + END, FILE + after + before + END, before + FILE + after + END]) {
      const response = await service.post('/analyze', body, MULTIPART);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ goal: 'renewal' });
      expect(service.pipeline.seen.at(-1)?.options.speakers).toBe(3);
    }
  });

  it('passes the options of its analysis on, blank ones left out', async () => {
    const asked = async (fields: Record<string, string>) => {
      expect((await service.post('/analyze', form('a.wav', 'media', fields))).status).toBe(200);
      return service.pipeline.seen.at(-1)?.options;
    };
    expect(await asked({ affect: ' words ', recogniser: 'moonshine-tiny' })).toMatchObject({
      affect: 'words',
      recogniser: 'moonshine-tiny',
    });
    const affect = { Speaker_0: 'none', '*': 'full' };
    expect(await asked({ affect: JSON.stringify(affect) })).toMatchObject({ affect });
    const words = ['Sittily', 'Zürich'];
    const heard = { quality: 'fast', language: 'en-GB' };
    expect(await asked({ ...heard, words: JSON.stringify(words) })).toMatchObject({ ...heard, words });
    const blank = await asked({ affect: ' ', speakers: '', recogniser: '' });
    expect(blank).toMatchObject({ affect: 'full', goal: '' });
    expect(Object.keys(blank!)).not.toContain('speakers');
    expect(Object.keys(blank!)).not.toContain('recogniser');
  });

  it('passes its tenant’s words on beside its own, or alone', async () => {
    const made = await (await service.admin('POST', '/tenants', { name: 'Terms' })).json();
    const { id } = made as { id: string };
    const { key } = await service.issue({ tenant: id });
    expect((await service.admin('PATCH', `/tenants/${id}`, { words: ['Zorblax', 'Zürich'] })).status).toBe(200);
    const fields = { words: JSON.stringify(['Sittily', 'Zürich']) };
    const response = await service.post('/analyze', form('a.wav', 'media', fields), { 'X-API-Key': key });
    expect(response.status).toBe(200);
    expect(service.pipeline.seen.at(-1)?.options.words).toEqual(['Sittily', 'Zürich', 'Zorblax']);
    expect((await service.post('/analyze', form('a.wav', 'media'), { 'X-API-Key': key })).status).toBe(200);
    expect(service.pipeline.seen.at(-1)?.options.words).toEqual(['Zorblax', 'Zürich']);
    const refused = await service.admin('PATCH', `/tenants/${id}`, { words: ['x'.repeat(61)] });
    expect(refused.status).toBe(400);
  });

  it('may have any Unicode file name and an extension in any case', async () => {
    for (const name of ['дзвінок.WAV', '会議 "録音".Mp3', '🎙️.m4a', 'two.dots.webm']) {
      const response = await service.post('/analyze', form(name, 'media'));
      expect(response.status).toBe(200);
      expect(service.pipeline.seen.at(-1)?.options.suffix).toBe(name.slice(name.lastIndexOf('.')).toLowerCase());
      await response.json();
    }
  });

  it('may have something before its first boundary and after its last one', async () => {
    const inside = part('name="goal"', 'renewal') + FILE + part('name="speakers"', '2');
    for (const epilogue of ['', '\r\n', 'bye', `bye\r\n\r\n--${BOUNDARY}\r\nbye`, 'x'.repeat(200_000)]) {
      const body = `for old readers\r\n${inside}--${BOUNDARY}--${epilogue}`;
      const response = await service.post('/analyze', body, MULTIPART);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ goal: 'renewal' });
      expect(service.pipeline.seen.at(-1)).toMatchObject({ bytes: 5, options: { speakers: 2 } });
    }
  });

  it('has the format of its type or its bytes when a page sends a blob', async () => {
    const blob = (bytes: string, type: string) => {
      const body = new FormData();
      body.append('file', new Blob([bytes], { type }));
      return body;
    };
    for (const [body, suffix] of [
      [blob('media', 'audio/webm;codecs=opus'), '.webm'],
      [blob('OggS, and so on', ''), '.ogg'],
      [blob('fLaC', 'application/octet-stream'), '.flac'],
    ] as const) {
      expect((await service.post('/analyze', body)).status).toBe(200);
      expect(service.pipeline.seen.at(-1)).toMatchObject({ options: { suffix } });
    }
  });

  it.each(['.flac', '.ogg', '.opus'])('may be named %s', async (suffix) => {
    expect((await service.post('/analyze', form(`call${suffix}`, 'media'))).status).toBe(200);
    expect(service.pipeline.seen.at(-1)).toMatchObject({ bytes: 5, options: { suffix } });
  });

  it('may be split anywhere in transit', async () => {
    const body = `for old readers\r\n${FILE}--${BOUNDARY}--\r\nbye`;
    for (let cut = body.lastIndexOf('media'); cut < body.length; cut++) {
      const chunks = [body.slice(0, cut), body.slice(cut)].map((text) => new TextEncoder().encode(text));
      const sink = { write: async () => undefined, close: async () => undefined, abort: async () => undefined };
      const upload = await receiveUpload(requestOf(chunks), {
        fileField: 'file',
        textFields: ['goal', 'a', 'b'],
        maxFileBytes: LIMIT,
        stallSeconds: 60,
        tooLarge: () => new ServiceError('FILE_TOO_LARGE'),
        open: () => sink,
      });
      expect(upload).toMatchObject({ filename: 'a.wav', size: 5 });
    }
  });

  it('is refused for a field that is unknown, before or after its file', async () => {
    const unknown = part('name="afect"', 'none');
    for (const parts of [unknown + FILE, FILE + unknown]) {
      const response = await service.post('/analyze', `${parts}${END}`, MULTIPART);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        code: 'INVALID_REQUEST',
        detail: 'Unknown field "afect"; did you mean "affect"?',
      });
    }
    expect(await service.objects()).toEqual([]);
  });
});

describe('a refused upload', () => {
  it('is too large by its length', async () => {
    const response = await service.post('/analyze', form('a.wav', new Uint8Array(LIMIT + 1_000_000)));
    await expectRefused(response, 'FILE_TOO_LARGE', /limit of 6 MB/);
  });

  it('is too large by count when its length was not given', async () => {
    const head = new TextEncoder().encode(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`,
    );
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(head),
      pull(controller) {
        if (sent > LIMIT + 2_000_000) {
          controller.enqueue(new TextEncoder().encode(`\r\n${END}`));
          controller.close();
          return;
        }
        sent += 500_000;
        controller.enqueue(new Uint8Array(500_000));
      },
    });
    const response = await fetch(new URL('/analyze', service.url), {
      method: 'POST',
      headers: { ...MULTIPART, 'X-API-Key': KEY },
      body,
      duplex: 'half',
    } as RequestInit);
    await expectRefused(response, 'FILE_TOO_LARGE', /limit of 6 MB/);
  });

  it('never ends, before its file or after it', async () => {
    for (const [first, filler] of [
      ['', 'x'.repeat(500_000)],
      [FILE + END, 'x'.repeat(500_000)],
    ] as const) {
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
        pull(controller) {
          if (sent++ > 2 * (LIMIT / filler.length)) controller.close();
          else controller.enqueue(new TextEncoder().encode(filler));
        },
      });
      const init = { method: 'POST', headers: { ...MULTIPART, 'X-API-Key': KEY }, body, duplex: 'half' } as RequestInit;
      await expectRefused(await fetch(new URL('/analyze', service.url), init), 'FILE_TOO_LARGE', /limit of 6 MB/);
    }
  });

  it('has names that are too long to repeat', async () => {
    const long = 'x'.repeat(3_000);
    for (const body of [
      part(`name="${long}"; filename="a.wav"`, 'media'),
      part(`name="file"; filename="a.${long}"`, 'm'),
    ]) {
      const response = await service.post('/analyze', body + END, MULTIPART);
      expect(response.status).toBe(400);
      expect(ErrorBodySchema.parse(await response.json()).detail.length).toBeLessThan(250);
    }
  });

  it('is one byte too large', async () => {
    const response = await service.post('/analyze', form('a.wav', new Uint8Array(LIMIT + 1)));
    await expectRefused(response, 'FILE_TOO_LARGE', /limit/);
  });

  it('breaks off inside the file', async () => {
    await expectRefused(await service.post('/analyze', FILE.slice(0, -4), MULTIPART), 'INVALID_REQUEST', /ended early/);
  });

  it('has no file', async () => {
    const body = part('name="goal"', 'x') + END;
    await expectRefused(await service.post('/analyze', body, MULTIPART), 'INVALID_REQUEST', /"file" is missing/);
  });

  it('has its file under another name', async () => {
    const body = part('name="audio"; filename="a.wav"', 'media') + END;
    await expectRefused(await service.post('/analyze', body, MULTIPART), 'INVALID_REQUEST', /"audio".*"file"/);
  });

  it('has two files', async () => {
    await expectRefused(
      await service.post('/analyze', FILE + FILE + END, MULTIPART),
      'INVALID_REQUEST',
      /only one file/,
    );
  });

  it('has an empty file', async () => {
    await expectRefused(await service.post('/analyze', form('a.wav', '')), 'INVALID_MEDIA', /empty/);
  });

  it('has an extension that is not supported, or none', async () => {
    for (const name of ['notes.txt', 'noextension', 'a.wav.exe']) {
      const response = await service.post('/analyze', form(name, 'media'));
      await expectRefused(response, 'UNSUPPORTED_MEDIA', /\.mp4, \.mov, \.webm, \.mp3, \.wav, \.m4a, \.aac/);
    }
  });

  it('has the file as plain text', async () => {
    const body = part('name="file"', 'media') + END;
    await expectRefused(await service.post('/analyze', body, MULTIPART), 'UNSUPPORTED_MEDIA', /no extension/);
  });

  it('names an impossible number of speakers', async () => {
    for (const speakers of ['0', '9', 'two', '1.5']) {
      const response = await service.post('/analyze', form('a.wav', 'media', { speakers }));
      await expectRefused(response, 'INVALID_REQUEST', /speakers/);
    }
  });

  it('asks for an unknown mode of affect', async () => {
    for (const affect of ['off', '{"Anna":"none"}', '{"Speaker_0":', '["none"]'])
      await expectRefused(
        await service.post('/analyze', form('a.wav', 'media', { affect })),
        'INVALID_REQUEST',
        /^affect: /,
      );
  });

  it('has a field that is too long', async () => {
    const response = await service.post('/analyze', form('a.wav', 'media', { goal: 'x'.repeat(270_000) }));
    await expectRefused(response, 'INVALID_REQUEST', /field exceeds/);
  });

  it('is not a multipart body', async () => {
    const text = { 'Content-Type': 'text/plain' };
    await expectRefused(await service.post('/analyze', '{}', text), 'INVALID_REQUEST', /multipart\/form-data/);
    const json = { 'Content-Type': 'application/json' };
    await expectRefused(await service.post('/analyze', '{}', json), 'INVALID_REQUEST', /^url: /);
    const noBoundary = { 'Content-Type': 'multipart/form-data' };
    await expectRefused(await service.post('/analyze', FILE, noBoundary), 'INVALID_REQUEST', /multipart/);
    await expectRefused(await service.post('/analyze', 'garbage', MULTIPART), 'INVALID_REQUEST', /Malformed/);
  });
});

it('keeps nothing of an upload whose client leaves', async () => {
  const socket = connect(Number(service.url.port), service.url.hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /analyze HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Type: ${MULTIPART['Content-Type']}\r\nContent-Length: 6000000\r\n\r\n` +
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`,
  );
  await new Promise((resolve) => socket.write(Buffer.alloc(5_500_000), resolve));
  socket.destroy();
  const next = await service.post('/analyze', form('b.wav', 'media'));
  expect(next.status).toBe(200);
  const { artifact_dir } = (await next.json()) as { artifact_dir: string };
  // The parts of the aborted upload are removed on their own time, not the next request's.
  await vi.waitFor(
    async () => {
      const strangers = (await service.objects()).filter((key) => !key.startsWith(artifact_dir));
      expect(strangers).toEqual([]);
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(service.pipeline.seen).toHaveLength(1);
});
