/**
 * Fingerprints of the features that weights were trained on. A card stores the fingerprint of its weights, and
 * `weights.test.ts` recomputes it. The hash covers what training would extract from the probes, a fixed list of
 * dialogues in `feature-probes.json` in which every cue occurs.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversationWeights, weightsBytes } from '../../containers/pipeline/conversation-weights.ts';
import { ENCODING_DIMENSIONS } from '../../src/conversation/encoding.ts';
import { languageOf } from '../../src/conversation/languages.ts';
import { OUTPUTS } from '../../src/conversation/moments/moment-network.ts';
import { BUCKETS } from '../../src/conversation/moments/word-runs.ts';
import { roleFeatures } from '../../src/conversation/people/roles.ts';
import { askedIn, LIST_BUCKETS, listBuckets, taggerFeatures } from '../../src/conversation/redaction/name-tagger.ts';
import { piecesOf } from '../../src/conversation/redaction/pieces.ts';
import { isContentWord, words } from '../../src/conversation/text/tokens.ts';
import { readTurns } from '../../src/conversation/text/turns.ts';
import { DIMENSIONS } from '../../src/conversation/text/word-vectors.ts';
import { CHAT_NEARBY, MEETING_NEARBY } from '../../src/conversation/topics/boundaries.ts';
import { boundaryFeatures, boundaryWords } from '../../src/conversation/topics/boundary-features.ts';
import type { WeightsName } from '../../src/conversation/weights.ts';
import type { MarkedDialogue } from '../../support/own-data.ts';
import { turnInputs } from './moments/turn-inputs.ts';

const ENGLISH = languageOf('en');

/** Number of digits in an id or a fingerprint: 48 bits. */
export const DIGITS = 12;
/** Number of decimals to which numbers are compared, because the last digit of a logarithm depends on the machine. */
const DECIMALS = 4;

export const digest = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, DIGITS);

export const PROBES = JSON.parse(
  readFileSync(join(import.meta.dirname, 'feature-probes.json'), 'utf8'),
) as MarkedDialogue[];

const idOf = (name: WeightsName): string => digest(weightsBytes(name));

/** The features of each weights file, as training extracts them from the probes. */
const FEATURES: Record<WeightsName, () => unknown> = {
  'word-vectors': () => [
    DIMENSIONS,
    [...ENGLISH.words.stopWords],
    PROBES.map(({ turns }) => turns.map(({ text }) => stemsOf(text))),
  ],
  // One share for each stem of the vectors.
  roles: () => [...roleFeatures(PROBES.flatMap(({ turns }) => turns.map(({ text }) => text)))],
  'noun-shares': () => [idOf('word-vectors'), FEATURES['word-vectors']()],
  segmentation: () => {
    const { vectors } = conversationWeights();
    return [
      idOf('word-vectors'),
      PROBES.map((probe) => {
        const turns = readTurns(probe.turns, vectors, ENGLISH);
        return [boundaryFeatures(turns), boundaryWords(turns, CHAT_NEARBY), boundaryWords(turns, MEETING_NEARBY)];
      }),
    ];
  },
  'name-tagger': () => {
    const lists = new Int8Array(LIST_BUCKETS);
    return PROBES.map(({ turns }) =>
      turns.map(({ text }, i) => {
        const pieces = piecesOf(text.split(' ').map((word) => ({ text: word, utterance: 0 })));
        const asked = askedIn(turns.slice(Math.max(0, i - 2), i).map((turn) => turn.text.split(' ')));
        return taggerFeatures(pieces, asked, lists).map((row, k) => [
          row.reduce((hash, feature) => (Math.imul(hash, 31) + feature) | 0, 0),
          ...listBuckets(pieces[k]!.lower),
        ]);
      }),
    );
  },
  moments: () => [
    OUTPUTS,
    BUCKETS,
    ENCODING_DIMENSIONS,
    PROBES.map(({ turns }) => turnInputs(turns, encodingsOf(turns))),
  ],
  'moments-without-encodings': () => FEATURES.moments(),
};

const stemsOf = (text: string): string[] =>
  words(text)
    .filter((word) => isContentWord(word, ENGLISH))
    .map(ENGLISH.words.stem);

/** Arbitrary encodings that differ for each text. */
const encodingsOf = (turns: readonly { text: string }[]): Map<string, Float32Array> =>
  new Map(
    turns.map(({ text }, i) => [
      text,
      Float32Array.from({ length: ENCODING_DIMENSIONS }, (_, k) => ((i * 37 + k * 11) % 19) / 190),
    ]),
  );

/** @returns a short hash of everything that the weights of this name were trained to find in a text */
export function fingerprintOf(name: WeightsName): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number'
      ? Number(value.toFixed(DECIMALS))
      : ArrayBuffer.isView(value)
        ? Array.from(value as Float32Array)
        : value;
  return digest(JSON.stringify(FEATURES[name](), rounded));
}
