import { readdirSync } from 'node:fs';
import { principalAxes } from '../../containers/pipeline/diarization/principal-components.ts';
import { ENCODING_SIZE, SentenceEncoder } from '../../containers/pipeline/models/sentence-encoder.ts';
import { PROJECTION_PATH, projectEncoding } from '../../containers/pipeline/models/sentence-projection.ts';
import { decodeEncoding, ENCODING_DIMENSIONS, ENCODING_STEP } from '../../src/contract/encoding.ts';
import { abcd, casino, goEmotions, qmsum } from './dialogue-corpus.ts';
import { detokenise, OWN, own, sample } from './moments/corpus.ts';
import { packWeights } from './text-affect/pack-weights.ts';

/** Texts taken of each corpus, so that none outweighs the others, and how many of all are kept back for the report. */
const TEXTS_EACH = 7000;
const HELD_OUT = 2000;
const SEED = 11;
/** Moments' own test, which no training may see. */
const OWN_TEST = 'test.json';

/** All values under the key `text`, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'text' && typeof inner === 'string' ? [inner] : textsIn(inner),
  );
}

const corpora: Record<string, string[]> = {
  goemotions: goEmotions(),
  qmsum: qmsum('train').flatMap(({ turns }) => turns.map(detokenise)),
  casino: casino().flatMap(({ turns }) => turns),
  abcd: abcd().flatMap(({ turns }) => turns),
  own: readdirSync(OWN)
    .filter((name) => name.endsWith('.json') && name !== OWN_TEST)
    .flatMap((name) => textsIn(own(name))),
};
const chosen = Object.entries(corpora).flatMap(([name, texts]) => {
  const some = sample([...new Set(texts.filter((text) => /\w/.test(text)))], TEXTS_EACH, SEED);
  console.log(`${name}: ${some.length} texts`);
  return some;
});
const shuffled = sample(chosen, chosen.length, SEED);

const encoder = await SentenceEncoder.load();
const encodings = new Float32Array(shuffled.length * ENCODING_SIZE);
for (const [i, text] of shuffled.entries()) encodings.set(await encoder.encode(text), i * ENCODING_SIZE);
const heldOut = encodings.slice(0, HELD_OUT * ENCODING_SIZE);
const fitted = encodings.slice(HELD_OUT * ENCODING_SIZE);

const mean = new Float64Array(ENCODING_SIZE);
fitted.forEach((value, i) => {
  mean[i % ENCODING_SIZE]! += value / (fitted.length / ENCODING_SIZE);
});
const basis = principalAxes(fitted, ENCODING_SIZE, ENCODING_DIMENSIONS);
const axes = new Float32Array(ENCODING_SIZE * ENCODING_DIMENSIONS);
const along = new Float32Array(ENCODING_DIMENSIONS);
for (let component = 0; component < ENCODING_DIMENSIONS; component++) {
  for (let i = 0; i < ENCODING_SIZE; i++) {
    const weight = basis[component * ENCODING_SIZE + i]!;
    axes[i * ENCODING_DIMENSIONS + component] = weight;
    along[component]! += weight * mean[i]!;
  }
}
const bytes = packWeights(PROJECTION_PATH, [
  { name: 'axes', values: axes, columns: ENCODING_DIMENSIONS },
  { name: 'mean', values: along },
]);

/** What of the held-out texts is left after projection and rounding. */
let kept = 0;
let all = 0;
let clipped = 0;
const deviations = new Float64Array(ENCODING_DIMENSIONS);
for (let at = 0; at < heldOut.length; at += ENCODING_SIZE) {
  const encoding = heldOut.subarray(at, at + ENCODING_SIZE);
  const components = decodeEncoding(projectEncoding(encoding));
  all += encoding.reduce((sum, value, i) => sum + (value - mean[i]!) ** 2, 0);
  components.forEach((value, component) => {
    kept += value ** 2;
    deviations[component]! += value ** 2 / HELD_OUT;
    if (Math.abs(value) >= 127 * ENCODING_STEP) clipped++;
  });
}
const deviation = (component: number) => Math.sqrt(deviations[component]!).toFixed(4);
console.log(`${PROJECTION_PATH.split('/').at(-1)}: ${bytes} bytes`);
console.log(
  `held out: ${((100 * kept) / all).toFixed(1)} % of the variance kept, ${clipped} of ${HELD_OUT * ENCODING_DIMENSIONS} clipped`,
);
console.log(`deviation of the first component ${deviation(0)}, the last ${deviation(127)}, a step is ${ENCODING_STEP}`);
