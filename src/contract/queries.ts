import * as z from 'zod';
import { USAGE_DAYS } from './keys.ts';
import { LabelSchema } from './limits.ts';
import { OPERATIONS_HOURS } from './operations.ts';

/** Entries of a page of a list of the operator's, at most. */
const PAGE = 100;

const cursor = z.string().describe('`next_cursor` of the page before.');
const limit = z.coerce.number().int().min(1).max(PAGE).default(PAGE).describe('Entries of a page.');

/** Of POST /analyze. Only `true`/`1` turn it on; any other value than `false`/`0` is a 400 (decisions: `stream=true`). */
export const AnalyzeQuerySchema = z.object({
  stream: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 'false', '0'], 'must be true, 1, false or 0'))
    .default('false')
    .transform((value) => value === 'true' || value === '1')
    .describe('`true` or `1`: the events as they come, as of `/analyze/stream`; else `false` or `0`.'),
});

/** Of GET /conversations/{id}/media. */
export const MediaQuerySchema = z.object({
  original: z.enum(['true', 'false']).default('false').describe('The recording as it was sent.'),
});

/** Of GET /conversations/{id}/events. */
export const EventsQuerySchema = z.object({
  speed: z.coerce.number().min(0.1).max(100).optional().describe('1: as fast as it was spoken. Absent: at once.'),
});

export const ExportFormatSchema = z
  .enum(['json', 'txt', 'md', 'srt', 'vtt', 'csv', 'html'])
  .meta({ id: 'ExportFormat', description: 'What a conversation may be written as.' });
export type ExportName = z.infer<typeof ExportFormatSchema>;
export const ExportQuerySchema = z.object({ format: ExportFormatSchema });

/** Of GET /conversations/export and GET /tenants/{id}/export. */
export const TenantExportQuerySchema = z.object({
  after: LabelSchema.default('').describe('The id of the last conversation one has.'),
});

/** Of GET /tenants. */
export const TenantsQuerySchema = z.object({ cursor: cursor.default(''), limit });

/** Of POST /tenants/{id}/reindex. */
export const ReindexQuerySchema = z.object({ cursor: cursor.default('') });

/** Of GET /keys. */
export const KeysQuerySchema = z.object({
  tenant: z.string().optional().describe('Of which tenant; of all when absent and asked by the operator.'),
  cursor: cursor.default(''),
});

/** Of GET /keys/{id}/usage. */
export const UsageQuerySchema = z.object({
  days: z.coerce.number().int().min(1).max(USAGE_DAYS.max).default(USAGE_DAYS.default).describe('Today and before.'),
});

/** Of GET /operations. */
export const OperationsQuerySchema = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(OPERATIONS_HOURS.max)
    .default(OPERATIONS_HOURS.default)
    .describe('So many hours, the present one among them.'),
});

/** Of GET /audit. */
export const AuditQuerySchema = z.object({
  tenant: z.string().optional().describe('Of which tenant; what concerns none when absent and asked by the operator.'),
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a cursor of an earlier answer')
    .transform(Number)
    .optional()
    .describe('`next_cursor` of the page before.'),
  limit,
});

/** Body of POST /session. */
export const SignInSchema = z
  .strictObject({ token: z.string().describe('The admin token.') })
  .meta({ id: 'SignInRequest' });
