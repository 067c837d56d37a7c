import { describe, expect, it } from 'vitest';
import { search } from '../../../../containers/pipeline/recognition/moonshine/beam-search.ts';
import type { Row, TextDecoder } from '../../../../containers/pipeline/recognition/moonshine/decoder.ts';
import { END } from '../../../../containers/pipeline/recognition/moonshine/tokens.ts';
import type { ListedWords } from '../../../../containers/pipeline/recognition/moonshine/word-list.ts';

/** Probabilities of the next token after each text; texts are written as their tokens. */
type Model = Record<string, Record<number, number>>;

/** A decoder of a few tokens whose state is the texts of its rows. */
function decoderOf(model: Model): TextDecoder<string[]> & { rows: number[] } {
  const rows: number[] = [];
  const row = (text: string): Row => {
    const next = Object.entries(model[text] ?? { [END]: 1 }).map(([token, p]) => ({
      token: Number(token),
      logProbability: Math.log(p),
    }));
    const candidates = next.toSorted((a, b) => b.logProbability - a.logProbability);
    return {
      candidates: candidates.slice(0, 16),
      attention: Float32Array.of(text.length),
      logProbabilityOf: (token) => next.find((one) => one.token === token)?.logProbability ?? Number.NEGATIVE_INFINITY,
    };
  };
  const step = (texts: string[]) => {
    rows.push(texts.length);
    return Promise.resolve({ state: texts, rows: texts.map(row) });
  };
  return {
    rows,
    begin: () => step(['']),
    next: (state, parents, tokens) => step(parents.map((parent, i) => `${state[parent]} ${tokens[i]}`.trim())),
  };
}

/** The more likely first token leads to an unlikely end. */
const GARDEN_PATH: Model = {
  '': { 10: 0.6, 11: 0.4 },
  '10': { 12: 0.3, 13: 0.25, 14: 0.25 },
  '11': { 15: 0.95 },
};

describe('beam search', () => {
  it('is greedy with a beam of one', async () => {
    const decoder = decoderOf(GARDEN_PATH);
    const { tokens, cut } = await search(decoder, 1, 20);
    expect([tokens, cut]).toEqual([[10, 12], false]);
    expect(new Set(decoder.rows)).toEqual(new Set([1]));
  });

  it('finds a text that a more likely beginning hides', async () => {
    const { tokens, logProbabilities, attention } = await search(decoderOf(GARDEN_PATH), 4, 20);
    expect(tokens).toEqual([11, 15]);
    expect(logProbabilities.map(Math.exp).map((p) => Math.round(100 * p))).toEqual([40, 95, 100]);
    expect(attention.map(([first]) => first)).toEqual([0, 2]);
  });

  it('breaks off a loop, and a text that does not end', async () => {
    const loop: Model = {};
    let text = '';
    for (let i = 0; i < 30; i++) {
      loop[text] = { 7: 1 };
      text = `${text} 7`.trim();
    }
    for (const beam of [1, 4]) expect(await search(decoderOf(loop), beam, 60)).toMatchObject({ cut: true });
    const endless: Model = {};
    text = '';
    for (let i = 0; i < 30; i++) {
      endless[text] = { [20 + i]: 1 };
      text = `${text} ${20 + i}`.trim();
    }
    for (const beam of [1, 4]) {
      const { tokens, cut } = await search(decoderOf(endless), beam, 9);
      expect([tokens.length, cut]).toEqual([9, true]);
    }
  });

  it('gives an empty text where nothing is said', async () => {
    expect(await search(decoderOf({}), 4, 9)).toMatchObject({ tokens: [], cut: false });
  });

  it('adds a listed word that is not a candidate, and keeps the model’s own probability', async () => {
    const first: Record<number, number> = { 10: 1 };
    // Twenty others are more likely than 99, with which the list continues.
    const after = Object.fromEntries([...Array.from({ length: 20 }, (_, i) => [30 + i, 0.048]), [99, 0.04]]);
    const words: ListedWords = {
      start: { at: { next: new Map(), endsWord: false }, given: null },
      leastLogProbability: -9,
      continuations: ({ given }) => (given === null ? [] : [99]),
      step: (walk, token) =>
        token === 10
          ? { walk: { ...walk, given: 0 }, bonus: 0 }
          : { walk: { ...walk, given: null }, bonus: token === 99 ? 2 : 0 },
    };
    const { tokens, logProbabilities } = await search(decoderOf({ '': first, '10': after }), 4, 9, words);
    expect(tokens).toEqual([10, 99]);
    expect(Math.exp(logProbabilities[1]!)).toBeCloseTo(0.04, 5);
  });
});
