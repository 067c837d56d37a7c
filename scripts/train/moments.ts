/**
 * Packs the network that `moments/fit.py` fitted: the last step of `npm run train -- moments`.
 *
 * The network is fitted to data/moments/fit.jsonl: real dialogues whose moments were marked by readers (CaSiNo,
 * QMSum, ABCD, OSCE interviews, PriMock57, ACI-Bench, MultiWOZ, DSTC10, Persuasion for Good), and dialogues written for
 * the project. Held-out and scored dialogues are never used. Writes
 * src/conversation/weights/moments.bin, quantised to integer steps of one byte.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MomentWeights } from '../../src/conversation/moments/moment-network.ts';
import type { PackedMatrix } from '../../src/conversation/packed-weights.ts';
import { BUILD } from './moments/corpus.ts';
import { writeWeights } from './write-weights.ts';

interface Fitted {
  /** Lengths of the arrays in network.bin, in order. */
  lengths: Record<string, number>;
  thresholds: MomentWeights['thresholds'];
}

const { lengths, thresholds } = JSON.parse(readFileSync(join(BUILD, 'network.json'), 'utf8')) as Fitted;
const file = new Uint8Array(readFileSync(join(BUILD, 'network.bin')));
const arrays = new Map<string, Float32Array>();
let at = 0;
for (const [name, length] of Object.entries(lengths)) {
  arrays.set(name, new Float32Array(file.buffer, at, length));
  at += 4 * length;
}

/** Quantises an array so that its largest number is 127 steps. */
function inSteps(name: string): PackedMatrix {
  const values = arrays.get(name)!;
  const step = values.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9) / 127;
  return { step: Number(step.toPrecision(6)), values: Int8Array.from(values, (value) => Math.round(value / step)) };
}
const layer = (name: string): MomentWeights['turn'] => ({
  weight: inSteps(`${name}.weight`),
  bias: Float32Array.from(arrays.get(`${name}.bias`)!),
});

const weights: MomentWeights = {
  runs: inSteps('runs'),
  turn: layer('turn'),
  window: layer('window'),
  output: layer('output'),
  thresholds,
};
writeWeights('moments', weights, {
  trained_on: [
    'data/moments/fit.jsonl: CaSiNo (CC BY 4.0), QMSum (MIT), ABCD (MIT), OSCE interviews (CC BY 4.0), PriMock57 (CC BY 4.0), ACI-Bench (CC BY 4.0), MultiWOZ (MIT), DSTC10 spoken (Apache-2.0), Persuasion for Good (Apache-2.0), dialogues written for the project',
  ],
  made_by: 'scripts/train/moments.ts',
});
