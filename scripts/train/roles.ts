/**
 * The classifier that reads the roles of two speakers from their words: multinomial logistic regression over hashed
 * words and pairs of words. Each dialogue is read as a whole, and its first turns alone.
 *
 *   node scripts/train/roles.ts      writes src/conversation/weights/roles.bin
 *
 * MultiWOZ val (MIT), DSTC10 spoken (Apache-2.0), MTS-Dialog and ACI-Bench (CC BY 4.0), Persuasion for Good (Apache-2.0),
 * CaSiNo train (CC BY 4.0), QMSum train (MIT). SGD, ABCD, OSCE and PriMock are kept for the bench.
 */
import { ROLE_BUCKETS, ROLE_CLASSES, roleFeatures } from '../../src/conversation/people/roles.ts';
import { otherDialogues, type RoleDialogue, roleDialogues } from './role-corpus.ts';
import { writeWeights } from './write-weights.ts';

const CLASSES = ROLE_CLASSES.length;
const EPOCHS = 30;
const RATE = 2;
const L2 = 2e-6;
/** Numbers of turns of which the beginning of a dialogue is read. */
const BEGINNINGS = [8, 20, Number.POSITIVE_INFINITY];

interface Example {
  features: [number, number][];
  label: number;
  weight: number;
}

const sets: RoleDialogue[][] = [
  roleDialogues('multiwoz-val-test', ({ split }) => split === 'val'),
  roleDialogues('dstc10-spoken'),
  roleDialogues('mts-dialog'),
  roleDialogues('aci-bench'),
  roleDialogues('persuasion-for-good'),
  otherDialogues('train'),
];

const examples = sets.flatMap((dialogues) =>
  dialogues.flatMap(({ turns, roles }) =>
    BEGINNINGS.filter((most) => most === Number.POSITIVE_INFINITY || turns.length > most).flatMap((most) =>
      Object.entries(roles).map(([speaker, role]): Example => {
        const said = turns.slice(0, most).flatMap((turn) => (turn.speaker === speaker ? [turn.text] : []));
        return { features: [...roleFeatures(said)], label: ROLE_CLASSES.indexOf(role ?? 'other'), weight: 1 };
      }),
    ),
  ),
);
const counts = new Float64Array(CLASSES);
for (const { label } of examples) counts[label]!++;
for (const example of examples) example.weight = examples.length / CLASSES / counts[example.label]!;
console.error(`${examples.length} examples: ${ROLE_CLASSES.map((name, c) => `${name} ${counts[c]}`).join(', ')}`);

const weights = new Float64Array(ROLE_BUCKETS * CLASSES);
const bias = new Float64Array(CLASSES);
let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return seed / 0x80000000;
};
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  for (let i = examples.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [examples[i], examples[j]] = [examples[j]!, examples[i]!];
  }
  const rate = RATE * (1 - epoch / EPOCHS);
  let loss = 0;
  for (const { features, label, weight } of examples) {
    const sums = Float64Array.from(bias);
    for (const [bucket, value] of features)
      for (let c = 0; c < CLASSES; c++) sums[c]! += value * weights[bucket * CLASSES + c]!;
    const most = Math.max(...sums);
    const odds = sums.map((sum) => Math.exp(sum - most));
    const total = odds.reduce((sum, one) => sum + one, 0);
    loss -= weight * Math.log(odds[label]! / total);
    const step = rate * Math.min(weight, 4);
    for (let c = 0; c < CLASSES; c++) {
      const error = odds[c]! / total - (c === label ? 1 : 0);
      bias[c]! -= 0.1 * step * error;
      for (const [bucket, value] of features) {
        const at = bucket * CLASSES + c;
        weights[at]! -= step * (error * value + L2 * weights[at]!);
      }
    }
  }
  if (epoch % 5 === 4) console.error(`epoch ${epoch + 1}: loss ${(loss / examples.length).toFixed(4)}`);
}

const largest = weights.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
const step = largest / 127;
writeWeights(
  'roles',
  {
    bias: Float32Array.from(bias),
    weights: { step, values: Int8Array.from(weights, (value) => Math.round(value / step)) },
  },
  {
    trained_on: [
      'MultiWOZ 2.1 val (MIT)',
      'DSTC10 track 2 spoken, validation (Apache-2.0)',
      'MTS-Dialog (CC BY 4.0)',
      'ACI-Bench (CC BY 4.0)',
      'Persuasion for Good (Apache-2.0)',
      'CaSiNo train (CC BY 4.0)',
      'QMSum train (MIT)',
    ],
    made_by: 'scripts/train/roles.ts',
  },
);
