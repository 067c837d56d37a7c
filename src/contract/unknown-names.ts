import type * as z from 'zod';
import { quoted } from './errors.ts';

/** Longer names are not compared, because a comparison takes time proportional to the product of the two lengths. */
const MAX_COMPARED_CHARS = 64;
/** A detail lists the known names if they fit into this many characters. */
const MAX_LISTED_CHARS = 400;

/**
 * The kind of a name that a client sends: a form field or a member of a JSON object, a query parameter, or an argument
 * of a tool.
 */
type Kind = 'field' | 'query parameter' | 'argument';

/**
 * The known name that a client probably meant. It is equal except for case, `_` and `-`, or it is one edit away, or two
 * edits for names of six characters or more. Undefined when no name is that close.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_COMPARED_CHARS) return undefined;
  const plain = plainOf(name);
  const most = plain.length < 2 ? 0 : plain.length < 6 ? 1 : 2;
  const distances = known.map((one) => ({ one, distance: editsBetween(plain, plainOf(one)) }));
  return distances.filter(({ distance }) => distance <= most).sort((a, b) => a.distance - b.distance)[0]?.one;
}

/** The error text for the first unknown name: `Unknown field "afect"; did you mean "affect"?` */
export function unknownName(kind: Kind, names: Iterable<string>, known: readonly string[]): string | undefined {
  for (const name of names) if (!known.includes(name)) return detailOf(kind, name, known);
  return undefined;
}

/**
 * An error map for a parser. For a strict object, it reports the first unknown member and the most similar known one.
 */
export const unknownMembers =
  (kind: Kind): z.core.$ZodErrorMap =>
  (issue) =>
    issue.code === 'unrecognized_keys' ? unknownName(kind, issue.keys, Object.keys(shapeOf(issue.inst))) : undefined;

const shapeOf = (schema: unknown): object => (schema as { shape?: object } | undefined)?.shape ?? {};

function detailOf(kind: Kind, name: string, known: readonly string[]): string {
  const fault = `Unknown ${kind} "${quoted(name)}"`;
  const near = nearestName(name, known);
  if (near !== undefined) return `${fault}; did you mean "${near}"?`;
  const list = known.join(', ');
  return list === '' || list.length > MAX_LISTED_CHARS ? fault : `${fault}; known: ${list}`;
}

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** Number of insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j]!, before[j - 2]! + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
