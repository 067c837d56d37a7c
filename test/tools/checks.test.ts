import { expect, it } from 'vitest';
import { exportedNames } from '../../scripts/check/exported-names.ts';
import { style } from '../../scripts/check/style.ts';
import { unusedExports } from '../../scripts/check/unused-exports.ts';

const file = (path: string, text: string) => ({ path, text });

it.each([
  ['a phrase of the dialect', 'const detail = "This key has 4 analyses, as many as it may";', /as many as it may/],
  ['a comment that opens with a pronoun', '/** Who waits for a slot. */', /Who w/],
  ['an American spelling in a comment', '// Recognizes the words.', /Recognizes/],
  ['a comment that opens with a question word', '/** What a page needs. */', /What a/],
  ['a comparative of the dialect', "const title = 'The likelier word.';", /likelier/],
  ['a passive guess', '// A silent sender is taken for gone.', /is taken for/],
  ['an aside', '// Removes it, whatever its state.', /whatever its state/],
  ['a possession of the dialect', '// Runs in a thread of its own.', /a thread of its own/],
  ['the house metaphor', '// Every route of the house.', /the house/],
])('the style check refuses %s', (_, text, found) => {
  expect(style([file('src/made-up.ts', text)])).toEqual([expect.stringMatching(found)]);
});

it('the style check allows what a library or the specification names', () => {
  expect(
    style([file('src/made-up.ts', "// Calls `normalize` for POST /analyze.\nimport { normalize } from 'node:path';")]),
  ).toEqual([]);
});

it('the check of names refuses an exported type that is declared twice', () => {
  const faults = exportedNames([
    file('src/a.ts', 'export interface Sample {}'),
    file('src/b.ts', 'export type Sample = string;'),
  ]);
  expect(faults).toEqual(['src/a.ts:1: type "Sample" is also declared in src/b.ts:1']);
});

it.each(['Telling', 'HearingOptions', 'toldOnce', 'PurposeKind', 'SaidSentence'])(
  'the check of names refuses %s, a second name for a concept',
  (name) => {
    expect(exportedNames([file('src/a.ts', `export const ${name} = 1;`)])).toHaveLength(1);
  },
);

it('the check of exports refuses what no other file uses, and types that nothing uses', () => {
  const faults = unusedExports([
    file('src/a.ts', 'export const used = 1;\nexport const own = 2;\nconst twice = own;\nexport type Gone = string;'),
    file('src/b.ts', "import { used } from './a.ts';\nexport interface Options {}\nfunction b(options: Options) {}"),
  ]);
  expect(faults).toEqual([
    'src/a.ts:2: no other file uses "own"; do not export it',
    'src/a.ts:4: no other file uses "Gone"; do not export it',
  ]);
});
