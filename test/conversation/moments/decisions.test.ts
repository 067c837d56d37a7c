import { expect, test } from 'vitest';
import { fitNetwork } from '../../../scripts/train/moments/decision-network.ts';
import { seeded } from '../../../scripts/train/random.ts';
import type { DecisionWeights } from '../../../src/conversation/acts/act-model.ts';
import { logOdds } from '../../../src/conversation/moments/decisions.ts';

test('features are standardised, in the order of the network, and a missing one is 0', () => {
  const weights: DecisionWeights = {
    features: { late: [1, 2], short: [0, 1] },
    network: {
      hidden: { weight: { step: 0.5, values: Int8Array.of(2, 6) }, bias: Float32Array.of(1) },
      output: { weight: { step: 1, values: Int8Array.of(2) }, bias: Float32Array.of(-3) },
    },
    threshold: 0.5,
  };
  // Hidden: 1 + 1 x (5 - 1) / 2 + 3 x 1, and 1 - 1 / 2.
  expect(logOdds(weights, { short: 1, late: 5, other: 9 })).toBeCloseTo(-3 + 2 * 6, 5);
  expect(logOdds(weights, {})).toBeCloseTo(-3 + 2 * 0.5, 5);
});

test('a network learns what no weighted sum tells: either of two, but not both', () => {
  const random = seeded(3);
  const rows = Array.from({ length: 4000 }, () => {
    const [a, b] = [random() < 0.5 ? 1 : 0, random() < 0.5 ? 1 : 0];
    return { values: { a, b, noise: random() }, positive: a !== b };
  });
  const weights = { ...fitNetwork(rows), threshold: 0.5 };
  const yes = (a: number, b: number) => logOdds(weights, { a, b, noise: 0.5 }) > 0;
  expect([yes(0, 0), yes(0, 1), yes(1, 0), yes(1, 1)]).toEqual([false, true, true, false]);
  expect(fitNetwork(rows)).toEqual(fitNetwork(rows));
});
