import fc from 'fast-check';
import { brokenOf, leastOf, valuesOf } from './arbitrary.ts';
import type { DescribedOperation, Json, Reader } from './reader.ts';

/** A request that matches the document, or nearly does. The ids of existing things are filled in when it is sent. */
export interface FuzzedRequest {
  operation: DescribedOperation;
  /** Path parameters: each an index into the known ids of its kind, or text. */
  path: Record<string, number | string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  caller: RequestSender;
  body: Body;
  /** An index into the known ids of a kind, which replaces the ids in the query and in the body. */
  linkedTo: number | undefined;
}

export const CALLERS = ['key', 'operator', 'demo', 'token', 'address', 'wrong', 'none'] as const;
export type RequestSender = (typeof CALLERS)[number];

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: Json }
  | { kind: 'text'; type: string; text: string }
  | { kind: 'form'; fields: Record<string, Json> };

/** Texts that a header can contain. */
const headerTexts = fc.string({
  maxLength: 40,
  unit: fc.integer({ min: 32, max: 126 }).map((c) => String.fromCharCode(c)),
});

function callersOf(operation: Json): fc.Arbitrary<RequestSender> {
  const isForOperator = JSON.stringify(operation.security).includes('operator');
  const rightful: RequestSender = isForOperator ? 'operator' : 'key';
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant<RequestSender>(rightful) },
    { weight: 2, arbitrary: fc.constantFrom(...CALLERS) },
  );
}

/** Mostly ids that exist. */
const pathValues = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 1000 }) },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
      fc.uuid(),
      fc.constantFrom('0', '1', '2', '-1', '99999', '%', '..%2f', 'x'.repeat(300), 'a_b', '\u0000', '{}', 'exports'),
    ),
  },
);

function parametersOf(reader: Reader, given: Json[], place: 'query' | 'header'): fc.Arbitrary<Record<string, string>> {
  const named = given.map((one) => reader.at(one)).filter((one) => one.in === place);
  const texts = (parameter: Json): fc.Arbitrary<string> => {
    const valid = valuesOf(reader, parameter.schema).map(String);
    const samples =
      parameter.example === undefined || parameter.schema.pattern ? [] : [fc.constant(String(parameter.example))];
    const any = place === 'header' ? headerTexts : fc.string({ maxLength: 300 });
    const asked = place === 'header' && !parameter.schema.pattern ? headerTexts : valid;
    return fc.oneof({ weight: 5, arbitrary: fc.oneof(...samples, asked) }, { weight: 1, arbitrary: any });
  };
  const members: Record<string, fc.Arbitrary<string>> = Object.fromEntries(
    named.map((parameter) => [parameter.name, texts(parameter)]),
  );
  const requiredKeys: string[] = named.filter(({ required }) => required).map(({ name }) => name);
  const all = fc.record(members, { requiredKeys }) as fc.Arbitrary<Record<string, string>>;
  const needed = fc.record(Object.fromEntries(requiredKeys.map((name) => [name, members[name]!])));
  // Some requests have no optional parameter, because of many one is nearly always refused.
  return fc.oneof({ weight: 1, arbitrary: needed }, { weight: 2, arbitrary: all });
}

function bodiesOf(reader: Reader, { requestBody }: Json): fc.Arbitrary<Body> {
  if (!requestBody) return fc.constant<Body>({ kind: 'none' });
  const garbage = fc.record<{ kind: 'text'; type: string; text: string }>({
    kind: fc.constant('text'),
    type: fc.constantFrom(
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      '',
    ),
    text: fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constantFrom(
        '{',
        '[]',
        'null',
        '{"a":',
        '--b\r\n',
        '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx',
      ),
      fc.constant('[').map((open) => open.repeat(20_000)),
    ),
  });
  const ways: fc.WeightedArbitrary<Body>[] = [
    { weight: 1, arbitrary: fc.constant<Body>({ kind: 'none' }) },
    { weight: 1, arbitrary: garbage },
  ];
  for (const [type, { schema, example }] of Object.entries<Json>(requestBody.content)) {
    if (type === 'application/json') {
      const json = (value: Json): Body => ({ kind: 'json', value });
      if (example !== undefined) ways.push({ weight: 4, arbitrary: fc.constant(json(example)) });
      ways.push({ weight: 3, arbitrary: leastOf(reader, schema).map(json) });
      ways.push({ weight: 6, arbitrary: valuesOf(reader, schema).map(json) });
      ways.push({ weight: 6, arbitrary: brokenOf(reader, schema).map(json) });
    } else if (type === 'multipart/form-data') {
      const form = (fields: Record<string, Json>): Body => ({ kind: 'form', fields });
      ways.push({ weight: 3, arbitrary: leastOf(reader, schema).map(form) });
      ways.push({ weight: 6, arbitrary: valuesOf(reader, schema).map(form) });
      ways.push({ weight: 3, arbitrary: brokenOf(reader, schema).map((value) => form(Object(value))) });
    } else
      ways.push({
        weight: 6,
        arbitrary: fc
          .constantFrom('media', 'medium', '', 'x'.repeat(9000))
          .map((text): Body => ({ kind: 'text', type, text })),
      });
  }
  return fc.oneof(...ways);
}

/** Generates requests of one operation. */
export function requestsOf(reader: Reader, described: DescribedOperation): fc.Arbitrary<FuzzedRequest> {
  const { operation, path } = described;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const parameters: Json[] = operation.parameters ?? [];
  return fc.record({
    operation: fc.constant(described),
    path: fc.record(Object.fromEntries(names.map((name) => [name, pathValues]))),
    query: parametersOf(reader, parameters, 'query'),
    headers: parametersOf(reader, parameters, 'header'),
    caller: callersOf(operation),
    body: bodiesOf(reader, operation),
    linkedTo: fc.option(fc.nat({ max: 1000 }), { nil: undefined, freq: 3 }),
  });
}
