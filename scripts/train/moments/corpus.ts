import { join } from 'node:path';
import { FOLDS, type MarkedDialogue, readDialogues } from '../../../support/own-data.ts';

/** A dialogue of the training set. */
export interface FittedDialogue extends MarkedDialogue {
  /** Null if the dialogue is fitted to in every fold. */
  fold: number | null;
  /** Whether its speakers knew nothing of this project. */
  real: boolean;
}

/** Folder in which each step of the training leaves the input of the next. */
export const BUILD = join(import.meta.dirname, '../../../build/moments');

/** The id that all excerpts of one conversation share: `qmsum-train-28-376` belongs to the meeting `qmsum-train-28`. */
const conversationOf = (id: string): string => id.replace(/^(qmsum-\w+-\d+)-\d+$/, '$1');

/** The fold of a real dialogue: the same for all excerpts of one conversation. */
export function foldOf(id: string): number {
  let sum = 0;
  for (const unit of conversationOf(id)) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % FOLDS;
}

/**
 * The whole training set of moments. Real dialogues keep their folds, which score the training; written ones are fitted
 * to in every fold.
 */
export const fittedDialogues = (): FittedDialogue[] =>
  readDialogues('fit').map(({ id, source, fold, turns }) => {
    const real = source !== 'undertone';
    return { id, turns, fold: real ? fold : null, real };
  });
