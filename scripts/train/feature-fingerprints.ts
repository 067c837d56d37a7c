/**
 * Fingerprints of the features that weights were trained on. A card keeps that of its weights; `weights.test.ts` computes
 * it again. What is hashed is what training would see of the probes: a fixed list of dialogues in `feature-probes.json`
 * in which every cue is found. Where features hold log-odds of other weights, stand-ins take their place.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversationWeights, weightsBytes } from '../../containers/pipeline/conversation-weights.ts';
import { POOLING_PATH } from '../../containers/pipeline/models/moment-pooling.ts';
import { type ActWeights, CONTEXT_MODELS, TRAINED_HEADS } from '../../src/conversation/acts/act-model.ts';
import { readSurfaces } from '../../src/conversation/acts/dialogue-acts.ts';
import { BUCKETS, featureBuckets } from '../../src/conversation/acts/ngrams.ts';
import { ENCODING_DIMENSIONS, ENCODING_STEP } from '../../src/conversation/encoding.ts';
import { STOP_WORDS } from '../../src/conversation/lexicon/en/stop-words.ts';
import { TURN_OUTPUTS } from '../../src/conversation/moments/turn-reader.ts';
import { CHAT_NEARBY, MEETING_NEARBY } from '../../src/conversation/topics/boundaries.ts';
import { boundaryFeatures, boundaryWords } from '../../src/conversation/topics/boundary-features.ts';
import type { WeightsName } from '../../src/conversation/weights.ts';
import { isContentWord, stem, words } from '../../src/conversation/words/tokens.ts';
import { readTurns } from '../../src/conversation/words/turns.ts';
import { DIMENSIONS } from '../../src/conversation/words/word-vectors.ts';
import { contextRows } from './moments/context-rows.ts';
import type { Dialogue, UnseenReadings } from './moments/corpus.ts';
import { flagsOf } from './moments/turn-flags.ts';

/** Digits of an id or a fingerprint: 48 bits. */
export const DIGITS = 12;
/** Numbers are compared to this many digits: the last one of a logarithm is the machine's. */
const DECIMALS = 4;

export const digest = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, DIGITS);

export const PROBES = JSON.parse(readFileSync(join(import.meta.dirname, 'feature-probes.json'), 'utf8')) as Dialogue[];

const idOf = (name: WeightsName): string => digest(weightsBytes(name));

/** What the weights of this name index, in their order. */
const FEATURES: Record<WeightsName, () => unknown> = {
  'word-vectors': () => [
    DIMENSIONS,
    [...new Set(STOP_WORDS.split(' '))],
    PROBES.map(({ turns }) => turns.map(({ text }) => stemsOf(text))),
  ],
  // A share for each stem of the vectors.
  'noun-shares': () => [idOf('word-vectors'), FEATURES['word-vectors']()],
  segmentation: () => {
    const { vectors } = conversationWeights();
    return [
      idOf('word-vectors'),
      PROBES.map((probe) => {
        const turns = readTurns(probe.turns, vectors);
        return [boundaryFeatures(turns), boundaryWords(turns, CHAT_NEARBY), boundaryWords(turns, MEETING_NEARBY)];
      }),
    ];
  },
  moments: () => [
    TRAINED_HEADS,
    CONTEXT_MODELS,
    TURN_OUTPUTS,
    [BUCKETS, ENCODING_DIMENSIONS, ENCODING_STEP],
    // What makes the encodings.
    digest(readFileSync(POOLING_PATH)),
    PROBES.map((probe) => [
      probe.turns.map(({ text }) =>
        readSurfaces(text).map((s) => [featureBuckets(s.sentence, s.cues).sort(), s.cueLogits]),
      ),
      contextRows([probe], CUES_ALONE),
      contextRows([probe], CUES_ALONE, {
        [probe.id]: { at_once: readingOf(probe, 1), in_hindsight: readingOf(probe, 2) },
      }),
      flagsOf(probe),
    ]),
  ],
};

const stemsOf = (text: string): string[] => words(text).filter(isContentWord).map(stem);

/** Heads that say what the cues say. */
const CUES_ALONE: ActWeights = {
  heads: Object.fromEntries(TRAINED_HEADS.map((head) => [head, { bias: 0, cues: 1, step: 0 }])) as ActWeights['heads'],
  table: { step: 1, values: new Int8Array(BUCKETS * TRAINED_HEADS.length) },
};

/** Some reading of a dialogue, other for each turn and pair. */
function readingOf({ turns }: Dialogue, seed: number): UnseenReadings[string]['at_once'] {
  const some = (n: number): number => ((n * 37 + seed * 11) % 19) / 3 - 3;
  const pairs = turns.flatMap((_, at) =>
    turns.slice(0, at).map((_, earlier) => [`${at} ${earlier}`, [some(at + earlier), some(at * earlier)]]),
  );
  return {
    turns: turns.map((_, at) => TURN_OUTPUTS.map((_, k) => some(at + 5 * k))),
    pairs: Object.fromEntries(pairs),
  };
}

/** @returns a short hash of all that the weights of this name were trained to find in a text */
export function fingerprintOf(name: WeightsName): string {
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number'
      ? Number(value.toFixed(DECIMALS))
      : ArrayBuffer.isView(value)
        ? Array.from(value as Float32Array)
        : value;
  return digest(JSON.stringify(FEATURES[name](), rounded));
}
