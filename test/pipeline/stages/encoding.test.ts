import { afterEach, expect, it, vi } from 'vitest';
import { SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { encodeText, encodingOnWire } from '../../../containers/pipeline/stages/encoding.ts';

afterEach(() => vi.restoreAllMocks());

it('does without the sentence encoder where it does not load, and says so once', async () => {
  vi.spyOn(SentenceEncoder, 'load').mockRejectedValue(new Error('no such file'));
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(await encodeText('We ship on Monday.')).toBeNull();
  expect(await encodeText('Who told you that?')).toBeNull();
  expect(said).toHaveBeenCalledOnce();
});

it('leaves the member out of the line where there is no encoding', () => {
  expect(encodingOnWire(null)).toEqual({});
  const sentence = new Float32Array(512);
  expect(encodingOnWire({ sentence, onWire: 'AAAA' })).toEqual({ encoding: 'AAAA' });
});
