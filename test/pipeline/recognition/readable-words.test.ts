import { describe, expect, it } from 'vitest';
import { moonshineTiny } from '../../../containers/pipeline/recognition/moonshine/moonshine.ts';
import { ReadableWords } from '../../../containers/pipeline/recognition/readable-words.ts';

const TINY = { engine: moonshineTiny, language: undefined };
const endpoint = { id: 'endpoint', languages: ['en', 'pt', 'de'] };

describe('the words of the built-in recogniser', () => {
  it('are read when it understood the recording', () => {
    const readable = new ReadableWords(undefined, 'understood');
    expect(readable.add(TINY)).toBeUndefined();
    expect(readable).toMatchObject({ language: 'en', warnings: [] });
  });

  it('are not read when it did not, and the language is unknown', () => {
    const readable = new ReadableWords(undefined, 'not_understood');
    expect(readable.add(TINY)).toBe('not_understood');
    expect(readable.language).toBe('unknown');
    expect(readable.warnings).toEqual([expect.stringMatching(/^The speech was not understood/)]);
  });

  it('are not read when there is too little speech to tell, and no language is claimed', () => {
    const readable = new ReadableWords(undefined, 'uncertain');
    expect(readable.add(TINY)).toBe('not_understood');
    expect(readable.language).toBeNull();
    expect(readable.warnings).toEqual([expect.stringMatching(/^There is too little clear speech/)]);
  });

  it('are read in the part of a recording that it understood', () => {
    const readable = new ReadableWords(undefined, 'not_understood');
    expect(readable.add(TINY)).toBe('not_understood');
    readable.next('understood');
    expect(readable.add(TINY)).toBeUndefined();
    expect(readable.language).toBe('en');
    expect(readable.warnings).toEqual([expect.stringMatching(/^Some utterances were not understood/)]);
  });

  it('are not read in a language that a client named and it does not support', () => {
    const readable = new ReadableWords('pt-BR', 'understood');
    expect(readable.add(TINY)).toBe('not_understood');
    expect(readable).toMatchObject({
      language: 'pt-BR',
      warnings: ['moonshine-tiny does not support pt-BR, so its words were not analysed.'],
    });
  });
});

describe('the words of an endpoint', () => {
  it('are read in a language that the analysis reads', () => {
    const readable = new ReadableWords(undefined, 'understood');
    expect(readable.add({ engine: endpoint, language: 'en' })).toBeUndefined();
    expect(readable.add({ engine: endpoint, language: undefined })).toBeUndefined();
    expect(readable).toMatchObject({ language: 'en', warnings: [] });
  });

  it('are transcribed and not read in another, which the result names', () => {
    const readable = new ReadableWords(undefined, 'understood');
    expect(readable.add({ engine: endpoint, language: 'pt' })).toBe('language');
    expect(readable).toMatchObject({
      language: 'pt',
      warnings: ['The words in pt were not analysed: the analysis supports only en.'],
    });
  });

  it('are not understood where the built-in recogniser had to transcribe another language', () => {
    const readable = new ReadableWords('de', 'understood');
    expect(readable.add({ engine: endpoint, language: 'de' })).toBe('language');
    expect(readable.add(TINY)).toBe('not_understood');
  });
});
