import { join } from 'node:path';
import { FOLDS, type MarkedDialogue, readDialogues } from '../../../support/own-data.ts';

/** A dialogue of the training set. */
export interface FittedDialogue extends MarkedDialogue {
  /** Null if the dialogue is used for fitting in every fold. */
  fold: number | null;
  /** Whether its speakers knew nothing of this project. */
  real: boolean;
}

/** Folder in which each training step leaves the input of the next. */
export const BUILD = join(import.meta.dirname, '../../../build/moments');

/** Id shared by all excerpts of one conversation. `qmsum-train-28-376` belongs to the meeting `qmsum-train-28`. */
const conversationOf = (id: string): string => id.replace(/^(qmsum-\w+-\d+)-\d+$/, '$1');

/** The fold of a real dialogue, which is the same for all excerpts of one conversation. */
export function foldOf(id: string): number {
  let sum = 0;
  for (const unit of conversationOf(id)) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % FOLDS;
}

/**
 * One in this many written dialogues is used, spread evenly over the file and therefore over the writers. With 450 or
 * more real dialogues, four times as many written ones made the network no better on real conversations.
 */
const WRITTEN_STEP = 6;

/**
 * The training set for moments. Real dialogues are divided into folds, which score the training. Written ones are used
 * for fitting in every fold, and exchanges are not used.
 */
export const fittedDialogues = (): FittedDialogue[] => {
  const all = readDialogues('fit').map(({ id, source, kind, fold, turns }) => {
    const real = source !== 'undertone';
    return { id, kind, turns, fold: real ? fold : null, real };
  });
  const written = all.filter(({ real, kind }) => !real && kind === 'dialogue');
  return [...all.filter(({ real }) => real), ...written.filter((_, i) => i % WRITTEN_STEP === 0)];
};
