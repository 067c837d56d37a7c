import { expect, test } from 'vitest';
import { seeded } from '../../../scripts/train/random.ts';
import type { LayerWeights, ReaderWeights } from '../../../src/conversation/acts/act-model.ts';
import { type HeardTurn, SILENT } from '../../../src/conversation/moments/heard-turns.ts';
import { Networks } from '../../../src/conversation/moments/networks.ts';
import type { PackedMatrix } from '../../../src/conversation/packed-weights.ts';
import { talk } from '../lines.ts';

/** Numbers that one of these small readers has of a turn, and vectors that its two networks see. */
const WIDTH = 4;
const TURN_VECTORS = 4;
const PAIR_VECTORS = 9;

/** A reader with weights of its own; one that does not attend sees nothing of other turns than those it is given. */
function readerOf(seed: number, attends = true): ReaderWeights {
  const random = seeded(seed);
  const matrix = (size: number): PackedMatrix => ({
    step: 0.01,
    values: Int8Array.from({ length: size }, () => Math.round(random() * 100 - 50)),
  });
  const layer = (inputs: number, outputs: number): LayerWeights => ({
    weight: matrix(inputs * outputs),
    bias: Float32Array.from({ length: outputs }, random),
  });
  const nothing: LayerWeights = {
    weight: { step: 0, values: new Int8Array(WIDTH ** 2) },
    bias: new Float32Array(WIDTH),
  };
  const network = (inputs: number, outputs: number) => ({ hidden: layer(inputs, 3), output: layer(3, outputs) });
  return {
    turns: network(TURN_VECTORS * WIDTH + 6, 5),
    turnsAgain: network((TURN_VECTORS + 1) * WIDTH + 9, 5),
    pairs: network(PAIR_VECTORS * WIDTH + 6, 2),
    pairsAgain: network((PAIR_VECTORS + 1) * WIDTH + 9, 2),
    context: {
      query: layer(WIDTH, WIDTH),
      key: layer(WIDTH, WIDTH),
      value: attends ? layer(WIDTH, WIDTH) : nothing,
      keyPlaces: matrix(16 * WIDTH),
      valuePlaces: attends ? matrix(16 * WIDTH) : { step: 0, values: new Int8Array(16 * WIDTH) },
    },
  };
}

const UTTERANCES = talk(`
  A: Monday then?
  B: Could be.
  A: Or Tuesday.
  B: Tuesday, yes.
  A: Good.`);

/** Turns, latest first, with numbers for one reader or for one after the other. */
const heard = (...seeds: number[]): HeardTurn[] =>
  UTTERANCES.map((utterance, index) => {
    const encoding = seeds.flatMap((seed) => Array.from({ length: WIDTH }, (_, k) => Math.sin(seed + index * 7 + k)));
    return { index, utterance, encoding: Float32Array.from(encoding), words: 2, speakers: 2 };
  }).reverse();

test('several readers read each with its share of the encodings, and their log-odds are averaged', () => {
  const both = new Networks([readerOf(1), readerOf(2)]);
  const alone = [new Networks([readerOf(1)]), new Networks([readerOf(2)])];
  const read = (networks: Networks, [next, ...turns]: HeardTurn[]) => [
    ...networks.turn(turns),
    ...networks.turn(turns, { next }),
    ...networks.pair(turns, 3),
    ...networks.pair(turns, 1, { next }),
  ];
  const [a, b] = alone.map((networks, which) => read(networks, heard(which + 1))) as [number[], number[]];
  read(both, heard(1, 2)).forEach((logit, k) => {
    expect(logit).toBeCloseTo((a[k]! + b[k]!) / 2, 5);
  });
  expect(a[0]).not.toBeCloseTo(b[0]!, 2);
});

test('an answer is read with what was said around and between it and the offer', () => {
  const networks = new Networks([readerOf(1, false)]);
  const pair = (changed: number | undefined, back: number) =>
    networks.pair(
      heard(1).map((turn) => (turn.index === changed ? { ...turn, encoding: turn.encoding.map((x) => x / 2) } : turn)),
      back,
    );
  // Of five turns the last answers the second: the one before that and the two between are seen as well.
  for (const seen of [0, 1, 2, 3, 4]) expect(pair(seen, 3)).not.toEqual(pair(undefined, 3));
  // It answers the fourth: the third is seen, and nothing before.
  for (const unseen of [0, 1]) expect(pair(unseen, 1)).toEqual(pair(undefined, 1));
  expect(pair(2, 1)).not.toEqual(pair(undefined, 1));
});

test('a turn without an encoding attends to nothing, whatever came before it', () => {
  const networks = new Networks([readerOf(1)]);
  const pair = (first: number) => {
    const turns = heard(1).map((turn) => (turn.index === 2 ? { ...turn, encoding: SILENT } : turn));
    turns[4] = { ...turns[4]!, encoding: turns[4]!.encoding.map((x) => x * first) };
    // What the answer itself attends to is made without the first turn.
    networks.turn(turns.slice(0, 4));
    return networks.pair(turns, 2);
  };
  expect(pair(1)).toEqual(pair(0.5));
});
