import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import type { ConversationEntry, DeletionReceipt } from '../../../src/contract/conversations.ts';
import { EVENT_SCHEMAS, type ServiceEvent } from '../../../src/contract/events.ts';
import { LevelsSchema } from '../../../src/contract/media.ts';
import { captions } from '../../../src/worker/results/exports/captions.ts';
import { EXPORTS } from '../../../src/worker/results/exports/formats.ts';
import { linesOf, SPOKEN, write } from '../../../support/fake-pipeline.ts';
import { form } from '../../../support/service-under-test.ts';
import { analysed, ask, get, listed, MEDIA, of, runService, service } from './conversations-under-test.ts';

runService();

describe('a recording', () => {
  it('is served whole or in the requested range', async () => {
    const { id } = await analysed();
    const whole = await get(of(id, '/media'));
    expect([whole.status, whole.text]).toEqual([200, MEDIA]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'accept-ranges': 'bytes',
      'content-length': String(MEDIA.length),
      'x-content-type-options': 'nosniff',
    });
    const etag = whole.headers.get('ETag')!;
    const last = MEDIA.length - 1;
    for (const [range, from, to] of [
      ['bytes=0-3', 0, 3],
      ['bytes=6-', 6, last],
      ['bytes=-5', last - 4, last],
      [`bytes=6-${last + 99}`, 6, last],
      [`bytes=-${last + 99}`, 0, last],
    ] as const) {
      const part = await get(of(id, '/media'), { Range: range });
      expect([range, part.status, part.text]).toEqual([range, 206, MEDIA.slice(from, to + 1)]);
      expect(part.headers.get('Content-Range')).toBe(`bytes ${from}-${to}/${MEDIA.length}`);
      expect(part.headers.get('Content-Length')).toBe(String(to - from + 1));
    }
    for (const range of [`bytes=${MEDIA.length}-`, 'bytes=-0']) {
      const beyond = await get(of(id, '/media'), { Range: range });
      expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, `bytes */${MEDIA.length}`]);
    }
    for (const range of ['bytes=3-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b'])
      expect((await get(of(id, '/media'), { Range: range })).text).toBe(MEDIA);
    expect((await get(of(id, '/media'), { Range: 'bytes=0-3', 'If-Range': etag })).status).toBe(206);
    expect((await get(of(id, '/media'), { Range: 'bytes=0-3', 'If-Range': '"other"' })).text).toBe(MEDIA);
    expect((await get(of(id, '/media'), { 'If-Match': '"other"' })).status).toBe(412);
    const head = await ask('HEAD', of(id, '/media'), undefined, { Range: 'bytes=0-3' });
    expect([head.status, head.text, head.headers.get('Content-Length')]).toEqual([206, '', '4']);
  });
});

it('a result and its levels are served whole: ranges are for recordings', async () => {
  const { id } = await analysed();
  for (const path of ['', '/levels', '/export?format=json']) {
    const whole = await get(of(id, path));
    const asked = await get(of(id, path), { Range: 'bytes=0-3' });
    expect([asked.status, asked.text, asked.headers.get('Accept-Ranges')]).toEqual([200, whole.text, null]);
  }
});

describe('a recording that browsers do not play', () => {
  const RENDITION = 'Opus in WebM, as some more bytes';

  it('is served as its rendition, whole or in ranges, and as the original on request', async () => {
    service.pipeline.answer = (response, { options }) => {
      const lines = linesOf(options.conversation_id).map((line) =>
        line.type === 'end' && line.playback
          ? { ...line, playback: { ...line.playback, rendition: Buffer.from(RENDITION) } }
          : line,
      );
      write(response, lines);
      response.end();
    };
    const { id } = await analysed();
    const whole = await get(of(id, '/media'));
    expect([whole.status, whole.text]).toEqual([200, RENDITION]);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/webm; codecs=opus',
      'accept-ranges': 'bytes',
      'content-length': String(RENDITION.length),
      'x-content-type-options': 'nosniff',
    });
    const part = await get(of(id, '/media'), { Range: 'bytes=5-6' });
    expect([part.status, part.text]).toEqual([206, RENDITION.slice(5, 7)]);
    expect(part.headers.get('Content-Range')).toBe(`bytes 5-6/${RENDITION.length}`);
    expect((await get(of(id, '/media'), { Range: `bytes=${RENDITION.length}-` })).status).toBe(416);
    const sent = await get(of(id, '/media?original=true'));
    expect([sent.text, sent.headers.get('Content-Type')]).toEqual([MEDIA, 'audio/wav']);
    const levels = LevelsSchema.parse((await get(of(id, '/levels'))).body);
    expect(Buffer.from(levels.channels[0]!, 'base64')).toHaveLength(SPOKEN.length * 40);
    // Deletion removes the rendition too.
    const { body } = await ask<DeletionReceipt>('DELETE', of(id));
    expect(body.objects.map(({ key }) => key.split('/').at(-1))).toContain('rendition.webm');
    expect((await service.stored()).filter((key) => key.includes(id))).toEqual([]);
  });
});

describe('events', () => {
  interface Told {
    id: number;
    event: ServiceEvent['event'];
    data: unknown;
  }
  async function told(path: string, headers: Record<string, string> = {}): Promise<Told[]> {
    const events: Told[] = [];
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        const name = event as ServiceEvent['event'];
        events.push({ id: Number(id), event: name, data: EVENT_SCHEMAS[name].parse(JSON.parse(data)) });
      },
    });
    const answer = await get(path, headers);
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/event-stream/);
    parser.feed(answer.text);
    return events;
  }

  it('are replayed as they were sent', async () => {
    const first = await service.post('/analyze/stream', form('call.wav', MEDIA));
    const original = (await first.text()).replace(/^: .*\n\n/gm, '');
    const [{ conversation_id: id }] = (await listed('?mode=replay')) as [ConversationEntry];
    expect((await get(of(id, '/events'))).text.replace(/^: .*\n\n/gm, '')).toBe(original);
  });

  it('continue after the client’s last event, and end with 204 after the final one', async () => {
    const { id } = await analysed();
    const all = await told(of(id, '/events'));
    expect(all.map((event) => event.id)).toEqual(all.map((_, i) => i));
    expect(all.at(-1)).toMatchObject({ event: 'done' });
    expect(await told(of(id, '/events'), { 'Last-Event-ID': '4' })).toEqual(all.slice(5));
    expect((await get(of(id, '/events'), { 'Last-Event-ID': String(all.length - 1) })).status).toBe(204);
    expect((await get(of(id, '/events'), { 'Last-Event-ID': 'x' })).status).toBe(400);
    expect((await ask('HEAD', of(id, '/events'))).status).toBe(200);
  });

  it('are replayed at the requested speed', async () => {
    const { id, result } = await analysed();
    const begun = performance.now();
    const all = await told(of(id, '/events?speed=5'));
    // A lower bound; the upper one depends on the machine.
    expect(performance.now() - begun).toBeGreaterThanOrEqual((result.timeline.at(-1)!.t_end * 1000) / 5 - 20);
    expect(all).toEqual(await told(of(id, '/events')));
  });
});

describe('exports', () => {
  it('are files with a name and a type', async () => {
    const { id, result } = await analysed('Ümlaut & Söhne.wav');
    for (const [format, { extension, contentType }] of Object.entries(EXPORTS)) {
      const { status, headers, text } = await get(of(id, `/export?format=${format}`));
      expect([format, status, headers.get('Content-Type')]).toEqual([format, 200, contentType]);
      expect(headers.get('Content-Disposition')).toBe(`attachment; filename="Umlaut--Sohne${extension}"`);
      for (const said of SPOKEN) expect(text.replace(/\s+/g, ' ')).toContain(said.split(' ').slice(0, 3).join(' '));
    }
    const vtt = (await get(of(id, '/export?format=vtt'))).text;
    expect(vtt.match(/-->/g)).toHaveLength(captions(result.timeline).length);
  });
});
