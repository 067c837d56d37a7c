import { expect, it } from 'vitest';
import { z } from 'zod';
import { EditSchema } from '../../src/contract/conversations.ts';
import { NewKeySchema } from '../../src/contract/keys.ts';
import { LIMITS, listOf } from '../../src/contract/limits.ts';
import { ControlSchema, LiveStartSchema } from '../../src/contract/live.ts';
import { SEGMENT_MEMBERS } from '../../src/contract/segmentation.ts';
import { NewTenantSchema } from '../../src/contract/tenants.ts';
import { COGNITIVE_SIGNALS, EMOTIONS, UtteranceSchema } from '../../src/contract/timeline.ts';
import { NewUploadSchema } from '../../src/contract/uploads.ts';

it('validates a list up to its first error', () => {
  const list = listOf(z.object({ n: z.number().max(3) }), 5);
  expect(list.parse([{ n: 1 }, { n: 2, x: 3 }])).toEqual([{ n: 1 }, { n: 2 }]);
  const issues = list.safeParse([{ n: 1 }, { n: 4 }, {}, 5]).error?.issues;
  expect(issues).toMatchObject([{ path: [1, 'n'] }]);
  expect(list.safeParse(Array(6).fill({})).error?.issues).toMatchObject([
    { path: [], message: 'has more than 5 entries' },
  ]);
  // A list of a million errors would exceed the number of arguments of a call.
  expect(listOf(z.object({ a: z.string() }), 1e6).safeParse(Array(500_000).fill(1)).error?.issues).toHaveLength(1);
});

it('limits the texts of a live session, naming the field', () => {
  const faultOf = (result: z.ZodSafeParseResult<unknown>) =>
    result.error?.issues.map(({ path, message }) => [path, message]);
  const x = (chars: number) => 'x'.repeat(chars + 1);
  expect(faultOf(LiveStartSchema.safeParse({ goal: x(LIMITS.goalChars) }))).toEqual([
    [['goal'], 'is longer than 4000 characters'],
  ]);
  expect(faultOf(LiveStartSchema.safeParse({ filename: `${x(LIMITS.filenameChars)}.wav` }))).toEqual([
    [['filename'], 'is longer than 500 characters'],
  ]);
  expect(faultOf(ControlSchema.safeParse({ action: 'cancel', reason: x(LIMITS.reasonChars) }))).toEqual([
    [['reason'], 'is longer than 500 characters'],
  ]);
});

it('reads the members of an utterance that its schema knows', () => {
  const [{ emotions, cognitive_signals, ...members }] = SEGMENT_MEMBERS.timeline;
  expect(Object.keys(UtteranceSchema.shape)).toEqual(expect.arrayContaining([...Object.keys(members), 'emotions']));
  expect(Object.keys(emotions)).toEqual([...EMOTIONS]);
  expect(Object.keys(cognitive_signals)).toEqual([...COGNITIVE_SIGNALS]);
});

it('removes characters that reorder text from names, and leaves those of other scripts', () => {
  const reordered = '\u202Ecod.\u2066exe\u2069 \u200F\u061C';
  const speakers = { Speaker_0: `Ann\u202E` };
  expect(EditSchema.parse({ title: reordered, labels: [`a\u202Eb`], speakers })).toEqual({
    title: 'cod.exe',
    labels: ['ab'],
    speakers: { Speaker_0: 'Ann' },
  });
  expect(EditSchema.safeParse({ title: '\u202E\u202C' }).success).toBe(false);
  expect(NewUploadSchema.parse({ filename: `call\u202Evaw.wav`, bytes: 1 }).filename).toBe('callvaw.wav');
  expect(NewTenantSchema.parse({ name: `Acme\u2067` })).toEqual({ name: 'Acme' });
  expect(NewKeySchema.parse({ label: `\u202Dmine` }).label).toBe('mine');
  for (const name of ['שלום עולם', 'مرحبا', 'नमस्ते', '👩‍👧 a'])
    expect(EditSchema.parse({ title: name })).toEqual({ title: name });
});
