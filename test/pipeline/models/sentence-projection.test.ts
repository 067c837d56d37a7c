import { expect, it } from 'vitest';
import { SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { projectEncoding } from '../../../containers/pipeline/models/sentence-projection.ts';
import { decodeEncoding } from '../../../src/contract/encoding.ts';

const TEXTS = [
  'The price is too high for our budget.',
  'That costs more than we can afford.',
  'My cat sleeps all day.',
  'Can we move on to the next point?',
  'Yeah.',
];

it('keeps the distances between sentences', async () => {
  const encoder = await SentenceEncoder.load();
  const whole = await Promise.all(TEXTS.map((text) => encoder.encode(text)));
  const wire = whole.map((encoding) => decodeEncoding(projectEncoding(encoding)));
  const distance = (a: Float32Array, b: Float32Array) => Math.hypot(...a.map((value, i) => value - b[i]!));
  for (let a = 0; a < TEXTS.length; a++)
    for (let b = 0; b < a; b++) {
      const share = distance(wire[a]!, wire[b]!) / distance(whole[a]!, whole[b]!);
      expect(share, `${TEXTS[a]} / ${TEXTS[b]}`).toBeGreaterThan(0.85);
      expect(share).toBeLessThan(1.02);
    }
});
