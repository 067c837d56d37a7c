import * as z from 'zod';
import { LIMITS, textOf } from './limits.ts';

/** A speaker as the analysis measured it. Labels of a conversation run from 0 without a gap. */
const SpeakerLabelSchema = z.string().regex(/^Speaker_\d$/, 'must be a speaker of the conversation, as Speaker_0');

/** What a person calls something: one line, no control characters, not empty. */
const nameOf = (max: number) =>
  textOf(max)
    .trim()
    .min(1, 'must not be empty')
    .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be one line without control characters');

const SpeakerNameSchema = nameOf(LIMITS.labelChars).refine(
  (name) => !/^Speaker_\d+$/.test(name),
  'must not look like a label of the service',
);

/** Body of PATCH /conversations/{id} (decisions). At least one member; what is absent stays as it is. */
export const EditSchema = z
  .strictObject({
    /** Null: the name of its file again. */
    title: nameOf(LIMITS.titleChars).nullable(),
    /** All of them: those of before are replaced. */
    labels: z.array(nameOf(LIMITS.tagChars)).max(LIMITS.tags, `more than ${LIMITS.tags} labels`),
    /** By label; null takes a name away. */
    speakers: z.record(SpeakerLabelSchema, SpeakerNameSchema.nullable()),
    /** The first of each pair becomes the second. */
    merge: z.array(z.tuple([SpeakerLabelSchema, SpeakerLabelSchema])).max(LIMITS.speakers),
    /** To a speaker of the conversation, or to one who was not told apart: the first label that is not in use. */
    move: z
      .array(z.object({ utterance_id: textOf(LIMITS.labelChars), speaker: SpeakerLabelSchema }))
      .max(LIMITS.moves, `more than ${LIMITS.moves} entries`),
  })
  .partial()
  .refine((edit) => Object.values(edit).some((value) => value !== undefined), 'says nothing to change');
export type Edit = z.infer<typeof EditSchema>;
