import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { marked } from 'marked';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captions } from '../../../src/worker/results/exports/captions.ts';
import { textCell } from '../../../src/worker/results/exports/csv.ts';
import { exportName, MEASURES } from '../../../src/worker/results/exports/exported.ts';
import { EXPORTS } from '../../../src/worker/results/exports/formats.ts';
import { openBrowser } from '../../../support/browser.ts';
import { dialogues, resultOf, timelineOf } from '../../../support/results.ts';
import { growth, MOST_GROWTH } from '../growth/growth.ts';
import { TEXTS } from '../growth/texts.ts';
import { exportedOf, written } from './exported-of.ts';

const FORMATS = ['txt', 'md', 'srt', 'vtt', 'csv', 'html'] as const;

/** Names and texts that a format could take for its own syntax. */
const HOSTILE = [
  '=HYPERLINK("http://evil","x")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  "'=1",
  "'tis fine",
  '\tTab',
  '＝1',
  'a --> b',
  '<script>alert(1)</script>',
  '</v><c.red>x',
  '& &amp; &lt;b&gt;',
  '# not a heading',
  '1. not a list',
  '- nor this',
  '**bold** _it_ `code` [a](javascript:alert(1)) ![i](x)',
  '| a | b |',
  '{\\an8}up <font color=red>',
  '"quoted", and, commas',
  '“curly”',
  'WEBVTT',
  'see http://evil.example, www.evil.example or evil@evil.example',
  'NOTE x',
  'ünïcödé 日本語 😀',
];
const hostileTurns = HOSTILE.map((text, i) => ({ speaker: `Speaker_${i % 2}`, text }));
const hostileNames = new Map([
  ['Speaker_0', 'Bob <b> & "Co" --> ='],
  ['Speaker_1', '=cmd|x'],
]);

function hostile() {
  const result = resultOf('c-1', timelineOf('c-1', { turns: hostileTurns }), '<i>goal</i>');
  for (const entry of result.timeline) entry.speaker = hostileNames.get(entry.speaker)!;
  result.insights.metrics.speakers = Object.fromEntries(
    Object.entries(result.insights.metrics.speakers).map(([name, own]) => [hostileNames.get(name)!, own]),
  );
  return exportedOf(result, { title: '</title><script>x</script> # =1', labels: ['<u>', '=2'] });
}
const real = () => {
  const dialogue = dialogues().find(({ turns }) => turns.length > 24)!;
  return exportedOf(resultOf(dialogue.id, timelineOf(dialogue.id, dialogue)));
};

/** Reads RFC 4180 like any reader, and removes the apostrophe that keeps a cell from being a formula. */
function readCsv(file: string): string[][] {
  const rows: string[][] = [[]];
  for (let at = file.startsWith('\ufeff') ? 1 : 0; at < file.length; ) {
    let value = '';
    if (file[at] === '"') {
      for (at++; file[at] !== '"' || file[at + 1] === '"'; at++) {
        value += file[at];
        if (file[at] === '"') at++;
      }
      at++;
      value = value.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '');
    } else for (; file[at] !== ',' && file[at] !== '\r'; at++) value += file[at];
    rows.at(-1)!.push(value);
    if (file[at] === ',') at++;
    else {
      at += 2;
      if (at < file.length) rows.push([]);
    }
  }
  return rows;
}

describe('exports', () => {
  it.each(FORMATS)('%s tells every word, in order, under the names of speakers', (format) => {
    const exported = real();
    const file = written(format, exported).replaceAll('\\', '').replaceAll('&quot;', '"').replaceAll('""', '"');
    if (format !== 'srt') for (const name of Object.keys(exported.metrics.speakers)) expect(file).toContain(name);
    const transcript = file.slice(Math.max(0, file.search(/what was said/i)));
    let at = 0;
    for (const word of exported.timeline.flatMap(({ text }) => text.split(/\s+/))) {
      at = transcript.indexOf(word, at);
      expect(at, word).toBeGreaterThanOrEqual(0);
      at += word.length;
    }
  });

  it('csv reads back equal, and no cell of it is a formula', () => {
    for (const exported of [real(), hostile()]) {
      const file = written('csv', exported);
      const [header, ...rows] = readCsv(file);
      expect(header).toEqual(['utterance_id', 'speaker', 't_start', 't_end', 'text', ...MEASURES, 'phase', 'role']);
      expect(rows.map((row) => row.slice(0, -2))).toEqual(
        exported.timeline.map((u) =>
          [u.utterance_id, u.speaker, u.t_start, u.t_end, u.text, ...MEASURES.map((m) => u[m])].map(String),
        ),
      );
      const phases = new Map(exported.segmentation.phases.map((p) => [p.start_utterance_id, p.phase_name]));
      expect(rows[0]!.at(-2)).toBe(phases.get(rows[0]![0]!));
      expect(new Set(rows.map((row) => row.at(-2)))).toEqual(new Set(phases.values()));
      for (const cell of file.matchAll(/(?<=^|,)"([^"])/gm)) expect(cell[1]).not.toMatch(/[=+\-@\t＝＋－＠]/);
    }
  });

  it('a cell preserves any text', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...HOSTILE, "''=", "'", '\n', '"'));
    fc.assert(
      fc.property(text, (said) => {
        expect(readCsv(`${textCell(said)}\r\n`)).toEqual([[said]]);
        expect(textCell(said).slice(1)).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });

  it('leave out an absent measure', () => {
    const exported = real();
    const [first, ...rest] = exported.timeline;
    const timeline = [{ ...first!, dominant_emotion: null, polarity: null, engagement: null }, ...rest];
    const [, row] = readCsv(written('csv', { ...exported, timeline }));
    expect(row!.slice(6, 9)).toEqual(['', '', '']);
  });

  it('md shows every letter of a text as it is', () => {
    const file = written('md', hostile());
    expect(file.split('\n').filter((line) => /^#/.test(line))).toEqual(
      file.split('\n').filter((line) => /^#{1,3} [^#]/.test(line)),
    );
    // Without escapes, the rest contains no markup.
    expect(file.replace(/\\[^\n]/g, '')).not.toMatch(/[<>`|~$]|\]\(|^\d+[.)] /m);
    expect(file).toContain('\\# not a heading');
    expect(file).toContain('1\\. not a list');
    expect(file).toContain('\\- nor this');
  });

  it('html contains no script, no address and no element from a text', () => {
    const file = written('html', hostile());
    expect(file).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const elements = new Set([...file.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name));
    for (const name of ['script', 'font', 'i', 'u', 'c', 'img', 'link']) expect(elements).not.toContain(name);
    expect(file).not.toMatch(/(?:src|href)="(?!#u\d+")/);
    expect(file).toContain(`content="default-src 'none'`);
  });

  it('srt is read by ffmpeg, cue by cue', () => {
    const folder = mkdtempSync(join(tmpdir(), 'undertone-srt-'));
    try {
      for (const exported of [real(), hostile()]) {
        const path = join(folder, 'a.srt');
        writeFileSync(path, written('srt', exported));
        const read = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'webvtt', '-'], { encoding: 'utf8' });
        const cues = captions(exported.timeline);
        // The names take space, so there may be more cues than without them.
        expect(read.match(/-->/g)!.length).toBeGreaterThanOrEqual(cues.length);
        const shown = read.replace(/^.*-->.*$/gm, '').replace(/\s+/g, '');
        for (const { text } of exported.timeline.slice(0, 8))
          expect(shown).toContain(text.split(/[\s<>{}&]+/).find((word) => word !== '')!);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are named by their title, in letters that every system accepts', () => {
    expect(exportName({ title: 'Größe: 50 % / ../x', conversationId: 'c' })).toBe('Groe-50---..x');
    expect(exportName({ title: '日本語', conversationId: 'c' })).toBe('c');
    expect(exportName({ title: '', conversationId: 'c' })).toBe('c');
  });

  it.each(FORMATS)('%s grows with the length of a talk', (format) => {
    for (const [kind, make] of Object.entries(TEXTS).slice(0, 12)) {
      const grown = growth((length) => {
        const exported = exportedOf(
          resultOf('c', timelineOf('c', { turns: [{ speaker: 'Speaker_0', text: 'Hello.' }] })),
        );
        const entry = exported.timeline[0]!;
        const timeline = Array.from({ length: length / 100 }, (_, i) => ({
          ...entry,
          utterance_id: `c_utt_${i}`,
          text: make(100, i * 100),
          words: [],
        }));
        return () => written(format, { ...exported, timeline });
      }, 20_000);
      expect(grown, kind).toBeLessThan(MOST_GROWTH);
    }
  });

  it('are files with an extension and a type of their own', () => {
    const all = Object.values(EXPORTS);
    expect(new Set(all.map(({ extension }) => extension)).size).toBe(all.length);
    expect(new Set(all.map(({ contentType }) => contentType)).size).toBe(all.length);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('vtt opens as a track: every cue, its times, words and speaker', async () => {
    const page = await browser.newPage();
    for (const exported of [real(), hostile()]) {
      const cues = await page.evaluate(
        async (file) => {
          const video = document.createElement('video');
          const track = document.createElement('track');
          track.kind = 'captions';
          track.default = true;
          const loaded = new Promise((resolve, reject) => {
            track.addEventListener('load', resolve);
            track.addEventListener('error', () => reject(new Error('the track did not load')));
          });
          video.append(track);
          document.body.append(video);
          track.src = URL.createObjectURL(new Blob([file], { type: 'text/vtt' }));
          track.track.mode = 'showing';
          await loaded;
          const read = [...track.track.cues!].map((cue) => {
            const shown = (cue as VTTCue).getCueAsHTML();
            const voice = shown.querySelector('span');
            return { start: cue.startTime, end: cue.endTime, text: shown.textContent, speaker: voice?.title };
          });
          video.remove();
          return read;
        },
        written('vtt', exported),
      );
      const expected = captions(exported.timeline).map(({ startMs, endMs, lines, speaker }) => ({
        start: startMs / 1000,
        end: endMs / 1000,
        text: lines.join('\n'),
        speaker,
      }));
      expect(cues).toEqual(expected);
    }
  });

  it('html shows every text unchanged, runs nothing, and requests nothing', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', () => asked.push('dialog'));
    const exported = hostile();
    await page.setContent(written('html', exported));
    const said = await page.locator('.turn span').allTextContents();
    expect(said.map((text) => text.trim())).toEqual(exported.timeline.map(({ text }) => text.trim()));
    expect(await page.title()).toBe(exported.title);
    expect(await page.locator('script').count()).toBe(0);
    expect(asked).toEqual([]);
  });

  it("md shows every text unchanged, and its only headings and lists are the export's own", async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    for (const exported of [real(), hostile()]) {
      await page.setContent(await marked(written('md', exported)));
      const shown = ((await page.locator('body').textContent()) ?? '').replace(/\s+/g, ' ');
      let at = 0;
      for (const { text } of exported.timeline) {
        const said = text.replace(/\s+/g, ' ').trim();
        at = shown.indexOf(said, at);
        expect(at, said).toBeGreaterThanOrEqual(0);
        at += said.length;
      }
      expect(await page.locator('h1').allTextContents()).toEqual([exported.title]);
      expect(await page.locator('script, img, code, font, del').count()).toBe(0);
      expect(await page.locator('a').count()).toBe(0);
    }
    expect(asked).toEqual([]);
  });
});
