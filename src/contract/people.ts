import * as z from 'zod';
import { LIMITS, lineOf } from './limits.ts';
import { RECORDED_AT } from './recorded-at.ts';
import { RowCursorSchema } from './row-cursor.ts';

/** A role of a speaker, such as `agent`: compared in lower case. */
export const RoleSchema = lineOf(LIMITS.roleChars)
  .toLowerCase()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u, 'must consist of letters, digits, spaces, _ and -')
  .meta({ id: 'RoleInput', description: 'A role, such as `agent`, `customer` or `host`. It is kept in lower case.' });

/** A name of a speaker. It cannot be mistaken for a label. */
export const SpeakerNameSchema = lineOf(LIMITS.labelChars).refine(
  (name) => !/^Speaker_\d+$/.test(name),
  'must not look like a speaker label',
);

const external = lineOf(LIMITS.labelChars)
  .nullable()
  .describe('The id of the person in another system, such as a directory. No two people have the same.');

/** Body of POST /people. */
export const NewPersonSchema = z
  .strictObject({
    name: SpeakerNameSchema.describe('The name that is shown for the speaker.'),
    role: RoleSchema.nullable().optional(),
    external_id: external.optional(),
  })
  .meta({ id: 'NewPersonRequest' });
export type NewPerson = z.infer<typeof NewPersonSchema>;

/** Body of PATCH /people/{id}. */
export const PersonPatchSchema = z
  .strictObject({
    name: SpeakerNameSchema,
    role: RoleSchema.nullable(),
    external_id: external,
  })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change something')
  .meta({ id: 'PersonPatchRequest' });
export type PersonPatch = z.infer<typeof PersonPatchSchema>;

export const PersonSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    role: z.string().nullable(),
    external_id: z.string().nullable(),
    conversations: z.number().int().min(0).describe('Number of conversations in which the person is a speaker.'),
    pending: z.number().int().min(0).describe('Number of those that have yet to show the last change.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Person', description: 'Somebody who may be a speaker in any conversation of the tenant.' });
export type PersonBody = z.infer<typeof PersonSchema>;

/** Response of GET /people. */
export const PersonListSchema = z.object({ people: z.array(PersonSchema).describe('By name.') }).meta({
  id: 'PersonList',
});

/** Response of DELETE /people/{id}. */
export const PersonRemovalSchema = z
  .object({
    id: z.string(),
    deleted_at: z.iso.datetime(),
    conversations: z.number().int().min(0).describe('Number of conversations that named the person.'),
    pending: z
      .number()
      .int()
      .min(0)
      .describe('Number of those that are still being written without the name. It takes seconds.'),
  })
  .meta({ id: 'PersonRemoval', description: 'The person no longer exists.' });
export type PersonRemoval = z.infer<typeof PersonRemovalSchema>;

export const NameProposalSchema = z
  .object({
    speaker: z.string().describe('The label of the speaker.'),
    name: z.string(),
    from: z
      .enum(['introduction', 'address'])
      .describe('`introduction`: the speaker says the name. `address`: the other speaker does.'),
    sure: z.boolean().describe('Whether the words leave no doubt, and nothing contradicts them.'),
    utterance_id: z.string(),
    t_start: z.number().min(0).describe('Seconds from the start of the recording.'),
    quote: z.string(),
    person_id: z.string().nullable().describe('The only person of the tenant with this name; null: there is none.'),
  })
  .meta({ id: 'NameProposal', description: 'A name that was heard for a speaker.' });

export const RoleProposalSchema = z
  .object({
    speaker: z.string().describe('The label of the speaker.'),
    role: z.enum(['agent', 'customer', 'doctor', 'patient']),
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: 'RoleProposal', description: 'A role that the words of both speakers show.' });

/** Response of GET /conversations/{id}/proposals. */
export const ProposalsSchema = z
  .object({
    conversation_id: z.string(),
    names: z.array(NameProposalSchema).describe('For speakers without a name, the surest first.'),
    roles: z
      .array(RoleProposalSchema)
      .describe('For a conversation of two, unless it is not clear who has which role. Empty otherwise.'),
  })
  .meta({ id: 'Proposals', description: 'Names and roles that may be those of speakers. None is applied by itself.' });
export type Proposals = z.infer<typeof ProposalsSchema>;

/** Query of GET /people/{id}/proposals. */
export const PersonProposalsQuerySchema = z.object({
  cursor: RowCursorSchema,
});
export type PersonProposalsQuery = z.infer<typeof PersonProposalsQuerySchema>;

export const PersonProposalSchema = NameProposalSchema.omit({ person_id: true })
  .extend({ conversation_id: z.string(), title: z.string(), created_at: z.iso.datetime(), ...RECORDED_AT })
  .meta({ id: 'PersonProposal', description: 'A speaker without a name who may be a person.' });
export type PersonProposal = z.infer<typeof PersonProposalSchema>;

/** Response of GET /people/{id}/proposals. */
export const PersonProposalsSchema = z
  .object({
    proposals: z.array(PersonProposalSchema).describe('Newest conversations first.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('Older conversations in which the name is said are left to look at; a page may have no proposals.'),
  })
  .meta({ id: 'PersonProposals' });
export type PersonProposals = z.infer<typeof PersonProposalsSchema>;

/** A person as a speaker of a conversation. */
export const SpeakerPersonSchema = z
  .object({ id: z.string(), name: z.string(), role: z.string().nullable() })
  .meta({ id: 'SpeakerPerson' });
export type SpeakerPerson = z.infer<typeof SpeakerPersonSchema>;
