import { join } from 'node:path';
import type { MomentCategory } from '../../../src/contract/findings.ts';
import { FOLDS, ownFiles, readJson } from '../own-data.ts';

export interface MarkedMoment {
  category: MomentCategory;
  labels?: string[];
  /** The turn that made what it answers. */
  answers?: number;
  /** The same as each of several readers has it. */
  answers_any?: number[];
  /** False where only one of two readers has it. */
  sure?: boolean;
}

export interface Turn {
  speaker: string;
  text: string;
  moments?: MarkedMoment[];
}

export interface Dialogue {
  id: string;
  turns: Turn[];
}

/** A dialogue to fit to. */
export interface FittedDialogue extends Dialogue {
  /** None where it is fitted to in every fold. */
  fold: number | null;
  /** Held by people who knew nothing of this project. */
  real: boolean;
}

/** Written for the project. */
export const DIALOGUE_FILES = ownFiles('moments', 'fit', 'dialogues');
const EXCHANGE_FILES = ownFiles('moments', 'fit', 'exchanges');
const REAL_FILES = ownFiles('moments', 'real', 'dialogues');

/** Where the steps of the training leave what the next one needs. */
export const BUILD = join(import.meta.dirname, '../../../build/moments');

/** What two excerpts of one conversation have in common: `qmsum-train-28-376` is of the meeting `qmsum-train-28`. */
const conversationOf = (id: string): string => id.replace(/^(qmsum-\w+-\d+)-\d+$/, '$1');

/** The same fold for all of a conversation. */
function foldOf(id: string): number {
  let sum = 0;
  for (const unit of conversationOf(id)) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % FOLDS;
}

/** All that moments are fitted to: real dialogues in folds by which they are judged, written ones in none. */
export const fittedDialogues = (): FittedDialogue[] => [
  ...REAL_FILES.flatMap((file) => readJson<Dialogue[]>(file)).map((d) => ({ ...d, fold: foldOf(d.id), real: true })),
  ...[...DIALOGUE_FILES, ...EXCHANGE_FILES]
    .flatMap((file) => readJson<Dialogue[]>(file))
    .map((d) => ({ ...d, fold: null, real: false })),
];
