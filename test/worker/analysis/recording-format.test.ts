import { expect, it } from 'vitest';
import { formatOfBytes, formatOfFile } from '../../../src/worker/analysis/recording-format.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

it.each([
  ['RIFF\x24\0\0\0WAVE', '.wav'],
  ['RF64\xff\xff\xff\xffWAVE', '.wav'],
  ['RIFF\x24\0\0\0AVI ', undefined],
  ['OggS\0\x02', '.ogg'],
  ['fLaC\0\0\0\x22', '.flac'],
  ['\x1a\x45\xdf\xa3\x9f', '.webm'],
  ['ID3\x04\0', '.mp3'],
  ['\xff\xfb\x90\x64', '.mp3'],
  ['\xff\xf1\x50\x80', '.aac'],
  ['\0\0\0\x20ftypM4A ', '.m4a'],
  ['\0\0\0\x14ftypqt  ', '.mov'],
  ['\0\0\0\x20ftypisom', '.mp4'],
  ['media', undefined],
  ['\xff', undefined],
  ['', undefined],
])('the format of the bytes %j is %s', (text, format) => {
  expect(formatOfBytes(bytes(text))).toBe(format);
});

it('a file has the format of its extension, else of its type, else of its bytes', () => {
  const head = bytes('fLaC\0\0\0\x22');
  expect(formatOfFile({ filename: 'a.WAV', type: 'audio/ogg', head })).toBe('.wav');
  expect(formatOfFile({ filename: 'blob', type: 'audio/webm;codecs=opus', head })).toBe('.webm');
  expect(formatOfFile({ filename: 'blob', type: 'application/octet-stream', head })).toBe('.flac');
  expect(() => formatOfFile({ filename: 'a.txt', type: 'audio/wav', head })).toThrow(
    /^Unsupported file extension ".txt"/,
  );
  expect(() => formatOfFile({ filename: 'blob', type: 'text/plain', head: bytes('media') })).toThrow(
    /^The file has no extension, and neither .*; supported extensions: \.mp4, .*\.flac, \.ogg, \.opus$/,
  );
});
