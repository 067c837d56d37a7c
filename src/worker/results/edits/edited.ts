import type { Edit } from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';

/** What the edits of a conversation come to, one after the other. Nothing of it changes what was measured. */
export interface Edited {
  /** Null: nobody gave one. */
  title: string | null;
  labels: readonly string[];
  /** By label, of speakers that are left. */
  names: ReadonlyMap<string, string>;
  /** Which label another one became. */
  merges: ReadonlyMap<string, string>;
  /** Utterance id -> the label it was moved to. */
  moves: ReadonlyMap<string, string>;
}

/** Folds edits, oldest first. They were checked when they were made. */
export function editedBy(edits: readonly Edit[]): Edited {
  let title: string | null = null;
  let labels: readonly string[] = [];
  const names = new Map<string, string>();
  const merges = new Map<string, string>();
  const moves = new Map<string, string>();
  for (const edit of edits) {
    if (edit.title !== undefined) title = edit.title;
    if (edit.labels) labels = [...new Set(edit.labels)];
    for (const [from = '', to = ''] of edit.merge ?? []) {
      merges.set(from, to);
      // Whoever has a name keeps it.
      const name = names.get(to) ?? names.get(from);
      if (name !== undefined) names.set(to, name);
      names.delete(from);
    }
    for (const { utterance_id, speaker } of edit.move ?? []) moves.set(utterance_id, speaker);
    for (const [label, name] of Object.entries(edit.speakers ?? {}))
      if (name === null) names.delete(label);
      else names.set(label, name);
  }
  return { title, labels, names, merges, moves };
}

/** The label that is left of one. */
export function leftOf({ merges }: Edited, label: string): string {
  let left = label;
  for (let next = merges.get(left); next !== undefined; next = merges.get(left)) left = next;
  return left;
}

/** Whose an utterance is, by label. */
export const labelOf = (edited: Edited, utteranceId: string, measured: string): string =>
  leftOf(edited, edited.moves.get(utteranceId) ?? measured);

/** What a speaker is called, by a label that is left. */
export const nameOf = ({ names }: Edited, label: string): string => names.get(label) ?? label;

/** Whether who said what is another thing than what was measured. */
export const isRegrouped = ({ merges, moves }: Edited): boolean => merges.size + moves.size > 0;

/** Whether the result is another one than what was measured: titles and labels stand beside it. */
export const isResultEdited = (edited: Edited): boolean => isRegrouped(edited) || edited.names.size > 0;

/** What of a measured conversation an edit is checked against. */
export interface Measured {
  utteranceIds: ReadonlySet<string>;
  /** Labels of speakers. */
  speakers: ReadonlySet<string>;
}

/**
 * Checks one more edit against those before.
 * @throws ServiceError INVALID_REQUEST with the place of what does not fit
 */
export function checkEdit(edit: Edit, before: readonly Edit[], measured: Measured): void {
  const earlier = editedBy(before);
  const known = new Set([...measured.speakers, ...earlier.moves.values()]);
  const require = (label: string, place: string, edited: Edited): void => {
    const left = leftOf(edited, label);
    if (left !== label) throw fault(place, `${label} was merged into ${left}`);
    if (!known.has(label)) throw fault(place, `this conversation has no speaker ${label}`);
  };
  for (const [i, [from = '', to = '']] of (edit.merge ?? []).entries()) {
    const edited = editedBy([...before, { merge: edit.merge!.slice(0, i) }]);
    require(from, `merge.${i}.0`, edited);
    require(to, `merge.${i}.1`, edited);
    if (from === to) throw fault(`merge.${i}`, 'names the same speaker twice');
  }
  const merged = editedBy(edit.merge ? [...before, { merge: edit.merge }] : before);
  for (const [i, { utterance_id, speaker }] of (edit.move ?? []).entries()) {
    if (!measured.utteranceIds.has(utterance_id))
      throw fault(`move.${i}.utterance_id`, 'does not exist in this conversation');
    const free = Array.from({ length: LIMITS.speakers }, (_, n) => `Speaker_${n}`).find((label) => !known.has(label));
    if (speaker === free) known.add(speaker);
    require(speaker, `move.${i}.speaker`, merged);
  }
  for (const label of Object.keys(edit.speakers ?? {})) require(label, `speakers.${label}`, merged);
  const holders = new Map<string, string>();
  for (const [label, name] of editedBy([...before, edit]).names) {
    if (holders.has(name))
      throw fault(
        `speakers.${label}`,
        `${holders.get(name)} already has this name; merge the two if they are one person`,
      );
    holders.set(name, label);
  }
}

const fault = (place: string, what: string): ServiceError => new ServiceError('INVALID_REQUEST', `${place}: ${what}`);
