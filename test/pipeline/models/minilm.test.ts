import { beforeAll, describe, expect, it } from 'vitest';
import { MINILM_SIZE, MiniLm } from '../../../containers/pipeline/models/minilm.ts';
import { loadRuntime } from '../../../containers/pipeline/models/runtime.ts';

let minilm: MiniLm;
beforeAll(async () => {
  minilm = await MiniLm.load();
});

/** Pieces of a text, then three numbers of the first piece's state and of the last one's, by PyTorch from the same weights. */
const REFERENCE: [string, number, number[], number[]][] = [
  ['The price is too high for our budget.', 11, [-0.0189, 0.0447, 0.0622], [-2.1434, 0.4839, 1.6391]],
  ['Über-naïve café, £5!', 9, [-0.1314, -0.0073, 0.0475], [-1.0502, -0.3198, 1.1824]],
  ['The price is too high for our budget. '.repeat(30), 128, [-0.2447, -0.0039, 0.1131], [-0.5536, 0.3534, 0.7535]],
  ['', 2, [-0.0065, -0.0228, 0.0672], [2.7874, -0.1273, -2.1679]],
];

describe('MiniLM', () => {
  it('says what the model says elsewhere, also of texts longer than it reads and of none', async () => {
    for (const [text, pieces, first, last] of REFERENCE) {
      const states = await minilm.read(text);
      expect(states).toHaveLength(pieces * MINILM_SIZE);
      const told = [...states.slice(0, 3), ...states.slice(-3)];
      for (const [i, expected] of [...first, ...last].entries()) expect(told[i]).toBeCloseTo(expected, 3);
    }
  });

  it('gives the same text the same numbers, whatever is asked meanwhile', async () => {
    const texts = ['We ship on Monday.', 'Who told you that?', 'We ship on Monday.'];
    const [first, other, again] = await Promise.all(texts.map((text) => minilm.read(text)));
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('runs on the portable runtime too', async () => {
    const portable = await MiniLm.load(await loadRuntime('web'));
    const [text, , first] = REFERENCE[0]!;
    const states = await portable.read(text);
    for (const [i, expected] of first.entries()) expect(states[i]).toBeCloseTo(expected, 3);
  });
});
