import { describe, expect, it } from 'vitest';
import { readAnswers, scoreTables } from '../../../bench/commitments/scores.ts';
import type { Key } from '../../../bench/commitments/sheets.ts';

const told = (number: number, dialogue: string, turn: number, isDated = false): Key['told'][number] => ({
  ...{ number, dialogue, turn, isDated },
  owner: 'Speaker_0',
  isUnsure: false,
});
const KEY: Key = {
  dialogues: { D01: { corpus: 'osce', draw: 'all' }, D02: { corpus: 'qmsum', draw: 'told' } },
  told: [told(1, 'D01', 4, true), told(2, 'D01', 9), told(3, 'D02', 2)],
};

describe('the scores of two readers of commitments', () => {
  const a = readAnswers(
    'P D01 5 Speaker_0 - sends it\nP D01 20 Speaker_0 2026-03-06 calls\n1 R R W\n2 R R R\n3 R W R\n',
    KEY,
  );
  const b = readAnswers('P D01 5 Speaker_0 - sends it\nP D02 2 Speaker_0 - pays\n\n3 R W R\n1 R R R\n2 W R R', KEY);
  const [precision, recall] = scoreTables(KEY, [a, b]);
  const row = (name: string) => precision!.rows.find(([first]) => first === name)!;

  it('give the share that each finds right, and both, with their agreement', () => {
    expect(row('owner').slice(1, 5)).toEqual([3, '1.00 (0.44 to 1.00)', '0.67 (0.21 to 0.94)', '0.67 (0.21 to 0.94)']);
    expect(row('owner')[5]).toBeCloseTo(2 / 3);
    expect(row('deed').slice(5)).toEqual([1, 1]);
    expect(row('date, where a day was told').slice(1, 4)).toEqual([1, '0.00 (0.00 to 0.79)', '1.00 (0.21 to 1.00)']);
    expect(row('deed, qmsum')[2]).toMatch(/^0\.00/);
  });

  it('count as recall what a reader found in the dialogues that were drawn from all', () => {
    expect(recall!.rows.map((cells) => cells.slice(0, 3))).toEqual([
      ['reader A', 2, 1],
      ['reader B', 1, 1],
      ['both', 1, 1],
    ]);
  });

  it('leave out the dates that are reported as unsure', () => {
    const told = KEY.told.map((one) => ({ ...one, isUnsure: one.number === 2 }));
    const unsure = readAnswers('1 R R W\n2 R R -\n3 R W R\n', KEY);
    const [table] = scoreTables({ ...KEY, told }, [unsure, unsure]);
    const dates = table!.rows.find(([first]) => first === 'date, or that none was said')!;
    expect(dates.slice(1, 3)).toEqual([2, '0.50 (0.09 to 0.91)']);
  });

  it.each([
    ['1 R R R\n2 R R R', /No marks for 3/],
    ['1 R R', /Line 1 cannot be read/],
    ['1 R R R\n1 R R R', /Line 2 cannot be read/],
    ['4 R R R', /Line 1 cannot be read/],
    ['P D09 4 Speaker_0 - sends it', /Line 1 cannot be read/],
  ])('refuse %j', (text, message) => expect(() => readAnswers(text, KEY)).toThrow(message));
});
