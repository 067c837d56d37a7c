import * as z from 'zod';

/** The scopes of the people who sign in, by role, so that the table of access applies to people and keys alike. */
export const ROLE_SCOPES = {
  viewer: ['read'],
  analyst: ['analyze', 'read', 'live'],
  manager: ['analyze', 'read', 'delete', 'live', 'admin'],
} as const satisfies Record<string, readonly string[]>;

export const MemberRoleSchema = z
  .enum(Object.keys(ROLE_SCOPES) as [MemberRole, ...MemberRole[]])
  .describe(
    'A `viewer` reads. An `analyst` also analyses, edits and captures live. A `manager` also deletes, and manages keys and members.',
  )
  .meta({ id: 'MemberRole' });
export type MemberRole = keyof typeof ROLE_SCOPES;

/** An e-mail address as it is compared: in lower case. */
export const EmailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'is longer than 254 characters')
  .pipe(z.email('must be an e-mail address'));

/** Limit on the members of a tenant. */
export const MAX_MEMBERS = 1_000;

/** Body of PUT /members/{email}. */
export const NewMemberSchema = z.strictObject({ role: MemberRoleSchema }).meta({ id: 'MemberRequest' });

export const MemberSchema = z
  .object({
    email: z.string(),
    role: MemberRoleSchema,
    added_at: z.iso.datetime(),
    signed_in_at: z.iso.datetime().nullable().describe('The last sign-in; null: never.'),
  })
  .meta({ id: 'Member', description: 'A person who may sign in to a tenant.' });
export type MemberBody = z.infer<typeof MemberSchema>;

/** Response of GET /members, by address. */
export const MemberListSchema = z.object({ members: z.array(MemberSchema) }).meta({ id: 'MemberList' });
export type MemberList = z.infer<typeof MemberListSchema>;

/** Query of GET, PUT and DELETE /members. */
export const MembersQuerySchema = z.object({
  tenant: z
    .string()
    .optional()
    .describe("The id of a tenant. Absent: the caller's own tenant; the operator must name one."),
});

/** Query of GET /sign-in. */
export const SignInQuerySchema = z.object({
  tenant: z.string().max(32).default('default').describe('The tenant to sign in to.'),
  to: z
    .string()
    .max(500)
    .regex(/^\/app(\/[\w/-]*)?$/, 'must be the path of a page')
    .default('/app')
    .describe('The page to open afterwards.'),
});

/** Query of GET /sign-in/callback, as the issuer sends it. */
export const CallbackQuerySchema = z.object({
  code: z.string().max(4_000).optional(),
  state: z.string().max(200).optional(),
  error: z.string().max(200).optional(),
});
