import { expect, test } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { ENCODING_DIMENSIONS } from '../../../src/conversation/encoding.ts';
import {
  afterFlags,
  type HeardTurn,
  PAIR_TURNS,
  pairFlags,
  turnFlags,
} from '../../../src/conversation/moments/heard-turns.ts';
import { networksOf } from '../../../src/conversation/moments/networks.ts';
import { TURN_OUTPUTS, TurnReader, withReading } from '../../../src/conversation/moments/turn-reader.ts';
import { talk } from '../lines.ts';

const shipped = () => new TurnReader(networksOf(conversationWeights().moments.readers));

const encoding = (seed: number): Float32Array =>
  Float32Array.from({ length: ENCODING_DIMENSIONS }, (_, i) => Math.sin(seed * 7 + i) / 2);

/** Reads lines and keeps what was heard at each, latest first. */
function heardAt(lines: string): (readonly HeardTurn[])[] {
  const all: (readonly HeardTurn[])[] = [];
  const reader = new TurnReader({
    turn: (turns) => {
      all.push(turns);
      return [0, 0, 0, 0, 0];
    },
    pair: () => [0, 0],
  });
  for (const [i, u] of talk(lines).entries()) reader.read(u, encoding(i));
  return all;
}

const LINES = `
  A: Shall we say Thursday?
  B: Hm.
  B: Let me look at the calendar first.
  A: Sure.
  B: Thursday is fine.`;

test('a turn is read with what was heard before it, latest first', () => {
  const [first, , third] = heardAt(LINES);
  expect(first!.map((t) => t.index)).toEqual([0]);
  expect(third!.map((t) => [t.index, t.words, t.speakers])).toEqual([
    [2, 7, 2],
    [1, 1, 2],
    [0, 4, 1],
  ]);
  expect(third![1]!.encoding).toEqual(encoding(1));
});

test('the flags say who spoke before, how far the talk is and how much was said', () => {
  const [first, , third] = heardAt(LINES);
  expect(turnFlags(first!)).toEqual([0, 0, 0, 1, 4 / 15, 1 / 3]);
  expect(turnFlags(third!)).toEqual([1, 0, 0.2, 0, 7 / 15, 2 / 3]);
});

test('an answer is set against an earlier turn by how far it is and who spoke between', () => {
  const last = heardAt(LINES)[4]!;
  // Back to the first turn: two turns of B and one of A lie between.
  expect(pairFlags(last, 4)).toEqual([0, 0, 0.4, 1 / 3, 2 / 3, 1]);
  expect(pairFlags(last, 1)).toEqual([1, 0, 0.1, 0, 0, 1]);
});

test('in hindsight the flags say who spoke next', () => {
  const [, second, third, fourth] = heardAt(LINES);
  expect(afterFlags(second!, third![0])).toEqual([1, 0, 0]);
  expect(afterFlags(third!, fourth![0])).toEqual([0, 0, 0]);
  expect(afterFlags(fourth!, heardAt(LINES)[4]![0])).toEqual([0, 0, 1]);
  expect(afterFlags(fourth!, undefined)).toEqual([0, 1, 0]);
});

test('a turn is read once more in the light of the next, and the last one as the last', () => {
  const [first, second] = talk(LINES);
  const readAgain = (next: number) => {
    const reader = shipped();
    const once = reader.read(first!, encoding(1));
    expect(reader.again()).toBeUndefined();
    const last = reader.atLast()?.reading;
    reader.read(second!, encoding(next));
    return { once, last, again: reader.again()?.reading };
  };
  const [a, b] = [readAgain(2), readAgain(3)];
  expect(a.once).toEqual(b.once);
  expect(a.last).toEqual(b.last);
  expect(a.again).not.toEqual(b.again);
  expect(new Set([a.once, a.last, a.again].map((r) => r?.objection)).size).toBe(3);
  expect(a.again?.business).toBe(a.once?.business);
});

test('of a next turn without an encoding no more is known than of none', () => {
  const [first, second] = talk(LINES);
  const reader = shipped();
  reader.read(first!, encoding(1));
  const last = reader.atLast()?.reading;
  reader.read(second!, undefined);
  expect(reader.again()?.reading).toEqual(last);
  expect(reader.atLast()).toBeUndefined();
});

test('a turn without an encoding is not read, and what is known of the others still is', () => {
  const reader = shipped();
  const [first, second] = talk(LINES);
  expect(reader.read(first!, undefined)).toBeUndefined();
  const reading = reader.read(second!, encoding(2));
  expect(Object.keys(reading ?? {})).toEqual([...TURN_OUTPUTS, 'business']);
  for (const logit of Object.values(reading ?? {})) expect(Number.isFinite(logit)).toBe(true);
});

test('an answer is read against a turn that was heard not long ago; any other is hardly answered', () => {
  const reader = shipped();
  const lines = Array.from({ length: PAIR_TURNS + 2 }, (_, i) => `${i % 2 ? 'B' : 'A'}: Turn ${i}.`);
  const turns = talk(lines.join('\n'));
  turns.forEach((u, i) => {
    reader.read(u, encoding(i));
  });
  const longAgo = { accepted: -3, rejected: -3 };
  expect(reader.answers(turns[0]!)).toEqual(longAgo);
  expect(reader.answers(turns.at(-1)!)).toEqual(longAgo);
  const answer = reader.answers(turns[1]!);
  expect(Number.isFinite(answer.accepted)).toBe(true);
  expect(answer).not.toEqual(longAgo);
  expect(answer).not.toEqual(reader.answers(turns.at(-2)!));
});

test('what the networks say stands beside the other features, bounded', () => {
  const reading = { objection: 90, offer: -90, accepted: 1, rejected: 0, shift: 0, business: -1 };
  const values = withReading({ logit: 2 }, reading, { accepted: 3, rejected: -80 });
  expect(values).toMatchObject({
    logit: 2,
    'reads objection': 5,
    'reads offer': -5,
    'answers yes': 3,
    'answers no': -5,
  });
  expect(withReading({ logit: 2 }, undefined)).toEqual({ logit: 2 });
});

test('a turn is read in the light of earlier ones, up to eight, and of who said them', () => {
  const read = (lines: string[], first: number) => {
    const reader = shipped();
    return talk(lines.join('\n'))
      .map((u, i) => reader.read(u, encoding(i === 0 ? first : i + 10)))
      .at(-1);
  };
  const lines = (count: number, opening = 'A') =>
    Array.from({ length: count }, (_, i) => `${i === 0 ? opening : i % 2 ? 'B' : 'A'}: Turn ${i}.`);
  expect(read(lines(7), 1)).not.toEqual(read(lines(7), 2));
  expect(read(lines(7), 1)).not.toEqual(read(lines(7, 'C'), 1));
  const { business: _, ...far } = read(lines(10), 1)!;
  const { business: __, ...farOther } = read(lines(10), 2)!;
  expect(far).toEqual(farOther);
});
