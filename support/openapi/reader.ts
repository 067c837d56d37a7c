import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Untyped JSON, as tests read it. */
// biome-ignore lint/suspicious/noExplicitAny: a document is read as its reader finds it
export type Json = any;

export interface DescribedOperation {
  method: string;
  /** Contains `{name}` placeholders. */
  path: string;
  operation: Json;
}

export const operationsOf = (document: Json): DescribedOperation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** Reads an OpenAPI document without any other knowledge of the service. */
export class Reader {
  readonly #document: Json;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.#document = document;
    this.#ajv = new Ajv2020({
      strict: false,
      allErrors: false,
      formats: { ...fullFormats, binary: true, base64: true },
    });
    this.#ajv.addSchema(document, 'document');
  }

  resolve(ref: string): Json {
    return ref
      .slice(2)
      .split('/')
      .reduce<Json>((at, name) => at?.[name.replace(/~1/g, '/').replace(/~0/g, '~')], this.#document);
  }

  /** The target of a reference, or the value itself. */
  at(value: Json): Json {
    return value?.$ref ? this.resolve(value.$ref) : value;
  }

  /** Whether a schema contains a reference to one of those that contain it. */
  static isRecursive(schema: Json, within: readonly string[]): boolean {
    const text = JSON.stringify(schema);
    return within.some((ref) => text.includes(`"$ref":"${ref}"`));
  }

  /** Faults of a value. Empty when it is valid. */
  faults(schema: Json, value: unknown): string[] {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = this.#validators.get(text) ?? this.#ajv.compile(JSON.parse(text));
    this.#validators.set(text, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`);
  }
}

/** Every example in the document, with its schema. */
export function examplesIn(document: Json): { place: string; schema: Json; example: unknown }[] {
  const found: { place: string; schema: Json; example: unknown }[] = [];
  const look = (value: Json, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    // The example of a stream is plain text.
    if (value.schema !== undefined && !place.endsWith('text/event-stream')) {
      const examples = [value.example, ...Object.values<Json>(value.examples ?? {}).map((one) => one.value)];
      for (const example of examples) if (example !== undefined) found.push({ place, schema: value.schema, example });
    }
    for (const [name, member] of Object.entries(value)) if (name !== 'example') look(member, `${place}/${name}`);
  };
  look(document, '');
  return found;
}
