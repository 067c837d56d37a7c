/**
 * Fits the weights of the dialogue acts, answers and topic shifts: `node scripts/train/moments.ts`.
 *
 * Data: the project's own dialogues (tuning half), exchanges and single lines, and, free to use, CaSiNo (CC BY 4.0: the
 * last turn before a deal agrees), QMSum (MIT: where a topic opens) and ABCD (MIT), the latter two as a background of
 * sentences that for the most part offer, answer and object nothing. Writes src/conversation/generated/moment-weights.ts.
 * `node bench/moments-validation.ts` cross-validates the same fit, whole detector, dialogue by dialogue.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownData } from './moments/corpus.ts';
import { fitMoments } from './moments/fit.ts';

const OUT = join(import.meta.dirname, '../../src/conversation/generated/moment-weights.ts');

const { weights } = fitMoments(ownData());

writeFileSync(
  OUT,
  `// Written by scripts/train/moments.ts. Trained on the project's own lines and dialogues, CaSiNo (CC BY 4.0), QMSum (MIT) and ABCD (MIT).
import type { MomentWeights } from '../dialogue-acts/act-model.ts';

export const MOMENT_WEIGHTS: MomentWeights = ${JSON.stringify(weights, null, 2)};
`,
);

const { table: _, ...small } = weights;
console.log(JSON.stringify(small, null, 1));
