import type { Edit } from '../../contract/conversations.ts';
import { runKeys, shownResultKey } from '../storage/keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { type Indexed, indexOf } from './card.ts';
import { type Edited, editedBy, isResultEdited } from './edits/edited.ts';
import type { MeasuredResult } from './edits/edited-result.ts';
import { type KnownPeople, peopleIn } from './edits/people.ts';
import type { StoredRecord } from './record.ts';
import { editedResult, readIndexable, writeEdited } from './stored-result.ts';

/** Edits of a conversation, with the people in them and the result that they lead to. */
export interface Change {
  edits: readonly Edit[];
  people: KnownPeople;
  /** Name of the edited result. Null: the measured result is shown. Undefined: no change. */
  shown?: string | null;
  indexed?: Indexed;
}

/** Whether two sets of edits lead to different results, or to different indexes of them. */
export const isDifferent = (a: Edited, b: Edited): boolean => resultEdits(a) !== resultEdits(b);
const resultEdits = ({ names, people, roles, ownRoles, merges, moves, corrections, hidden }: Edited): string =>
  JSON.stringify([
    [...names],
    [...people],
    [...roles],
    [...ownRoles],
    [...merges],
    [...moves],
    [...corrections],
    [...hidden],
  ]);

/** Writes the result that edits lead to, as an object beside the measured one. */
export async function writeShown(
  store: ObjectStore,
  tenant: string,
  run: string,
  { edits, people }: Change,
  measured: MeasuredResult,
): Promise<Change> {
  const from = runKeys(tenant, run).documents['result.json'];
  const edited = editedBy(edits, people);
  if (!isResultEdited(edited))
    return { edits, people, shown: null, indexed: indexOf(await readIndexable(store, from), edited) };
  const shown = `edited-${crypto.randomUUID()}.json`;
  const to = shownResultKey(tenant, { run, shown });
  await writeEdited(store, from, to, await editedResult(edited, measured));
  return { edits, people, shown, indexed: indexOf(await readIndexable(store, to), edited) };
}

/** The record of a conversation after a change. */
export function changedRecord(record: StoredRecord, { edits, people, shown }: Change): StoredRecord {
  const { people: _before, ...rest } = record;
  const kept = Object.fromEntries(peopleIn(edits).flatMap((id) => (people[id] ? [[id, people[id]]] : [])));
  return {
    ...rest,
    edits: [...edits],
    shown: shown === undefined ? record.shown : shown,
    ...(Object.keys(kept).length > 0 && { people: kept }),
  };
}
