import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSieve, type Member, type Wanted } from '../../../src/worker/http/json-sieve.ts';

const WANTED = { some: [{ a: true, b: { c: true }, d: [{ e: true }] }], one: true } as const;
const LIMITS = { maxBytes: 2000, maxEntries: 20 };

/** Members of a text that arrives in pieces of this many bytes. */
function sieved(text: string, piece = 1_000_000, wanted: { [name: string]: Wanted } = WANTED): Member[] {
  const members: Member[] = [];
  const sieve = new JsonSieve(wanted, LIMITS, (member) => members.push(member));
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += piece) sieve.write(bytes.subarray(at, at + piece));
  sieve.end();
  return members;
}

/** The same through JSON.parse. */
function picked(value: unknown, wanted: Wanted): unknown {
  if (wanted === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(wanted)) return Array.isArray(value) ? value.map((entry) => picked(entry, wanted[0])) : value;
  if (Array.isArray(value)) return value;
  const of = wanted as { [name: string]: Wanted };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => (Object.hasOwn(of, name) ? [[name, picked(part, of[name]!)]] : [])),
  );
}

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'some', 'one', 'x', '__proto__', 'constructor', 'é', '"\\', '');
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.constantFrom(null, true, false, '', '\\', '"', '}', '],', '\u2028'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
  ),
})).value;
const body = fc.record({ some: fc.array(json, { maxLength: 5 }), one: json, x: json }, { requiredKeys: [] });

describe('JSON read member by member', () => {
  it('equals the result of JSON.parse, however it is spaced and cut into pieces', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 1, '\n \t'), (value, piece, space) => {
        const expected = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        const members = sieved(JSON.stringify(value, null, space), piece);
        const some = members.filter((m) => m.name === 'some').map((m) => m.value);
        const wanted = (expected.some as unknown[] | undefined)?.map((entry) => picked(entry, WANTED.some[0]));
        expect(some).toEqual(wanted?.length === 0 ? [[]] : (wanted ?? []));
        expect(members.filter((m) => m.name === 'one').map((m) => m.value)).toEqual(
          'one' in expected ? [expected.one] : [],
        );
      }),
      { numRuns: 500 },
    );
  });

  it('is a member or an entry, with its position', () => {
    expect(
      sieved(
        '\ufeff {"x":[1,{"]":2}],"some":[{"a":1,"x":[[]],"b":{"c":[2],"x":3},"d":[{"x":1},{"e":"é"}]},7],"one":"}"} ',
      ),
    ).toEqual([
      { name: 'some', index: 0, value: { a: 1, b: { c: [2] }, d: [{}, { e: 'é' }] } },
      { name: 'some', index: 1, value: 7 },
      { name: 'one', value: '}' },
    ]);
    expect(sieved('{"s\\u006fme":[{"\\u0061":1}]}')).toEqual([{ name: 'some', index: 0, value: { a: 1 } }]);
    expect(sieved('{"some":[]}')).toEqual([{ name: 'some', value: [] }]);
    expect(sieved('{}')).toEqual([]);
  });

  it.each([
    ['', /The body is not JSON: it is incomplete/],
    ['[]', /The body is not JSON/],
    ['{"some":[1,2', /some\.1: is not JSON: it is incomplete/],
    ['{"some":[1,2}', /some\.1: is not JSON/],
    ['{"some":[1,,2]}', /some\.\d: is not JSON/],
    ['{"some":[1,]}', /some\.\d: is not JSON/],
    ['{"some":[tru]}', /some\.0: is not JSON/],
    ['{"some":[{"a":01}]}', /some\.0: is not JSON/],
    ['{"some":[{"a":1 "d":2}]}', /some\.0: is not JSON/],
    ['{"some":[{"a" 1}]}', /some\.0: is not JSON/],
    ['{"one":1,}', /not JSON/],
    ['{"one":1}{', /not JSON/],
    ['{one:1}', /not JSON/],
    ['{"one":1,"one":2}', /one: appears twice/],
    [`{"some":[${'1,'.repeat(20)}1]}`, /some: has more than 20 entries/],
    [`{"some":[{"a":"${'x'.repeat(2000)}"}]}`, /some\.0: exceeds 2000 bytes/],
    [`{"one":${'['.repeat(3000)}`, /one: exceeds 2000 bytes/],
  ])('refuses %.40s', (text, detail) => {
    for (const piece of [1, 7, 1_000_000]) expect(() => sieved(text, piece)).toThrow(detail);
  });

  it('skips unwanted members, however long', () => {
    const long = JSON.stringify({ x: 'x'.repeat(100_000), y: Array(10_000).fill({}), z: '['.repeat(100) });
    expect(sieved(`{"x":${long},"some":[{"x":${long},"a":1}]}`, 1000)).toEqual([
      { name: 'some', index: 0, value: { a: 1 } },
    ]);
  });
});
