import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { MOMENT_CATEGORIES, type MomentCategoryRow } from '../src/contract/moment-categories.ts';
import { namedSchemas } from '../src/openapi/schemas.ts';

/** The file that this writes. */
export const WIRE_TYPES = join(import.meta.dirname, '../src/sdk/wire.ts');

type Schema = z.core.JSONSchema.JSONSchema;

/**
 * Source code for the client: the types of everything on the wire that has a name (`.meta({ id })` in src/contract),
 * and the table of moment categories. The package therefore does not depend on zod, and each field has its description.
 */
export function wireTypes(): string {
  const types = Object.entries(namedSchemas('')).map(([name, schema]) => declaration(name, schema));
  const head = '// Generated from src/contract by `npm run generate -- wire-types`; do not edit.';
  return [head, ...types, CATEGORY_INFO, categories(), ''].join('\n\n');
}

const CATEGORY_INFO = `/** A category of moments, for people. */
export interface MomentCategoryInfo {
  /** The name in results and queries. */
  name: MomentCategory;
  label: string;
  /** Describes such a moment in a clause with the speaker as its subject. */
  description: string;
  /** One character, for terminals. */
  mark: string;
  /** SVG paths in a box of 16 by 16. Ink has the colour of the text, and ground the colour of the surface behind it. */
  icon: readonly {
    path: string;
    fill?: 'ink' | 'ground';
    stroke?: 'ink' | 'ground';
    strokeWidth?: number;
    roundCap?: true;
    roundJoin?: true;
  }[];
  /** The category that such a moment answers. */
  answers?: MomentCategory;
}`;

function categories(): string {
  const rows = MOMENT_CATEGORIES.map(({ name, label, description, mark, icon, answers }: MomentCategoryRow) =>
    JSON.stringify({ name, label, description, mark, icon, answers }, null, 2).replaceAll('\n', '\n  '),
  );
  return `/** The categories of moments. */
export const MOMENT_CATEGORIES: readonly MomentCategoryInfo[] = [\n  ${rows.join(',\n  ')},\n];`;
}

function declaration(name: string, schema: Schema): string {
  const doc = comment(schema.description, '');
  const isInterface = schema.properties !== undefined;
  return isInterface
    ? `${doc}export interface ${name} ${object(schema, '')}`
    : `${doc}export type ${name} = ${type(schema)};`;
}

/** A nested type. @param indent white space before the lines of the enclosing type */
function type(schema: Schema | boolean | undefined, indent = ''): string {
  if (schema === undefined || typeof schema === 'boolean') return 'unknown';
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map((one) => type(one, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((one) => type({ ...schema, type: one }, indent)).join(' | ');
  switch (schema.type) {
    case 'object':
      return object(schema, indent);
    case 'array':
      return array(type(schema.items as Schema, indent));
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    default:
      return 'unknown';
  }
}

function object(schema: Schema, indent: string): string {
  const { properties, propertyNames, additionalProperties, required = [] } = schema;
  if (properties === undefined) {
    const record = `Record<${type(propertyNames)}, ${type(additionalProperties, indent)}>`;
    return type(propertyNames) !== 'string' && required.length === 0 ? `Partial<${record}>` : record;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, property]) => {
    const mark = required.includes(name) ? '' : '?';
    const doc = typeof property === 'object' ? comment(property.description, inner) : '';
    return `${doc}${inner}${name}${mark}: ${type(property, inner)};\n`;
  });
  return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('')}${indent}}`;
}

const array = (entry: string): string => (entry.includes(' | ') ? `(${entry})[]` : `${entry}[]`);

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

const comment = (description: string | undefined, indent: string): string =>
  description === undefined ? '' : `${indent}/** ${description} */\n`;

if (import.meta.main) writeFileSync(WIRE_TYPES, wireTypes());
