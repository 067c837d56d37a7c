import fc from 'fast-check';
import { type Json, Reader } from './reader.ts';

/** Most entries or characters. Longer lists and texts would reveal nothing more. */
const MOST_ENTRIES = 4;
const MOST_CHARS = 60;
const DAYS = { min: new Date('2020-01-01T00:00:00Z'), max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true };

/**
 * Values that a JSON Schema allows. Descriptions are ignored. A schema that contains itself is not entered again.
 * @param around the references that were followed to this schema
 */
export function valuesOf(reader: Reader, given: Json, around: readonly string[] = []): fc.Arbitrary<Json> {
  const schema = reader.at(given);
  const within = given?.$ref ? [...around, given.$ref] : around;
  if (schema.examples) return fc.oneof(fc.constantFrom(...schema.examples), typedOf(reader, schema, within));
  return typedOf(reader, schema, within);
}

/** Values of a schema with the required members only. Among many optional members, one is nearly always refused. */
export function leastOf(reader: Reader, given: Json): fc.Arbitrary<Json> {
  const { properties, ...schema } = reader.at(given);
  if (properties === undefined) return valuesOf(reader, given);
  const required: string[] = schema.required ?? [];
  return valuesOf(reader, {
    ...schema,
    properties: Object.fromEntries(required.map((name) => [name, properties[name]])),
  });
}

function typedOf(reader: Reader, schema: Json, within: readonly string[]): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return fc.oneof(...either.map((one: Json) => valuesOf(reader, one, within)));
  switch (schema.type) {
    case 'object':
      return objectsOf(reader, schema, within);
    case 'array':
      return fc.array(valuesOf(reader, schema.items ?? {}, within), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? MOST_ENTRIES, MOST_ENTRIES)),
      });
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1_000_000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function textsOf({ pattern, format, minLength = 0, maxLength = MOST_CHARS }: Json): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'date-time') return fc.date(DAYS).map((date) => date.toISOString());
  if (format === 'uuid') return fc.uuid();
  const most = Math.max(minLength, Math.min(maxLength, MOST_CHARS));
  return fc.string({ minLength, maxLength: most, unit: 'grapheme' }).map((text) => text.slice(0, most));
}

function objectsOf(reader: Reader, schema: Json, within: readonly string[]): fc.Arbitrary<Json> {
  const { properties, required = [], additionalProperties, propertyNames } = schema;
  if (properties === undefined) {
    const names = propertyNames ? valuesOf(reader, propertyNames, within) : fc.string({ maxLength: 12 });
    const members =
      typeof additionalProperties === 'object' ? valuesOf(reader, additionalProperties, within) : fc.jsonValue();
    return fc.dictionary(names, members, { maxKeys: MOST_ENTRIES });
  }
  const members = Object.entries(properties)
    .filter(([, member]) => !Reader.isRecursive(member, within))
    .map(([name, member]) => [name, valuesOf(reader, member, within)]);
  return fc.record(Object.fromEntries(members), { requiredKeys: required });
}

/** Values with one fault, or of a different type altogether. */
export function brokenOf(reader: Reader, schema: Json): fc.Arbitrary<Json> {
  const strange = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<Json>(null, '', -1, 1e308, 9.5, [], {}, '\u0000', '../..', 'x'.repeat(30_000), [[[]]], true),
  );
  const spoiled = fc
    .tuple(valuesOf(reader, schema), strange, fc.nat(), fc.boolean())
    .map(([value, other, at, isAdded]) => {
      const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
      if (names.length === 0) return other;
      const name = isAdded ? 'unexpected' : names[at % names.length]!;
      // Sometimes the fault is nested deeper.
      const inner = value[name];
      const isDeep = typeof inner === 'object' && inner !== null && at % 3 === 0;
      if (isDeep && Array.isArray(inner)) return { ...value, [name]: [...inner, other] };
      if (isDeep) return { ...value, [name]: { ...inner, [Object.keys(inner)[0] ?? 'x']: other } };
      return { ...value, [name]: other };
    });
  return fc.oneof({ weight: 4, arbitrary: spoiled }, { weight: 1, arbitrary: strange });
}
