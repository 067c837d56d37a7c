import * as z from 'zod';
import type { Edit } from '../../../contract/conversations.ts';
import type { SpeakerPerson } from '../../../contract/people.ts';

/** The part of a person that a conversation shows. */
export const KnownPersonSchema = z.object({ name: z.string(), role: z.string().nullable() });
export type KnownPerson = z.infer<typeof KnownPersonSchema>;
/** People by their ids. */
export type KnownPeople = Readonly<Record<string, KnownPerson>>;

/** Ids of the people in edits, in their order. */
export const peopleIn = (edits: readonly Edit[]): string[] => [
  ...new Set(edits.flatMap(({ people }) => Object.values(people ?? {}).filter((id) => id !== null))),
];

/** Edits without the people that do not exist. An edit that has nothing else is left out. */
export function withPeople(edits: readonly Edit[], known: KnownPeople): Edit[] {
  if (peopleIn(edits).every((id) => known[id])) return [...edits];
  return edits.flatMap((edit): Edit[] => {
    if (!edit.people) return [edit];
    const { people, ...others } = edit;
    const kept = Object.entries(people).filter(([, id]) => id === null || known[id]);
    const isLeft = Object.values(others).some((value) => value !== undefined);
    if (kept.length === 0) return isLeft ? [others] : [];
    return [{ ...edit, people: Object.fromEntries(kept) }];
  });
}

/**
 * The names of speakers: of the person who speaks, else the one that the speaker was given. Results are keyed by names,
 * so a person with the name of another speaker is shown with the label as well.
 */
export function nameSpeakers(
  given: ReadonlyMap<string, string>,
  people: ReadonlyMap<string, string>,
  known: KnownPeople,
): Map<string, string> {
  const shown = [...people].flatMap(([label, id]) => (known[id] ? [[label, known[id].name] as const] : []));
  const names = new Map(given);
  for (const [label] of shown) names.delete(label);
  const taken = new Set(names.values());
  for (const [label, name] of shown) {
    const unique = taken.has(name) ? `${name} (${label})` : name;
    names.set(label, unique);
    taken.add(unique);
  }
  return names;
}

/** The people who speak, by label. */
export const peopleOf = (
  { people }: { people: ReadonlyMap<string, string> },
  known: KnownPeople = {},
): Record<string, SpeakerPerson> =>
  Object.fromEntries([...people].flatMap(([label, id]) => (known[id] ? [[label, { id, ...known[id] }]] : [])));
