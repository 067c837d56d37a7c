import { describe, expect, it } from 'vitest';
import {
  AFFECT_MODES,
  type Affect,
  type AffectMode,
  AnalysisOptionsSchema,
  affectOf,
  underTenant,
  withholdsAffect,
} from '../../src/contract/options.ts';

const parse = (options: object) => AnalysisOptionsSchema.safeParse(options);

it('has defaults', () => {
  expect(AnalysisOptionsSchema.parse({})).toEqual({ goal: '', affect: 'full' });
});

describe('transcription options', () => {
  it('are a quality, a list of words and a language', () => {
    const words = ['Sittily', ' Acme Zorblax ', 'x'.repeat(60)];
    const read = parse({ quality: 'fast', words, language: 'pt-BR' });
    expect(read.data).toMatchObject({
      quality: 'fast',
      words: ['Sittily', 'Acme Zorblax', 'x'.repeat(60)],
      language: 'pt-BR',
    });
    expect(parse({ words: Array.from({ length: 1000 }, (_, i) => `word ${i}`) }).success).toBe(true);
  });

  it.each([
    ['another quality', { quality: 'superb' }, ['quality'], 'must be best or fast'],
    ['an entry too many', { words: Array(1001).fill('a') }, ['words'], 'has more than 1000 entries'],
    ['a long entry', { words: ['a', 'x'.repeat(61)] }, ['words', 1], 'is longer than 60 characters'],
    ['an empty entry', { words: ['  '] }, ['words', 0], 'must not be empty'],
    ['a number', { words: [1] }, ['words', 0], expect.any(String)],
    [
      'no tag of a language',
      { language: 'English please' },
      ['language'],
      'must be a language tag such as en or pt-BR',
    ],
    [
      'a time without a zone',
      { recorded_at: '2026-11-27T14:05:00' },
      ['recorded_at'],
      'must be a date and time with a time zone, such as 2026-11-27T14:05:00Z',
    ],
    [
      'an unknown time zone',
      { time_zone: 'Europe/Nowhere' },
      ['time_zone'],
      'must be a time zone such as Europe/London',
    ],
  ])('is not %s', (_, options, path, message) => {
    expect(parse(options).error?.issues[0]).toMatchObject({ path, message });
  });
});

it("a tenant's words follow those of an analysis, each once, up to the limit", () => {
  const recorded_at = '2026-11-27T14:05:00+01:00';
  const options = { ...AnalysisOptionsSchema.parse({ goal: 'renewal', recorded_at }), words: ['Sittily', 'Acme'] };
  const listed = (words: string[]) => underTenant(options, { words, affect: 'full', redact: [] });
  expect(listed(['Acme', 'Zorblax'])).toEqual({ ...options, words: ['Sittily', 'Acme', 'Zorblax'] });
  expect(underTenant(AnalysisOptionsSchema.parse({}), { words: ['Acme'], affect: 'full', redact: [] }).words).toEqual([
    'Acme',
  ]);
  expect(listed([])).toEqual(options);
  const before = Date.now();
  const received = underTenant(AnalysisOptionsSchema.parse({}), { words: [], affect: 'full', redact: [] }).recorded_at;
  expect(Date.parse(received!)).toBeGreaterThanOrEqual(before);
  const many = Array.from({ length: 1000 }, (_, i) => `word ${i}`);
  expect(listed(many).words).toEqual(['Sittily', 'Acme', ...many.slice(0, 998)]);
});

it.each<[Affect, AffectMode, Affect]>([
  ['full', 'full', 'full'],
  ['full', 'words', 'words'],
  ['none', 'words', 'none'],
  ['words', 'none', 'none'],
  [{ Speaker_0: 'none', Speaker_1: 'full' }, 'words', { '*': 'words', Speaker_0: 'none', Speaker_1: 'words' }],
  [{ Speaker_0: 'full', '*': 'none' }, 'words', { '*': 'none', Speaker_0: 'words' }],
])('affect %j of a tenant limited to %s becomes %j', (affect, most, read) => {
  expect(underTenant({ affect }, { words: [], affect: most, redact: [] }).affect).toEqual(read);
});

it('adds what a tenant redacts to what an analysis asks for, and takes nothing away', () => {
  const tenant = { words: [], affect: 'full' as const, redact: ['phone' as const] };
  expect(underTenant(AnalysisOptionsSchema.parse({ redact: ['name', 'card'] }), tenant).redact).toEqual([
    'card',
    'phone',
    'name',
  ]);
  expect(underTenant(AnalysisOptionsSchema.parse({ redact: [] }), tenant).redact).toEqual(['phone']);
  expect(underTenant(AnalysisOptionsSchema.parse({}), { ...tenant, redact: [] })).not.toHaveProperty('redact');
});

it("a tenant's roles of channels are those of an analysis that gives none", () => {
  const tenant = { words: [], affect: 'full' as const, redact: [], roles: ['agent', 'customer'] };
  expect(underTenant(AnalysisOptionsSchema.parse({}), tenant).roles).toEqual(['agent', 'customer']);
  for (const roles of [['customer', 'agent'], [null]])
    expect(underTenant(AnalysisOptionsSchema.parse({ roles }), tenant).roles).toEqual(roles);
  expect(underTenant(AnalysisOptionsSchema.parse({}), { ...tenant, roles: null })).not.toHaveProperty('roles');
});

describe('affect', () => {
  it('is a mode, or modes by speaker label', () => {
    const objects = [{}, { '*': 'none' }, { Speaker_0: 'none', Speaker_7: 'words', '*': 'full' }];
    for (const affect of [...AFFECT_MODES, ...objects]) expect(parse({ affect }).data?.affect).toEqual(affect);
  });

  it.each([
    ['nothing', null, /^must be full, words or none, or an object/],
    ['another mode', 'some', /^must be full, words or none, or an object/],
    ['a list', ['none'], /^must be full, words or none, or an object/],
    ['a number', 0, /^must be full, words or none, or an object/],
    ['a name', { Anna: 'none' }, /^"Anna" must be a speaker label/],
    ['a label in other letters', { speaker_0: 'none' }, /^"speaker_0" must be a speaker label/],
    ['a label that no analysis gives', { Speaker_12: 'none' }, /^"Speaker_12" must be a speaker label/],
    ['a long name', { [`S${'x'.repeat(9000)}`]: 'none' }, /^"Sx{38}…" must be a speaker label/],
    ['another mode for a speaker', { Speaker_0: 'some' }, /^must be full, words or none for each speaker$/],
    ['no mode for a speaker', { Speaker_0: null }, /^must be full, words or none for each speaker$/],
  ])('is not %s', (_, affect, message) => {
    const read = parse({ affect });
    expect(read.success).toBe(false);
    expect(read.error?.issues[0]).toMatchObject({ path: ['affect'], message: expect.stringMatching(message) });
  });

  it('of a speaker is their own mode, else that of the others, else full', () => {
    const affect: Affect = { Speaker_1: 'none', '*': 'words' };
    expect(['Speaker_0', 'Speaker_1', 'Speaker_2'].map((label) => affectOf(affect, label))).toEqual([
      ...['words', 'none', 'words'],
    ]);
    expect(affectOf({ Speaker_1: 'none' }, 'Speaker_0')).toBe('full');
    expect(affectOf('words', 'Speaker_0')).toBe('words');
  });

  it('of a role is that of everybody whose role is not known, if it measures less', () => {
    const affect: Affect = { 'role:agent': 'none', '*': 'full' };
    expect(affectOf(affect, 'Speaker_0', 'agent')).toBe('none');
    expect(affectOf(affect, 'Speaker_0', 'customer')).toBe('full');
    expect(affectOf(affect, 'Speaker_0')).toBe('none');
    expect(affectOf({ 'role:agent': 'words', '*': 'none' }, 'Speaker_0')).toBe('none');
    expect(affectOf({ ...affect, Speaker_0: 'words' }, 'Speaker_0', 'agent')).toBe('words');
    expect(withholdsAffect(affect)).toBe(true);
    expect(parse({ affect, roles: ['Agent', null] }).data).toMatchObject({ affect, roles: ['agent', null] });
    for (const roles of [[], ['a', 'b', 'c'], ['<'], 'agent']) expect(parse({ roles }).success).toBe(false);
  });

  it('is withheld if it is switched off for anybody', () => {
    const withheld: Affect[] = ['none', { Speaker_0: 'none' }, { Speaker_0: 'full', '*': 'none' }];
    expect(withheld.map(withholdsAffect)).toEqual([true, true, true]);
    const read: Affect[] = ['full', 'words', {}, { Speaker_0: 'words', '*': 'full' }];
    expect(read.map(withholdsAffect)).toEqual([false, false, false, false]);
  });
});
