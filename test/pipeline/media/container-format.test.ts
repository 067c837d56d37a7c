import { describe, expect, it } from 'vitest';
import { accessOf } from '../../../containers/pipeline/media/container-format.ts';

const box = (type: string, size: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(size);
  bytes.write(type, 4, 'latin1');
  return bytes;
};

describe('access to media', () => {
  it('reads formats without an index forwards', () => {
    for (const magic of ['RIFF', 'OggS', 'fLaC', 'ID3\x04', '\xff\xfb\x90\x00', '\xff\xf1\x50\x80'])
      expect(accessOf(Buffer.from(magic.padEnd(16, '\0'), 'latin1'), false)).toBe('stream');
  });

  it('reads mp4 forwards when its index comes first, otherwise from a file', () => {
    const head = [box('ftyp', 32), box('free', 8)];
    expect(accessOf(Buffer.concat([...head, box('moov', 100)]), false)).toBe('stream');
    expect(accessOf(Buffer.concat([...head, box('mdat', 100)]), false)).toBe('file');
    expect(accessOf(Buffer.concat(head), false)).toBe('unknown');
    expect(accessOf(Buffer.concat(head), true)).toBe('file');
  });

  it('waits for the first bytes and spools unknown formats', () => {
    expect(accessOf(Buffer.alloc(4), false)).toBe('unknown');
    expect(accessOf(Buffer.from('something else entirely'), false)).toBe('file');
  });
});
