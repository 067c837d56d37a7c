import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ENCODING_SIZE } from '../../../containers/pipeline/models/sentence-encoder.ts';

// The stage keeps what it loaded: each test has one of its own.
beforeEach(() => vi.resetModules());
afterEach(() => vi.restoreAllMocks());

const stage = () => import('../../../containers/pipeline/stages/encoding.ts');

it('does without the sentence encoder where it does not load, and says so once', async () => {
  const { SentenceEncoder } = await import('../../../containers/pipeline/models/sentence-encoder.ts');
  vi.spyOn(SentenceEncoder, 'load').mockRejectedValue(new Error('no such file'));
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { encodeText } = await stage();
  expect(await encodeText('We ship on Monday.')).toBeNull();
  expect(await encodeText('Who told you that?')).toBeNull();
  expect(said).toHaveBeenCalledOnce();
});

it('does without it for a text that it fails on, and says so', async () => {
  const { SentenceEncoder } = await import('../../../containers/pipeline/models/sentence-encoder.ts');
  vi.spyOn(SentenceEncoder.prototype, 'read').mockRejectedValueOnce(new Error('out of memory'));
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { encodeText } = await stage();
  expect(await encodeText('We ship on Monday.')).toBeNull();
  expect((await encodeText('Who told you that?'))?.sentence).toHaveLength(ENCODING_SIZE);
  expect(said).toHaveBeenCalledOnce();
});
