import * as z from 'zod';
import { LIMITS, textOf } from './limits.ts';
import { UsageLimitsSchema } from './tenants.ts';

/** What a key may be allowed to do. `admin` manages the keys of its own tenant and allows nothing else. */
export const SCOPES = ['analyze', 'read', 'delete', 'live', 'admin'] as const;
export const ScopeSchema = z.enum(SCOPES).meta({ id: 'Scope' });
export type Scope = z.infer<typeof ScopeSchema>;

/** What a key may do that was given no scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['analyze', 'read', 'delete', 'live'];

/** Keys of a tenant that stand at a time. */
export const MAX_KEYS = 1000;
/** How long the key that a rotation replaces still stands, seconds. */
export const OVERLAP_SECONDS = { min: 0, max: 90 * 86_400, default: 86_400 } as const;
/** Days that the usage of a key can be asked for at once, and those of a request that names none. */
export const USAGE_DAYS = { max: 400, default: 31 } as const;

const LabelSchema = textOf(LIMITS.labelChars).trim().min(1, 'must not be empty');
const ScopesSchema = z
  .array(ScopeSchema)
  .min(1, 'must name a scope')
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)));
const FutureSchema = z.iso
  .datetime({ offset: true, error: 'must be a time of ISO 8601' })
  .refine((text) => Date.parse(text) > Date.now(), 'must lie in the future');

/** Body of POST /keys. */
export const NewKeySchema = z
  .strictObject({
    label: LabelSchema,
    tenant: z.string().optional().describe("An operator's to give; else that of the key that makes it."),
    scopes: ScopesSchema.optional().describe('All but `admin` when absent.'),
    expires_at: FutureSchema.nullish(),
    limits: UsageLimitsSchema.optional().describe("An operator's to give."),
  })
  .meta({ id: 'NewKeyRequest' });
export type NewKey = z.infer<typeof NewKeySchema>;

/** Body of PATCH /keys/{id}: what is absent stays; limits that are named replace all of before. */
export const KeyPatchSchema = z
  .strictObject({
    label: LabelSchema,
    scopes: ScopesSchema,
    expires_at: FutureSchema.nullable(),
    limits: UsageLimitsSchema,
  })
  .partial()
  .meta({ id: 'KeyPatchRequest', description: 'What is absent stays; limits that are named replace all of before.' });
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
      .describe('How long the old key still stands.'),
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
      .enum(['issued', 'settings'])
      .describe('`settings`: of API_KEYS or DEMO_API_KEY, and changed there alone.'),
    status: z.enum(['active', 'expired', 'revoked']),
    created_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe('Right to some seconds.'),
    replaced_by: z.string().nullable().describe('The key that a rotation made in its place.'),
  })
  .meta({ id: 'Key', description: 'A key as it is told; itself it is shown once, when it is made, and kept nowhere.' });
export type KeyBody = z.infer<typeof KeySchema>;

/** Answer of POST /keys and of a rotation: the only place where `key` stands. */
export const IssuedKeySchema = KeySchema.extend({ key: z.string().describe('Shown this once.') }).meta({
  id: 'IssuedKey',
});
export type IssuedKey = z.infer<typeof IssuedKeySchema>;

export const RotatedKeySchema = IssuedKeySchema.extend({ replaces: KeySchema }).meta({ id: 'RotatedKey' });
export type RotatedKey = z.infer<typeof RotatedKeySchema>;

export const KeyListSchema = z
  .object({ keys: z.array(KeySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyListSchema>;

/** Answer of POST and GET /session. */
export const OperatorSessionSchema = z
  .object({
    operator: z.string().describe('`operator`, with the address of who came through Cloudflare Access.'),
    expires_at: z.iso.datetime().nullable().describe('Null where nothing of the service ends it.'),
  })
  .meta({ id: 'OperatorSession' });
export type OperatorSessionBody = z.infer<typeof OperatorSessionSchema>;

/** Answer of GET /welcome. */
export const WelcomeSchema = z
  .object({
    demo_key: z
      .string()
      .nullable()
      .describe('The key that anybody may try the service with; null where there is none.'),
    operator: z.string().nullable().describe('Who is signed in as the operator in this browser; null when nobody is.'),
  })
  .meta({ id: 'Welcome', description: 'What a page has to know before anybody signs in.' });
export type WelcomeBody = z.infer<typeof WelcomeSchema>;

export const DayUsageSchema = z
  .object({
    day: z.iso.date(),
    requests: z.number().int().min(0),
    audio_minutes: z.number().min(0),
    refusals: z.number().int().min(0),
  })
  .meta({ id: 'DayUsage', description: 'What a key did on one day (UTC).' });
export type DayUsage = z.infer<typeof DayUsageSchema>;

export const KeyUsageSchema = z.object({ id: z.string(), days: z.array(DayUsageSchema) }).meta({ id: 'KeyUsage' });
