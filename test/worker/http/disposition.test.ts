import { expect, it } from 'vitest';
import { readDisposition } from '../../../src/worker/http/disposition.ts';

it('reads a text field', () => {
  expect(readDisposition('form-data; name="goal"')).toEqual({ name: 'goal', filename: undefined });
});

it('reads a file with any Unicode name', () => {
  for (const filename of ['дзвінок.wav', '会議 録音.mp3', '🎙️ call.m4a', 'plain.wav', 'semi;colon=1.wav', '']) {
    expect(readDisposition(`form-data; name="file"; filename="${filename}"`)).toEqual({ name: 'file', filename });
  }
});

it('reads quotes as browsers and as curl write them', () => {
  expect(readDisposition('form-data; name="file"; filename="a %22b%22.wav"').filename).toBe('a "b".wav');
  expect(readDisposition('form-data; name="file"; filename="a \\"b\\".wav"').filename).toBe('a "b".wav');
});

it('reads parameters without quotes', () => {
  expect(readDisposition('form-data; name=file; filename=a.wav')).toEqual({ name: 'file', filename: 'a.wav' });
});

it('prefers an encoded file name, and keeps the plain one when that cannot be decoded', () => {
  const header = 'form-data; name="file"; filename="plain.wav"; filename*=';
  expect(readDisposition(`${header}UTF-8''%D0%B4.wav`).filename).toBe('д.wav');
  expect(readDisposition(`${header}UTF-8''%D0%.wav`).filename).toBe('plain.wav');
});

it('does not mistake the file name for the name', () => {
  expect(readDisposition('form-data; filename="name=evil.wav"; name="file"').name).toBe('file');
});
