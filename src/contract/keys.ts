import * as z from 'zod';
import { LIMITS, nameOf } from './limits.ts';
import { MemberRoleSchema } from './members.ts';
import { UsageLimitsSchema } from './tenants.ts';

/**
 * The scopes of a key. `admin` manages the keys of its own tenant and permits nothing else. `unredacted` reads what a
 * redaction removed, where the tenant keeps it.
 */
export const SCOPES = ['analyze', 'read', 'delete', 'live', 'admin', 'unredacted'] as const;
export const ScopeSchema = z.enum(SCOPES).meta({ id: 'Scope' });
export type Scope = z.infer<typeof ScopeSchema>;

/** The scopes of a key that was issued without naming any. */
export const DEFAULT_SCOPES: readonly Scope[] = ['analyze', 'read', 'delete', 'live'];

/** Limit on a tenant's valid keys. */
export const MAX_KEYS = 1000;
/** How long a rotated key stays valid, seconds. */
const OVERLAP_SECONDS = { min: 0, max: 90 * 86_400, default: 86_400 } as const;
/** Limit and default for the days of usage in one response. */
export const USAGE_DAYS = { max: 400, default: 31 } as const;

const LabelSchema = nameOf(LIMITS.labelChars).trim().min(1, 'must not be empty');
const ScopesSchema = z
  .array(ScopeSchema)
  .min(1, 'must contain at least one scope')
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)));
const FutureSchema = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time' })
  .refine((text) => Date.parse(text) > Date.now(), 'must be in the future');

/** Body of POST /keys. */
export const NewKeySchema = z
  .strictObject({
    label: LabelSchema,
    tenant: z.string().optional().describe('Only the operator may name one; otherwise the tenant of the calling key.'),
    scopes: ScopesSchema.optional().describe(
      'Absent: all except `admin` and `unredacted`. Only the operator may give `unredacted`.',
    ),
    expires_at: FutureSchema.nullish(),
    limits: UsageLimitsSchema.optional().describe('Only the operator may set limits.'),
  })
  .meta({ id: 'NewKeyRequest' });
export type NewKey = z.infer<typeof NewKeySchema>;

/** Body of PATCH /keys/{id}. */
export const KeyPatchSchema = z
  .strictObject({
    label: LabelSchema,
    scopes: ScopesSchema,
    expires_at: FutureSchema.nullable(),
    limits: UsageLimitsSchema,
  })
  .partial()
  .meta({
    id: 'KeyPatchRequest',
    description: 'Absent members stay unchanged; `limits` replaces all previous limits.',
  });
export type KeyPatch = z.infer<typeof KeyPatchSchema>;

/** Body of POST /keys/{id}/rotate. */
export const RotationSchema = z
  .strictObject({
    overlap_seconds: z
      .number()
      .int()
      .min(OVERLAP_SECONDS.min)
      .max(OVERLAP_SECONDS.max)
      .default(OVERLAP_SECONDS.default)
      .describe('How long the old key stays valid.'),
  })
  .meta({ id: 'RotationRequest' });

export const KeySchema = z
  .object({
    id: z.string(),
    tenant: z.string(),
    label: z.string(),
    scopes: z.array(ScopeSchema),
    limits: UsageLimitsSchema,
    source: z
      .enum(['issued', 'settings', 'sign_in'])
      .describe(
        '`settings`: configured in API_KEYS or DEMO_API_KEY, and only changeable there. `sign_in`: the session of a person.',
      ),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe('Accurate to a few seconds.'),
    replaced_by: z.string().nullable().describe('The key that replaced it in a rotation.'),
  })
  .meta({
    id: 'Key',
    description: 'A key without its secret, which is shown once when the key is issued and stored nowhere.',
  });
export type KeyBody = z.infer<typeof KeySchema>;

/** Response of GET /keys/current. */
export const CurrentKeySchema = KeySchema.pick({
  ...{ id: true, tenant: true, label: true, scopes: true, source: true, created_at: true, expires_at: true },
}).meta({ id: 'CurrentKey', description: 'The key of the request.' });
export type CurrentKeyBody = z.infer<typeof CurrentKeySchema>;

/** Response of POST /keys and of a rotation: the only ones that contain `key`. */
export const IssuedKeySchema = KeySchema.extend({ key: z.string().describe('The secret, shown only once.') }).meta({
  id: 'IssuedKey',
});
export type IssuedKey = z.infer<typeof IssuedKeySchema>;

export const RotatedKeySchema = IssuedKeySchema.extend({ replaces: KeySchema }).meta({ id: 'RotatedKey' });
export type RotatedKey = z.infer<typeof RotatedKeySchema>;

export const KeyListSchema = z
  .object({ keys: z.array(KeySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyListSchema>;

/** Response of POST and GET /session. */
export const OperatorSessionSchema = z
  .object({
    operator: z.string().describe('`operator`, with the e-mail address when signed in through Cloudflare Access.'),
    expires_at: z.iso.datetime().nullable().describe('Null if the service never ends the session by itself.'),
  })
  .meta({ id: 'OperatorSession' });
export type OperatorSessionBody = z.infer<typeof OperatorSessionSchema>;

/** Response of GET /welcome. */
export const WelcomeSchema = z
  .object({
    demo_key: z.string().nullable().describe('The public key for trying the service; null if there is none.'),
    operator: z.string().nullable().describe('The operator signed in with this browser; null if nobody is.'),
    has_sign_in: z.boolean().describe('Whether people can sign in with OpenID Connect.'),
    person: z
      .object({ email: z.string(), tenant: z.string(), role: MemberRoleSchema })
      .nullable()
      .describe('The person signed in with this browser; null if nobody is.'),
  })
  .meta({ id: 'Welcome', description: 'The facts that a page needs before anyone signs in.' });
export type WelcomeBody = z.infer<typeof WelcomeSchema>;

export const DayUsageSchema = z
  .object({
    day: z.iso.date(),
    requests: z.number().int().min(0),
    audio_minutes: z.number().min(0),
    refusals: z.number().int().min(0),
  })
  .meta({ id: 'DayUsage', description: 'The usage of a key on one day (UTC).' });
export type DayUsage = z.infer<typeof DayUsageSchema>;

export const KeyUsageSchema = z.object({ id: z.string(), days: z.array(DayUsageSchema) }).meta({ id: 'KeyUsage' });
