import type { Edit } from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type KnownPeople, nameSpeakers } from './people.ts';

/** The combined effect of a conversation's edits, in order. The measured result is not changed. */
export interface Edited {
  /** Null if no edit set one. */
  title: string | null;
  labels: readonly string[];
  /** Names by label, for the speakers that remain after merges. */
  names: ReadonlyMap<string, string>;
  /** Ids of people by label, for the speakers that remain after merges. */
  people: ReadonlyMap<string, string>;
  /** Roles of those people by label. */
  roles: ReadonlyMap<string, string>;
  /** Roles that somebody set, by label. */
  ownRoles: ReadonlyMap<string, string>;
  /** Dismissed proposals. */
  dismissed: NonNullable<Edit['dismiss']>;
  /** Merged label -> the label it was merged into. */
  merges: ReadonlyMap<string, string>;
  /** Utterance id -> the label it was moved to. */
  moves: ReadonlyMap<string, string>;
  /** Utterance id -> its corrected text. */
  corrections: ReadonlyMap<string, string>;
  /** Labels of the speakers whose affect is hidden, among those that remain after merges. */
  hidden: ReadonlySet<string>;
}

/**
 * Combines edits, oldest first. `checkEdit` checked each of them when it was made.
 * @param known the people in the edits; others are left out
 */
export function editedBy(edits: readonly Edit[], known: KnownPeople = {}): Edited {
  let title: string | null = null;
  let labels: readonly string[] = [];
  const names = new Map<string, string>();
  const people = new Map<string, string>();
  const ownRoles = new Map<string, string>();
  const dismissed: NonNullable<Edit['dismiss']> = [];
  const merges = new Map<string, string>();
  const moves = new Map<string, string>();
  const corrections = new Map<string, string>();
  const hidden = new Set<string>();
  for (const edit of edits) {
    if (edit.title !== undefined) title = edit.title;
    if (edit.labels) labels = [...new Set(edit.labels)];
    for (const [from = '', to = ''] of edit.merge ?? []) {
      merges.set(from, to);
      // A speaker that already has a name keeps it.
      const name = names.get(to) ?? names.get(from);
      if (name !== undefined) names.set(to, name);
      names.delete(from);
      const person = people.get(to) ?? people.get(from);
      if (person !== undefined) people.set(to, person);
      people.delete(from);
      const role = ownRoles.get(to) ?? ownRoles.get(from);
      if (role !== undefined) ownRoles.set(to, role);
      ownRoles.delete(from);
      if (hidden.delete(from)) hidden.add(to);
    }
    for (const { utterance_id, speaker } of edit.move ?? []) moves.set(utterance_id, speaker);
    for (const { utterance_id, text } of edit.correct ?? []) corrections.set(utterance_id, text);
    for (const [label, name] of Object.entries(edit.speakers ?? {}))
      if (name === null) names.delete(label);
      else names.set(label, name);
    for (const [label, id] of Object.entries(edit.people ?? {}))
      if (id === null) people.delete(label);
      else people.set(label, id);
    for (const [label, role] of Object.entries(edit.roles ?? {}))
      if (role === null) ownRoles.delete(label);
      else ownRoles.set(label, role);
    dismissed.push(...(edit.dismiss ?? []));
    for (const [label, isHidden] of Object.entries(edit.hide_affect ?? {}))
      if (isHidden) hidden.add(label);
      else hidden.delete(label);
  }
  const roles = new Map<string, string>();
  for (const [label, id] of people) {
    const role = known[id]?.role;
    if (role) roles.set(label, role);
  }
  return {
    title,
    labels,
    names: nameSpeakers(names, people, known),
    people,
    roles,
    ownRoles,
    dismissed,
    merges,
    moves,
    corrections,
    hidden,
  };
}

/** The label under which a speaker is known after merges. */
export function mergedLabelOf({ merges }: Edited, label: string): string {
  let merged = label;
  for (let next = merges.get(merged); next !== undefined; next = merges.get(merged)) merged = next;
  return merged;
}

/** The label of an utterance's speaker after moves and merges. */
export const labelOf = (edited: Edited, utteranceId: string, measured: string): string =>
  mergedLabelOf(edited, edited.moves.get(utteranceId) ?? measured);

/** Every label whose affect is hidden, including those merged into a hidden speaker. */
export const hiddenLabels = (edited: Edited): ReadonlySet<string> =>
  new Set(
    [...edited.hidden, ...edited.merges.keys()].filter((label) => edited.hidden.has(mergedLabelOf(edited, label))),
  );

/** Roles by label: set by somebody, else of the channel, else of the person. @param ofChannels by label */
export const rolesOf = (
  { roles, ownRoles }: Pick<Edited, 'roles' | 'ownRoles'>,
  ofChannels: Readonly<Record<string, string>> = {},
): Record<string, string> => ({ ...Object.fromEntries(roles), ...ofChannels, ...Object.fromEntries(ownRoles) });

/** The name of a speaker, given a label that remains after merges. */
export const nameOf = ({ names }: Edited, label: string): string => names.get(label) ?? label;

/**
 * Whether the conclusions have to be drawn again, because the speaker of an utterance or the hidden affect has changed.
 */
export const changesConclusions = ({ merges, moves, corrections, hidden }: Edited): boolean =>
  merges.size + moves.size + corrections.size + hidden.size > 0;

/** Whether edits changed the result itself, which excludes titles and labels. */
export const isResultEdited = (edited: Edited): boolean => changesConclusions(edited) || edited.names.size > 0;

/** The parts of a measured conversation that edits are checked against. */
export interface Measured {
  utteranceIds: ReadonlySet<string>;
  /** Labels of speakers. */
  speakers: ReadonlySet<string>;
}

/**
 * Checks a new edit against the earlier ones.
 * @throws ServiceError INVALID_REQUEST with the path of the bad member
 */
export function checkEdit(edit: Edit, before: readonly Edit[], measured: Measured): void {
  const earlier = editedBy(before);
  const known = new Set([...measured.speakers, ...earlier.moves.values()]);
  const require = (label: string, path: string, edited: Edited): void => {
    const merged = mergedLabelOf(edited, label);
    if (merged !== label) throw fault(path, `${label} was merged into ${merged}`);
    if (!known.has(label)) throw fault(path, `This conversation has no speaker ${label}`);
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
      throw fault(`move.${i}.utterance_id`, 'This conversation has no such utterance');
    const free = Array.from({ length: LIMITS.speakers }, (_, n) => `Speaker_${n}`).find((label) => !known.has(label));
    if (speaker === free) known.add(speaker);
    require(speaker, `move.${i}.speaker`, merged);
  }
  for (const [i, { utterance_id }] of (edit.correct ?? []).entries())
    if (!measured.utteranceIds.has(utterance_id))
      throw fault(`correct.${i}.utterance_id`, 'This conversation has no such utterance');
  for (const label of Object.keys(edit.speakers ?? {})) require(label, `speakers.${label}`, merged);
  for (const label of Object.keys(edit.people ?? {})) require(label, `people.${label}`, merged);
  for (const label of Object.keys(edit.roles ?? {})) require(label, `roles.${label}`, merged);
  for (const label of Object.keys(edit.hide_affect ?? {})) require(label, `hide_affect.${label}`, merged);
  const next = editedBy([...before, edit]);
  requireOneEach(next.names, 'speakers', 'name');
  requireOneEach(next.people, 'people', 'person');
}

/** Refuses a name or a person of two speakers. */
function requireOneEach(ofLabels: ReadonlyMap<string, string>, path: string, what: string): void {
  const holders = new Map<string, string>();
  for (const [label, value] of ofLabels) {
    const holder = holders.get(value);
    if (holder !== undefined)
      throw fault(`${path}.${label}`, `${holder} already has this ${what}; merge the two if they are one speaker`);
    holders.set(value, label);
  }
}

const fault = (path: string, what: string): ServiceError => new ServiceError('INVALID_REQUEST', `${path}: ${what}`);
