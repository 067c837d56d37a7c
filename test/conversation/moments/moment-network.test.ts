import { expect, test } from 'vitest';
import { ENCODING_DIMENSIONS } from '../../../src/conversation/encoding.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { MomentNetwork, type MomentWeights, OUTPUTS } from '../../../src/conversation/moments/moment-network.ts';
import { OWN_FACTS, turnFeatures, WINDOW_FACTS, windowFacts } from '../../../src/conversation/moments/turn-features.ts';
import { BUCKETS, wordRuns } from '../../../src/conversation/moments/word-runs.ts';

const ENGLISH = languageOf('en');

const turn = (text: string, index: number, encoding?: Float32Array, speaker = 'A') =>
  turnFeatures(
    { utterance_id: `${index}`, speaker, t_start: index, t_end: index, text },
    { index, speakers: 1, encoding },
    ENGLISH,
  );
const along = (axis: number): Float32Array => new Float32Array(ENCODING_DIMENSIONS).fill(1, axis, axis + 1);

/** A network of one state and one hidden unit in which only the given weights are not zero. */
function weights(set: (w: MomentWeights) => void): MomentWeights {
  const matrix = (inputs: number, units: number) => ({ step: 1, values: new Int8Array(inputs * units) });
  const layer = (inputs: number, units: number) => ({ weight: matrix(inputs, units), bias: new Float32Array(units) });
  const made: MomentWeights = {
    runs: matrix(BUCKETS, 1),
    turn: layer(ENCODING_DIMENSIONS + OWN_FACTS, 1),
    window: layer(4 + WINDOW_FACTS, 1),
    output: layer(2, OUTPUTS.length),
    thresholds: { cta_offered: 0.5, cta_accepted: 0.5, cta_rejected: 0.5, objection: 0.5, topic_shift: 0.5 },
  };
  set(made);
  return made;
}
const NONE = { before: undefined, earlier: undefined, next: undefined };

test('a state sums the encoding, the facts and the word runs, each run by its share', () => {
  const text = 'shall we?';
  const runs = wordRuns(text);
  const network = new MomentNetwork(
    weights((w) => {
      w.turn.weight.values[3] = 2;
      // Whether it asks.
      w.turn.weight.values[ENCODING_DIMENSIONS + 1] = 5;
      // The runs of `shall`, since a text's first words occur in other texts, too.
      w.runs.values[runs[3]!] = 12;
      // The state itself is the first output.
      w.output.weight.values[OUTPUTS.length] = 1;
    }),
  );
  const read = (said: string, encoding?: Float32Array) =>
    network.read({ turn: turn(said, 0, encoding), ...NONE }).cta_offered;
  expect(read(text, along(3))).toBeCloseTo(2 + 5 + 12 / Math.sqrt(runs.length), 5);
  expect(read(text)).toBeCloseTo(5 + 12 / Math.sqrt(runs.length), 5);
  expect(read('the cat')).toBe(0);
  const part = network.readPart({ turn: turn(text, 0), ...NONE }, wordRuns('the cat'));
  expect(part.cta_offered).toBe(5);
});

test('each neighbour counts by its position, and negative sums count nothing', () => {
  const near = (place: number, count = 3) =>
    new MomentNetwork(
      weights((w) => {
        w.turn.weight.values[0] = 1;
        w.window.weight.values[place] = count;
        w.output.weight.values[0] = 1;
      }),
    );
  const turns = {
    turn: turn('a', 2),
    before: turn('b', 1, along(0)),
    earlier: turn('c', 0, along(0)),
    next: turn('d', 3),
  };
  expect([0, 1, 2, 3].map((place) => near(place).read(turns).cta_offered)).toEqual([0, 3, 3, 0]);
  expect(near(1).read({ ...turns, before: undefined }).cta_offered).toBe(0);
  expect(near(1, -3).read(turns).cta_offered).toBe(0);
});

test('the facts of a window are its speakers, its position and the similarity of its turns', () => {
  const [a, b] = [along(0), along(1)];
  const facts = windowFacts({
    turn: turn('x', 5, a),
    before: turn('y', 4, b, 'B'),
    earlier: turn('z', 3, a),
    next: undefined,
  });
  expect(facts).toHaveLength(WINDOW_FACTS);
  expect(facts.slice(0, 9)).toEqual([0, 1, 0, 1, 0.5, 0, 0, 1, 0]);
  expect(turn('Is it 4?', 0, a).facts).toHaveLength(OWN_FACTS);
  expect(turn('Is it 4?', 0, a).facts).toEqual([3 / 20, 1, 1, 1, 1]);
});

test('word runs ignore case and kinds of apostrophes, and stop at the limit of words read', () => {
  expect(wordRuns('Don’t GO!')).toEqual(wordRuns("don't go!"));
  expect(wordRuns('a b').length).toBe(3 + 3 + 2 + 1);
  const long = Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' ');
  expect(wordRuns(long).length).toBeLessThanOrEqual(3 * 62);
  expect(Math.max(...wordRuns(long))).toBeLessThan(BUCKETS);
});
