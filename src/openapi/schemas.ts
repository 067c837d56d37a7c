import * as z from 'zod';
import { LIST_ENTRIES } from '../contract/limits.ts';
// Loading a file registers the names of its schemas.
import '../contract/access-log.ts';
import '../contract/analysis.ts';
import '../contract/audit.ts';
import '../contract/backup.ts';
import '../contract/batch.ts';
import '../contract/conversations.ts';
import '../contract/course.ts';
import '../contract/events.ts';
import '../contract/holds.ts';
import '../contract/jobs.ts';
import '../contract/keys.ts';
import '../contract/live.ts';
import '../contract/members.ts';
import '../contract/operations.ts';
import '../contract/commitments.ts';
import '../contract/patterns.ts';
import '../contract/people.ts';
import '../contract/playlists.ts';
import '../contract/views.ts';
import '../contract/pool.ts';
import '../contract/queries.ts';
import '../contract/receipts.ts';
import '../contract/redactions.ts';
import '../contract/rules.ts';
import '../contract/segment-request.ts';
import '../contract/segmentation.ts';
import '../contract/shares.ts';
import '../contract/tenants.ts';
import '../contract/tokens.ts';
import '../contract/trends.ts';
import '../contract/uploads.ts';
import '../contract/webhooks.ts';
import type { JsonSchema } from './operation.ts';

/**
 * Clients send the schemas with these name endings, so they are described as input. All others are described as output.
 */
const SENT = /(Request|Input)$/;
const REF = '#/$defs/';

/** The bound that zod applies to every integer without one. */
const SAFE = Number.MAX_SAFE_INTEGER;

/**
 * A zod schema as JSON Schema (draft 2020-12). Schemas with a name become references.
 * @param io whether a client sends it or receives it; a received object is open, because members may be added
 * @param base the start of a reference
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', base: string): JsonSchema {
  const { $defs: _, $schema: __, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override });
  const tidied = tidy(made, io, base) as JsonSchema;
  // A named schema is a reference even at the top level.
  const id = z.globalRegistry.get(schema)?.id;
  return id === undefined ? tidied : { $ref: base + id };
}

/** Every schema that has a name, by that name. */
export function namedSchemas(base: string): Record<string, JsonSchema> {
  const [received, sent] = (['output', 'input'] as const).map((io) => {
    const made = z.toJSONSchema(z.globalRegistry, { io, uri: (id) => REF + id, unrepresentable: 'any', override });
    return made.schemas as Record<string, JsonSchema>;
  });
  const names = Object.keys(received!).sort();
  return Object.fromEntries(
    names.map((name) => {
      const io = SENT.test(name) ? 'input' : 'output';
      const { $schema: _, $id: __, ...schema } = (io === 'input' ? sent : received)![name]!;
      return [name, tidy(schema, io, base) as JsonSchema];
    }),
  );
}

/**
 * Describes the entries of a list from `listOf`, whose transform hides them. It mentions a default only in the
 * description, because client generators assume that a member with the keyword `default` is always present.
 */
function override({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  const entry = LIST_ENTRIES.get(zodSchema);
  if (entry) jsonSchema.items = z.toJSONSchema(entry, { io: 'input', unrepresentable: 'any', override });
  const { default: value, description } = jsonSchema;
  if (value === undefined) return;
  delete jsonSchema.default;
  if (value === '' || (Array.isArray(value) && value.length === 0)) return;
  jsonSchema.description = [description, `Default: \`${value}\`.`].filter((part) => part !== undefined).join(' ');
}

/** Adjusts references to their place in the document, and drops keywords that repeat others. */
function tidy(value: unknown, io: 'input' | 'output', base: string): unknown {
  if (Array.isArray(value)) return value.map((one) => tidy(one, io, base));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema;
  const kept = Object.entries(schema).filter(([name, member]) => !isRepeated(name, member, schema, io));
  return Object.fromEntries(
    kept.map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? member.replace(REF, base) : tidy(member, io, base),
    ]),
  );
}

function isRepeated(name: string, member: unknown, { format }: JsonSchema, io: 'input' | 'output'): boolean {
  switch (name) {
    case '$schema':
    case '$defs':
      return true;
    case 'id':
      return typeof member === 'string';
    case 'additionalProperties':
      return io === 'output' && member === false;
    case 'pattern':
      return typeof format === 'string' && typeof member === 'string';
    case 'minimum':
    case 'maximum':
      return Math.abs(Number(member)) === SAFE;
    default:
      return false;
  }
}
