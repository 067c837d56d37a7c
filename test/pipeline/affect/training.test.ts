import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { weighCues } from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import { runNetwork } from '../../../containers/pipeline/affect/text/network.ts';
import { packTree, packWeights } from '../../../scripts/train/pack-weights.ts';
import { csvRows } from '../../../scripts/train/text-affect/corpora.ts';
import { fitLinear, matrixOf, momentsOf, rarityOf, squaredLoss } from '../../../scripts/train/text-affect/linear.ts';
import { trainNetwork } from '../../../scripts/train/text-affect/network-training.ts';
import { fitSentiment } from '../../../scripts/train/text-affect/sentiment.ts';
import { bareSpeech, punctuatedSpeech, spelled } from '../../../scripts/train/text-affect/speech-like.ts';
import { unpackWeights, weightsTree } from '../../../src/conversation/packed-weights.ts';
import { seeded } from '../../../support/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'weights-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('speech-like text', () => {
  it.each([
    ['7', 'seven'],
    ['30', 'thirty'],
    ['42', 'forty two'],
    ['105', 'one hundred five'],
    ['12000', 'twelve thousand'],
    ['007', 'zero zero seven'],
  ])('spells %s as %s', (digits, words) => expect(spelled(digits)).toBe(words));

  it('keeps words and apostrophes alone', () => {
    expect(bareSpeech("It's 1,250% OK? Yes! [NAME]")).toBe("it's one thousand two hundred fifty percent ok yes name");
  });

  it('keeps the marks a recogniser writes', () => {
    expect(punctuatedSpeech('Wait, what?! I know. Yes!')).toBe('wait, what? i know. yes.');
  });
});

describe('training', () => {
  it('teaches the network to distinguish two kinds of text, deterministically', () => {
    const one = Float32Array.of(1, 0);
    const two = Float32Array.of(0, 1);
    const examples = Array.from({ length: 64 }, (_, i) => ({
      forms: [i % 2 === 0 ? `good number ${i}` : `bad number ${i}`],
      classes: i % 2 === 0 ? one : two,
    }));
    const train = () => trainNetwork(examples, 2, { epochs: 12, seed: 3, rate: 0.003, written: 1 }, () => {});
    const weights = train();
    const [good, bad] = ['good thing', 'bad thing'].map((text) => runNetwork(weights, text).scores);
    expect(good![0]!).toBeGreaterThan(good![1]!);
    expect(bad![1]!).toBeGreaterThan(bad![0]!);
    expect(train().out).toEqual(weights.out);
  });

  it('fits n-grams by least squares', () => {
    const texts = ['red apple', 'green apple', 'red car', 'green car'];
    const rarity = rarityOf(texts);
    const matrix = matrixOf(texts, rarity);
    const weights = fitLinear(matrix, 1, squaredLoss(Float32Array.of(1, -1, 1, -1), 1), [0.01], 50);
    const score = (row: number) => {
      let sum = weights.at(-1)!;
      for (let i = matrix.starts[row]!; i < matrix.starts[row + 1]!; i++)
        sum += matrix.values[i]! * weights[matrix.columns[i]!]!;
      return sum;
    };
    [1, -1, 1, -1].forEach((target, row) => {
      expect(score(row)).toBeCloseTo(target, 1);
    });
  });

  it('shrinks each output by its own penalty', () => {
    const texts = ['red', 'green'];
    const matrix = matrixOf(texts, rarityOf(texts));
    const weights = fitLinear(matrix, 2, squaredLoss(Float32Array.of(1, 1, -1, -1), 2), [0.1, 10], 50);
    const length = (output: number) =>
      weights.slice(0, -2).reduce((sum, w, i) => (i % 2 === output ? sum + w * w : sum), 0);
    expect(length(1)).toBeLessThan(length(0) / 4);
  });

  it('finds the contribution of a dense cue beside the n-grams', () => {
    const random = seeded(1);
    const cues = Array.from({ length: 200 }, () => [2 * random() - 1, 2 * random() - 1]);
    const texts = cues.map(() => 'same words');
    const targets = Float32Array.from(cues, ([a, b]) => 3 * a! - 2 * b!);
    const weights = fitLinear(matrixOf(texts, rarityOf(texts), cues), 1, squaredLoss(targets, 1), [0.01], 80);
    expect(weights.at(-3)!).toBeCloseTo(3, 1);
    expect(weights.at(-2)!).toBeCloseTo(-2, 1);
  });

  it('measures columns by mean and deviation, a constant one by 1', () => {
    expect(
      momentsOf([
        [1, 5],
        [3, 5],
      ]),
    ).toEqual({ means: [2, 5], scales: [1, 1] });
  });
});

describe('sentiment of encodings', () => {
  it('is learned from shares, and a text with smaller shares counts less', () => {
    const random = seeded(2);
    const cues = Array.from({ length: 300 }, () => [random() - 0.5, random() - 0.5]);
    const shares = cues.map(([a, b]) => (b! > 0.2 ? [0, 1, 0] : a! < 0 ? [1, 0, 0] : [0, 0, 1]));
    const faint = cues.map(() => [0.001, 0, 0]);
    const { cues: weights, bias } = fitSentiment([...cues, ...cues], [...shares, ...faint]);
    const right = cues.filter((row, i) => {
      const scores = weighCues(row, weights, bias);
      return scores.indexOf(Math.max(...scores)) === shares[i]!.indexOf(1);
    });
    expect(right.length).toBeGreaterThan(240);
  });
});

describe('a weights file', () => {
  const path = join(folder, 'some.bin');
  it('gives back bytes within half a step and floats exactly', () => {
    const random = seeded(5);
    const table = Float32Array.from({ length: 30 }, () => random() - 0.5);
    const bias = Float32Array.of(0.1, -7);
    packWeights(path, [
      { name: 'table', values: table, columns: 3 },
      { name: 'bias', values: bias },
    ]);
    const read = unpackWeights(readFileSync(path));
    expect(read.bias).toEqual(bias);
    read.table!.forEach((value, i) => {
      expect(Math.abs(value - table[i]!)).toBeLessThan(0.5 / 127);
    });
  });

  it('gives back a tree of matrices, floats and other values unchanged', () => {
    const tree = {
      note: 'caf\u00e9',
      threshold: 0.34,
      layers: [
        { weight: { step: 0.04763174581635986, values: Int8Array.of(-128, 0, 127) }, bias: Float32Array.of(0.1) },
        { weight: { step: 1, values: new Int8Array(0) }, bias: new Float32Array(0) },
      ],
    };
    const file = packTree(tree);
    expect(weightsTree(file)).toEqual(tree);
    // A file need not begin where its memory does.
    expect(weightsTree(Buffer.concat([Buffer.alloc(1), file]).subarray(1))).toEqual(tree);
    expect(() => weightsTree(file.subarray(0, -4))).toThrow('cut short in "layers.0.bias"');
    expect(() => weightsTree(file.subarray(0, 40))).toThrow('cut short in its list');
  });

  it('is refused when truncated', () => {
    packWeights(path, [{ name: 'bias', values: new Float32Array(50) }]);
    const cut = join(folder, 'cut.bin');
    const header = Buffer.from(JSON.stringify([{ name: 'bias', length: 50 }]));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(header.length, 0);
    writeFileSync(cut, Buffer.concat([head, header, Buffer.alloc(8)]));
    expect(() => unpackWeights(readFileSync(cut))).toThrow('cut short');
    expect(unpackWeights(readFileSync(path)).bias).toHaveLength(50);
  });
});

describe('a table of comma-separated values', () => {
  it('may hold commas, quotes and line ends in quoted cells', () => {
    expect(csvRows('a,b\r\n1,"x, ""y""\nz"\r\n2,w\r\n')).toEqual([
      { a: '1', b: 'x, "y"\nz' },
      { a: '2', b: 'w' },
    ]);
  });
});
