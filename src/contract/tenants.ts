import * as z from 'zod';
import { LIMITS, textOf } from './limits.ts';
import { AffectModeSchema, WordListSchema } from './options.ts';

/**
 * A tenant: a customer of the service with keys, conversations and limits of its own. Its id begins the path of all that
 * is stored for it and stands inside its keys, so it is written in few letters.
 */
const TENANT_ID = /^[a-z0-9][a-z0-9-]{1,31}$/;
/** Words that would be taken for something else: a kind of entry in API_KEYS, folders of the store. */
const RESERVED: readonly string[] = ['sha256', 'pending'];

/** 2 to 32 of `a-z`, `0-9` and `-`, not beginning with `-`. */
export const isTenantId = (text: string): boolean => TENANT_ID.test(text) && !RESERVED.includes(text);

export const UsageLimitsSchema = z
  .object({
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
      "What may be limited for a key, and for all keys of a tenant together; a limit that is absent is the deployment's.",
  });
export type UsageLimits = z.infer<typeof UsageLimitsSchema>;

/** What an operator chooses for a tenant. */
export const TenantSettingsSchema = z.object({
  limits: UsageLimitsSchema,
  affect: AffectModeSchema.describe(
    'The most that any analysis of the tenant reads of affect: one may read less, and none more.',
  ),
  retention_days: z
    .number()
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('How long what is stored stays; null: until it is deleted.'),
  words: WordListSchema.describe('Names and terms of the tenant, listed with those of each of its analyses.'),
});
export type TenantSettings = z.infer<typeof TenantSettingsSchema>;
export const DEFAULT_TENANT_SETTINGS: TenantSettings = { limits: {}, affect: 'full', retention_days: null, words: [] };

const NameSchema = textOf(LIMITS.labelChars).trim().min(1, 'must not be empty');

/** Body of POST /tenants. */
export const NewTenantSchema = z.strictObject({ name: NameSchema }).meta({ id: 'NewTenantRequest' });

/** Body of PATCH /tenants/{id}: what is absent stays as it is; limits that are named replace all of before. */
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

/** Answer of GET /tenants: those that follow the cursor, by id. */
export const TenantListSchema = z
  .object({
    tenants: z.array(TenantSchema.pick({ id: true, name: true, created_at: true })),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'TenantList' });
export type TenantList = z.infer<typeof TenantListSchema>;

/** Answer of DELETE /tenants/{id}: what there was, and is no more. */
export const TenantReceiptSchema = z
  .object({
    id: z.string(),
    deleted_at: z.iso.datetime(),
    objects: z.number().int().min(0).describe('How many objects of the store.'),
    bytes: z.number().int().min(0).describe('Their bytes.'),
  })
  .meta({ id: 'TenantReceipt' });
export type TenantReceipt = z.infer<typeof TenantReceiptSchema>;

/** Answer of POST /tenants/{id}/reindex, a page: to be asked again with the cursor until there is none. */
export const ReindexAnswerSchema = z
  .object({ conversations: z.number().int().min(0), next_cursor: z.string().nullable() })
  .meta({ id: 'ReindexAnswer' });
export type ReindexAnswer = z.infer<typeof ReindexAnswerSchema>;
