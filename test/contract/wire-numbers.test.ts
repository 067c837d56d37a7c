import { expect, it } from 'vitest';
import { allRounded, rounded } from '../../src/contract/wire-numbers.ts';
import { longNumbers } from '../../support/wire-numbers.ts';

it('keeps four decimals of a number, and integers of any size', () => {
  expect([0.123456, 2.7604999999999995, 1e-9, 1764000000000, -3].map(rounded)).toEqual([
    0.1235, 2.7605, 0, 1764000000000, -3,
  ]);
});

it('has no negative zero', () => expect([-0, -0.00001].map(rounded)).toEqual([0, 0]));

it('rounds every number, and changes nothing else', () => {
  const value = { a: [1 / 3, { b: 2 / 3 }], text: '0.123456', none: null, yes: true };
  expect(allRounded(value)).toEqual({ a: [0.3333, { b: 0.6667 }], text: '0.123456', none: null, yes: true });
  expect(longNumbers(value)).toEqual(['.a.0 0.3333333333333333', '.a.1.b 0.6666666666666666']);
  expect(longNumbers(allRounded(value))).toEqual([]);
});
