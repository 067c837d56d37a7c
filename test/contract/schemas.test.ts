import { expect, it } from 'vitest';
import { EVENT_NAMES } from '../../src/contract/event-names.ts';
import { LiveStartSchema } from '../../src/contract/live.ts';
import { extensionOf } from '../../src/contract/media.ts';
import { UtteranceSchema } from '../../src/contract/timeline.ts';

const utterance = { utterance_id: 'c_utt_0', speaker: 'Speaker_0', t_start: 0, t_end: 1.5, text: 'Hello.' };

it('knows the ten events of the catalogue, and that of rules', () => {
  expect(EVENT_NAMES).toEqual([
    'status',
    'partial_transcript',
    'final_transcript',
    'emotion',
    'cognitive',
    'transition',
    'moment',
    'rule_match',
    'summary_update',
    'error',
    'done',
  ]);
});

it('accepts an utterance with only id, speaker, times and text', () => {
  expect(UtteranceSchema.parse(utterance)).toEqual(utterance);
});

it('keeps unknown members of an utterance', () => {
  expect(UtteranceSchema.parse({ ...utterance, note: 'mine' })).toMatchObject({ note: 'mine' });
});

it('accepts an utterance with empty prosody', () => {
  expect(UtteranceSchema.safeParse({ ...utterance, prosody: {} }).success).toBe(true);
});

it('refuses an utterance that ends before it starts, naming the field', () => {
  const result = UtteranceSchema.safeParse({ ...utterance, t_start: 1, t_end: 0.5 });
  expect(result.success).toBe(false);
  expect(result.error?.issues[0]?.path).toContain('t_end');
});

it('gives a live session 900 seconds by default', () => {
  expect(LiveStartSchema.parse({}).ttl_seconds).toBe(900);
  expect(LiveStartSchema.safeParse({ ttl_seconds: 59 }).success).toBe(false);
  expect(LiveStartSchema.safeParse({ ttl_seconds: 3601 }).success).toBe(false);
});

it('reads a suffix in any case and refuses an unknown one', () => {
  expect(LiveStartSchema.parse({ suffix: '.WAV' }).suffix).toBe('.wav');
  expect(LiveStartSchema.safeParse({ suffix: '.flac' }).success).toBe(false);
});

it('accepts one to eight speakers', () => {
  for (const speakers of [1, 8]) expect(LiveStartSchema.parse({ speakers }).speakers).toBe(speakers);
  for (const speakers of [0, 9, 1.5, '2', Number.NaN, true])
    expect(LiveStartSchema.safeParse({ speakers }).success).toBe(false);
});

it('reads the extension of a file name', () => {
  expect(extensionOf('Дзвінок 3.final.WAV')).toBe('.wav');
  expect(extensionOf('noextension')).toBe('');
});
