import * as z from 'zod';
import { ACCESS_LOG_DAYS } from './access-log.ts';
import { LIMITS, nameOf } from './limits.ts';
import { AffectModeSchema, ChannelRolesSchema, WordListSchema } from './options.ts';
import { SignedReceiptSchema } from './receipts.ts';
import { RedactSchema } from './redaction.ts';

/**
 * The id of a tenant, which is a customer with its own keys, conversations and limits. The id begins the storage path
 * of everything the tenant owns and is part of its keys, so its characters are restricted.
 */
const TENANT_ID = /^[a-z0-9][a-z0-9-]{1,31}$/;
/** Words that mean something else in API_KEYS or in storage paths. */
const RESERVED: readonly string[] = ['sha256', 'pending'];

/** Whether a string is a valid tenant id: 2 to 32 characters from `a-z`, `0-9` and `-`, not starting with `-`. */
export const isTenantId = (text: string): boolean => TENANT_ID.test(text) && !RESERVED.includes(text);

export const UsageLimitsSchema = z
  .strictObject({
    requests_per_minute: z.number().int().min(1).optional(),
    live_sessions: z.number().int().min(0).optional(),
    running_analyses: z.number().int().min(0).optional(),
    audio_minutes_per_day: z.number().min(0).optional(),
    stored_gigabytes: z.number().min(0).optional(),
    file_megabytes: z.number().min(0).optional(),
  })
  .meta({
    id: 'UsageLimits',
    description:
      "Limits of a key, or of all keys of a tenant together. The deployment's limit applies if one is absent.",
  });
export type UsageLimits = z.infer<typeof UsageLimitsSchema>;

/** The settings that the operator chooses for a tenant. */
export const TenantSettingsSchema = z.object({
  limits: UsageLimitsSchema,
  affect: AffectModeSchema.describe(
    'The limit on the affect mode of every analysis of the tenant; an analysis can ask for less.',
  ),
  retention_days: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('Days until conversations are removed; null: they are kept until somebody deletes them.'),
  access_log_days: z
    .number()
    .int()
    .min(ACCESS_LOG_DAYS.min)
    .max(ACCESS_LOG_DAYS.max)
    .describe('Days for which the access log is kept.'),
  redact: RedactSchema.describe(
    'The kinds that every analysis of the tenant redacts; an analysis can only add to them.',
  ),
  keep_original: z
    .boolean()
    .describe(
      'Whether the recording before its redaction, and the words that it removed, are kept apart, readable only with the scope `unredacted`.',
    ),
  words: WordListSchema.describe("The tenant's names and terms, added to the list of each of its analyses."),
  roles: ChannelRolesSchema.nullable().describe(
    'The roles of the channels in every analysis of the tenant that gives none; null: none.',
  ),
});
export type TenantSettings = z.infer<typeof TenantSettingsSchema>;
export const DEFAULT_TENANT_SETTINGS: TenantSettings = {
  limits: {},
  affect: 'full',
  retention_days: null,
  access_log_days: ACCESS_LOG_DAYS.default,
  redact: [],
  keep_original: false,
  words: [],
  roles: null,
};

const NameSchema = nameOf(LIMITS.labelChars).trim().min(1, 'must not be empty');

/** Body of POST /tenants. */
export const NewTenantSchema = z.strictObject({ name: NameSchema }).meta({ id: 'NewTenantRequest' });

/** Body of PATCH /tenants/{id}. Absent members stay unchanged, while `limits` replaces all previous limits. */
export const TenantPatchSchema = z
  .strictObject({ name: NameSchema, ...TenantSettingsSchema.shape })
  .partial()
  .meta({ id: 'TenantPatchRequest' });
export type TenantPatch = z.infer<typeof TenantPatchSchema>;

export const TenantSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: z.iso.datetime(),
    ...TenantSettingsSchema.shape,
  })
  .meta({ id: 'Tenant' });
export type TenantBody = z.infer<typeof TenantSchema>;

/** Response of GET /tenants, ordered by id. */
export const TenantListSchema = z
  .object({
    tenants: z.array(TenantSchema.pick({ id: true, name: true, created_at: true })),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'TenantList' });
export type TenantList = z.infer<typeof TenantListSchema>;

/** Response of DELETE /tenants/{id}, which states what was deleted. */
export const TenantReceiptSchema = z
  .object({
    id: z.string(),
    deleted_at: z.iso.datetime(),
    objects: z.number().int().min(0).describe('Number of deleted objects.'),
    bytes: z.number().int().min(0).describe('Deleted bytes.'),
    signed: SignedReceiptSchema,
  })
  .meta({ id: 'TenantReceipt' });
export type TenantReceipt = z.infer<typeof TenantReceiptSchema>;

/** Response of POST /tenants/{id}/reindex for one page. Repeat the request with the cursor until the cursor is null. */
export const ReindexAnswerSchema = z
  .object({ conversations: z.number().int().min(0), next_cursor: z.string().nullable() })
  .meta({ id: 'ReindexAnswer' });
export type ReindexAnswer = z.infer<typeof ReindexAnswerSchema>;
