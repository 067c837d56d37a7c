import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cue, captions } from '../../../src/worker/results/exports/captions.ts';
import type { ExportedUtterance } from '../../../src/worker/results/exports/exported.ts';
import { dialogues, timelineOf } from '../../../support/results.ts';
import { timelineEntry } from '../../../support/timeline-entry.ts';
import { growth, MOST_GROWTH } from '../growth/growth.ts';

const utterance = (text: string, more: Partial<ExportedUtterance> = {}): ExportedUtterance => ({
  ...timelineEntry('c', 0, text, 'Speaker_0'),
  ...more,
});
/** An utterance whose words take `wordS` each, with a pause after those that end in `|`. */
function spoken(text: string, wordS = 0.3, pauseS = 1): ExportedUtterance {
  let at = 0;
  const words = text.split(' ').map((marked) => {
    const word = marked.replace('|', '');
    const timed = { word, t_start: at, t_end: at + wordS, confidence: 1 };
    at += wordS + (marked.endsWith('|') ? pauseS : 0);
    return timed;
  });
  return utterance(text.replaceAll('|', ''), { t_start: 0, t_end: at, words });
}
const linesOf = (cues: readonly Cue[]): string[][] => cues.map(({ lines }) => [...lines]);
const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('captions', () => {
  it('break at the ends of sentences, and lines before the words that open a clause', () => {
    const text = 'Thank you for calling. I can send you the invoice today, but the discount ends on Friday.';
    expect(linesOf(captions([spoken(text)]))).toEqual([
      ['Thank you for calling.'],
      ['I can send you the invoice today,', 'but the discount ends on Friday.'],
    ]);
  });

  it('never end with an article where another break is possible', () => {
    const text = 'we would like to talk about the price and the terms of the contract with you and the team in Berlin';
    for (const line of linesOf(captions([spoken(text)])).flat()) expect(line).not.toMatch(/ (the|of|with|and|to|in)$/);
  });

  it('do not bridge a long pause', () => {
    expect(linesOf(captions([spoken('one moment| here it is', 0.3, 2)]))).toEqual([['one moment'], ['here it is']]);
  });

  it('begin and end with their words, and stay long enough to read when nothing follows', () => {
    const [first, second] = captions([
      spoken('Hello there, how are you?'),
      utterance('Yes.', { speaker: 'Speaker_1', t_start: 5, t_end: 5.2 }),
    ]);
    expect(first).toMatchObject({ startMs: 0, endMs: 1500 });
    expect(second).toMatchObject({ startMs: 5000, endMs: 5833, speaker: 'Speaker_1' });
  });

  it('distribute the time by length where words have none', () => {
    const text = 'This is a sentence of some length. And here is another one that comes right behind it, is it not?';
    const cues = captions([utterance(text, { t_start: 10, t_end: 14, words: [] })]);
    expect(cues.length).toBeGreaterThan(1);
    expect(cues[0]!.startMs).toBe(10_000);
    expect(cues.at(-1)!.endMs).toBe(14_000);
    expect(cues[1]!.startMs).toBeCloseTo(10_000 + (4000 * 34) / text.length, -3);
  });

  it('name each speaker once when they begin', () => {
    const cues = captions(
      [spoken('Hello.'), spoken('Are you there?'), utterance('Yes.', { speaker: 'Anna', t_start: 9, t_end: 10 })],
      (name) => `${name}:`,
    );
    expect(linesOf(cues).flat().sort()).toEqual(['Anna: Yes.', 'Are you there?', 'Speaker_0: Hello.']);
  });

  const anyUtterance = fc
    .record({
      speaker: fc.constantFrom('Speaker_0', 'Speaker_1'),
      words: fc.array(
        fc.oneof(fc.constantFrom('the', 'and', 'Yes.', 'a,', 'I'), fc.string({ unit: 'grapheme', maxLength: 99 })),
        {
          maxLength: 60,
        },
      ),
      start: fc.integer({ min: 0, max: 60_000 }),
      length: fc.integer({ min: 0, max: 30_000 }),
      isTimed: fc.boolean(),
    })
    .map(({ speaker, words, start, length, isTimed }): ExportedUtterance => {
      const text = words.join(' ');
      const shown = wordsIn(text);
      const timed = shown.map((word, i) => ({
        word,
        t_start: (start + (length * i) / shown.length) / 1000,
        t_end: (start + (length * (i + 1)) / shown.length) / 1000 + 0.01,
        confidence: 1,
      }));
      const times = { t_start: start / 1000, t_end: (start + length) / 1000 };
      return utterance(text, { speaker, ...times, words: isTimed ? timed : [] });
    });

  it('hold every word in at most two lines of 42 characters, in order of time, for any text', () => {
    fc.assert(
      fc.property(fc.array(anyUtterance, { maxLength: 6 }), (timeline) => {
        const cues = captions(timeline);
        for (const { lines, startMs, endMs } of cues) {
          expect(lines.length).toBeLessThanOrEqual(2);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
          for (const line of lines) expect(line.isWellFormed()).toBe(true);
          expect(endMs).toBeGreaterThan(startMs);
        }
        expect(cues.map(({ startMs }) => startMs)).toEqual(cues.map(({ startMs }) => startMs).sort((a, b) => a - b));
        const said = timeline.flatMap(({ text }) => wordsIn(text)).join('');
        // Cues of two simultaneous speakers may interleave; no word of an utterance is lost.
        const shown = cues.flatMap(({ lines }) => lines).join(' ');
        expect([...shown.replace(/\s/g, '')].sort()).toEqual([...said].sort());
      }),
      { numRuns: 200 },
    );
  });

  it('of a real conversation last at most 7 s, and hardly any line ends with an article', () => {
    const cues = dialogues()
      .slice(0, 40)
      .flatMap((dialogue) => captions(timelineOf('c', dialogue)));
    expect(cues.length).toBeGreaterThan(500);
    for (const { startMs, endMs } of cues) expect(endMs - startMs).toBeLessThanOrEqual(7000);
    const torn = cues.flatMap(({ lines }) => lines).filter((line) => /\b(the|a|an|my|your)$/i.test(line));
    expect(torn.length / cues.length).toBeLessThan(0.01);
  });

  it('grow with the length of a conversation', () => {
    for (const piece of ['a ', 'word ', 'x'.repeat(50), 'Yes. ', 'the, '])
      expect(
        growth((length) => {
          const text = piece.repeat(Math.ceil(length / piece.length));
          return () => captions([utterance(text, { t_end: length })]);
        }, 4000),
      ).toBeLessThan(MOST_GROWTH);
  });
});
