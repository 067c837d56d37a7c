import { expect, test } from 'vitest';
import { ENCODING_DIMENSIONS } from '../../../src/contract/encoding.ts';
import {
  ENCODED_INPUTS,
  IN_CONTEXT,
  runTurnNetwork,
  TURN_INPUTS,
  TURN_OUTPUTS,
  TurnInputs,
  TurnReader,
  withReading,
} from '../../../src/conversation/moments/turn-reader.ts';

const encoding = (seed: number): Float32Array =>
  Float32Array.from({ length: ENCODING_DIMENSIONS }, (_, i) => Math.sin(seed * 7 + i) / 10);

test('a turn is read with the two before it, latest first', () => {
  const inputs = new TurnInputs();
  inputs.add('A', encoding(1));
  const second = inputs.add('B', encoding(2));
  const third = inputs.add('B', encoding(3));
  expect(third.subarray(ENCODING_DIMENSIONS, 2 * ENCODING_DIMENSIONS)).toEqual(second.subarray(0, ENCODING_DIMENSIONS));
  expect(third[2 * ENCODING_DIMENSIONS]).toBeCloseTo(3 * encoding(1)[0]!, 5);
  expect(second[ENCODED_INPUTS]).toBe(0);
  expect(third[ENCODED_INPUTS]).toBe(1);
});

test('a turn said again is as like the last as can be', () => {
  const inputs = new TurnInputs();
  expect(inputs.add('A', encoding(1)).subarray(IN_CONTEXT + 1, IN_CONTEXT + 4)).toEqual(new Float32Array(3));
  const again = inputs.add('B', encoding(1));
  expect(again[IN_CONTEXT + 1]).toBeCloseTo(1, 3);
  expect(again[IN_CONTEXT + 2]).toBeCloseTo(1, 3);
});

test('the network adds what its hidden units see to what goes straight through', () => {
  const input = Float32Array.from([2, -1]);
  const logits = runTurnNetwork(
    {
      hidden: Float32Array.from([1, -1, 0, 1]),
      hiddenBias: Float32Array.from([0.5, 0]),
      output: Float32Array.from([2, 10]),
      direct: Float32Array.from([0.25, 1]),
      outputBias: Float32Array.from([-1]),
    },
    input,
  );
  // Hidden: 2 + .5 and -2 - 1, the second of which is silent. Straight: .5 - 1.
  expect([...logits]).toEqual([-1 + 2 * 2.5 + 0.5 - 1]);
});

test('a turn without an encoding is not read, and what is known of the others still is', () => {
  const reader = new TurnReader();
  expect(reader.read('A', undefined)).toBeUndefined();
  const reading = reader.read('B', encoding(2));
  expect(Object.keys(reading ?? {})).toEqual([...TURN_OUTPUTS, 'business']);
  for (const logit of Object.values(reading ?? {})) expect(Number.isFinite(logit)).toBe(true);
});

test('what the network says stands beside the other features, bounded', () => {
  const reading = { objection: 90, offer: -90, accepted: 1, rejected: 0, shift: 0, business: -1 };
  expect(withReading({ logit: 2 }, reading)).toMatchObject({ logit: 2, 'reads objection': 5, 'reads offer': -5 });
  expect(withReading({ logit: 2 }, undefined)).toEqual({ logit: 2 });
});

test('an input has room for three encodings and what is said beside them', () => {
  expect(new TurnInputs().add('A')).toHaveLength(TURN_INPUTS);
});
