import { expect, test } from 'vitest';
import { runNetwork } from '../../../src/conversation/moments/layers.ts';

test('the network adds up what its hidden units see, and nothing of those that are silent', () => {
  const logits = runNetwork(
    {
      hidden: { weight: Float32Array.from([1, -1, 0, 1]), bias: Float32Array.from([0.5, 0]) },
      output: { weight: Float32Array.from([2, 10]), bias: Float32Array.from([-1]) },
    },
    Float32Array.from([2, -1]),
  );
  // Hidden: 2 + .5 and -2 - 1, the second of which is silent.
  expect([...logits]).toEqual([-1 + 2 * 2.5]);
});
