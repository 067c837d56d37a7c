import { expect, it } from 'vitest';
import { joined, renamed, SentenceList, say, textOf } from '../../../src/conversation/sentences/spans.ts';

const quote = { quote: 'Speaker_0 is late', utterance_id: 'u' };
const line = say`${{ speaker: 'Speaker_0' }} says ${2} words: “${quote}”${''}.`;

it('keeps speakers and quotes apart from the words around them', () => {
  expect(line).toEqual([{ speaker: 'Speaker_0' }, { text: ' says 2 words: “' }, quote, { text: '”.' }]);
  expect(textOf(line)).toBe('Speaker_0 says 2 words: “Speaker_0 is late”.');
});

it('joins sentences into one', () => {
  expect(joined([line, say`Done.`], ' ').at(-1)).toEqual({ text: '”. Done.' });
  expect(joined([], ' ')).toEqual([]);
});

it('renames speakers, not quoted words', () => {
  expect(textOf(renamed(line, () => 'Ann'))).toBe('Ann says 2 words: “Speaker_0 is late”.');
});

it('lists the sentences that name or quote somebody, each once', () => {
  const list = new SentenceList();
  expect([line, say`Nothing was said.`, line].map((spans) => list.add(spans))).toEqual([
    textOf(line),
    'Nothing was said.',
    textOf(line),
  ]);
  expect(list.all).toEqual([line]);
  expect(list.has('Nothing was said.')).toBe(false);
});
