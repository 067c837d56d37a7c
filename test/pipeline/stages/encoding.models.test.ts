import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ENCODING_SIZE } from '../../../containers/pipeline/models/sentence-encoder.ts';

// The stage keeps the loaded encoder, so each test imports its own module.
beforeEach(() => vi.resetModules());
afterEach(() => vi.restoreAllMocks());

const stage = () => import('../../../containers/pipeline/stages/encoding.ts');

it('continues without a sentence encoder that does not load, and logs it once', async () => {
  const { SentenceEncoder } = await import('../../../containers/pipeline/models/sentence-encoder.ts');
  vi.spyOn(SentenceEncoder, 'load').mockRejectedValue(new Error('no such file'));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { encodeText } = await stage();
  expect(await encodeText('We ship on Monday.')).toBeNull();
  expect(await encodeText('Who told you that?')).toBeNull();
  expect(logged).toHaveBeenCalledOnce();
});

it('continues without it for a text that it fails on, and logs it', async () => {
  const { SentenceEncoder } = await import('../../../containers/pipeline/models/sentence-encoder.ts');
  vi.spyOn(SentenceEncoder.prototype, 'read').mockRejectedValueOnce(new Error('out of memory'));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { encodeText } = await stage();
  expect(await encodeText('We ship on Monday.')).toBeNull();
  expect((await encodeText('Who told you that?'))?.sentence).toHaveLength(ENCODING_SIZE);
  expect(logged).toHaveBeenCalledOnce();
});
