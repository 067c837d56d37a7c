import * as z from 'zod';
import { AccessActSchema } from './access-log.ts';
import { CommitmentExportQuerySchema, CommitmentQuerySchema } from './commitments.ts';
import { ConversationQuerySchema } from './conversations.ts';
import { COURSE_WINDOW_S } from './course.ts';
import { HoldQuerySchema } from './holds.ts';
import { USAGE_DAYS } from './keys.ts';
import { LabelSchema } from './limits.ts';
import { CallbackQuerySchema, MembersQuerySchema, SignInQuerySchema } from './members.ts';
import { OPERATIONS_HOURS } from './operations.ts';
import { LineExportQuerySchema, LineQuerySchema, MomentExportQuerySchema, MomentQuerySchema } from './patterns.ts';
import { PersonProposalsQuerySchema } from './people.ts';
import { SharedPlaylistQuerySchema } from './playlists.ts';
import { ReceiptQuerySchema } from './receipts.ts';
import { RuleMatchesQuerySchema } from './rules.ts';
import { ShareOpensQuerySchema, ShareQuerySchema } from './shares.ts';
import { TrendExportQuerySchema, TrendQuerySchema } from './trends.ts';
import { nearestName, unknownName } from './unknown-names.ts';

/** Limit on the number of entries on a page. */
const PAGE = 100;

const cursor = z.string().describe('`next_cursor` of the previous page.');
const limit = z.coerce.number().int().min(1).max(PAGE).default(PAGE).describe('Entries per page.');

/**
 * Query of POST /analyze. `true` and `1` turn it on, `false` and `0` turn it off, and any other value is a 400
 * (decisions: `stream=true`).
 */
export const AnalyzeQuerySchema = z.object({
  stream: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 'false', '0'], 'must be true, 1, false or 0'))
    .default('false')
    .transform((value) => value === 'true' || value === '1')
    .describe('`true` or `1` streams the events, like `/analyze/stream`; otherwise `false` or `0`.'),
});

/** Query of GET /conversations/{id}/media. */
export const MediaQuerySchema = z.object({
  original: z
    .enum(['true', 'false'])
    .default('false')
    .describe('Whether to return the original upload instead of the rendition for browsers.'),
});

/** Query of GET /conversations/{id}/course. */
export const CourseQuerySchema = z.object({
  window: z.coerce
    .number()
    .min(COURSE_WINDOW_S.least)
    .max(COURSE_WINDOW_S.most)
    .default(COURSE_WINDOW_S.default)
    .describe('Length of a window, seconds.'),
});

/** Query of GET /conversations/{id}/events. */
export const EventsQuerySchema = z.object({
  speed: z.coerce
    .number()
    .min(0.1)
    .max(100)
    .optional()
    .describe('Playback speed: 1 is the speed of the conversation. Absent: all events at once.'),
});

export const ExportFormatSchema = z
  .enum(['json', 'txt', 'md', 'srt', 'vtt', 'csv', 'html'])
  .meta({ id: 'ExportFormat', description: 'The formats of an export.' });
export type ExportName = z.infer<typeof ExportFormatSchema>;
export const ExportQuerySchema = z.object({ format: ExportFormatSchema });

/** Query of GET /conversations/export and GET /tenants/{id}/export. */
export const TenantExportQuerySchema = z.object({
  after: LabelSchema.default('').describe('The id of the last conversation that you received.'),
});

/** Query of GET /tenants. */
export const TenantsQuerySchema = z.object({ cursor: cursor.default(''), limit });

/** Query of POST /tenants/{id}/reindex. */
export const ReindexQuerySchema = z.object({ cursor: cursor.default('') });

/** Query of POST /backup and POST /restore. */
export const BackupQuerySchema = z.object({ cursor: z.string().max(1100).default('') });

/** Query of GET /keys. */
export const KeysQuerySchema = z.object({
  tenant: z.string().optional().describe('The id of a tenant. Absent: all tenants, if the operator asks.'),
  cursor: cursor.default(''),
});

/** Query of GET /keys/{id}/usage. */
export const UsageQuerySchema = z.object({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(USAGE_DAYS.max)
    .default(USAGE_DAYS.default)
    .describe('Number of days, today included.'),
});

/** Query of GET /operations. */
export const OperationsQuerySchema = z.object({
  hours: z.coerce
    .number()
    .int()
    .min(1)
    .max(OPERATIONS_HOURS.max)
    .default(OPERATIONS_HOURS.default)
    .describe('Number of hours, the current one included.'),
});

const numberCursor = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the next_cursor of an earlier response')
  .transform(Number)
  .optional()
  .describe('`next_cursor` of the previous page.');

/** Query of GET /audit. */
export const AuditQuerySchema = z.object({
  tenant: z
    .string()
    .optional()
    .describe('The id of a tenant. Absent: the actions that concern no tenant, if the operator asks.'),
  cursor: numberCursor,
  limit,
});

const id = z.string().min(1).max(200).optional();
const accessSelection = {
  tenant: z
    .string()
    .optional()
    .describe("The id of a tenant. Absent: the key's own tenant; the operator must name one."),
  conversation_id: id.describe('Only what was done with this conversation.'),
  person: id.describe('The id of a person. Only what was done with conversations in which this person speaks.'),
  key_id: id.describe('Only what was done with this key.'),
  share_id: id.describe('Only what was done with this share.'),
  act: AccessActSchema.optional(),
  since: z.iso.datetime().optional().describe('Only what was done at or after this time.'),
};

/** Query of GET /access-log. */
export const AccessLogQuerySchema = z.object({ ...accessSelection, cursor: numberCursor, limit });
export type AccessLogQuery = z.infer<typeof AccessLogQuerySchema>;

/** Query of GET /access-log/export. */
export const AccessLogExportQuerySchema = z.object({ ...accessSelection, format: z.enum(['csv']).default('csv') });

/** Query of GET /conversations/{id}/access. */
export const ConversationAccessQuerySchema = z.object({ cursor: numberCursor, limit });
export type ConversationAccessQuery = z.infer<typeof ConversationAccessQuerySchema>;

/** The queries of the routes that have one, by `METHOD /path/:name`. */
export const QUERIES: Readonly<Record<string, z.ZodObject>> = {
  'POST /analyze': AnalyzeQuerySchema,
  'GET /conversations': ConversationQuerySchema,
  'GET /conversations/export': TenantExportQuerySchema,
  'GET /conversations/:conversation_id/media': MediaQuerySchema,
  'GET /conversations/:conversation_id/course': CourseQuerySchema,
  'GET /conversations/:conversation_id/events': EventsQuerySchema,
  'GET /conversations/:conversation_id/export': ExportQuerySchema,
  'GET /commitments': CommitmentQuerySchema,
  'GET /commitments/export': CommitmentExportQuerySchema,
  'GET /moments': MomentQuerySchema,
  'GET /lines': LineQuerySchema,
  'GET /trends': TrendQuerySchema,
  'GET /moments/export': MomentExportQuerySchema,
  'GET /lines/export': LineExportQuerySchema,
  'GET /trends/export': TrendExportQuerySchema,
  'GET /playlists/:playlist_id/pieces': SharedPlaylistQuerySchema,
  'GET /shares': ShareQuerySchema,
  'GET /shares/:share_id/opens': ShareOpensQuerySchema,
  'GET /holds': HoldQuerySchema,
  'GET /receipts': ReceiptQuerySchema,
  'GET /people/:person_id/proposals': PersonProposalsQuerySchema,
  'GET /rules/:rule_id/matches': RuleMatchesQuerySchema,
  'GET /tenants': TenantsQuerySchema,
  'GET /tenants/:tenant_id/export': TenantExportQuerySchema,
  'POST /tenants/:tenant_id/reindex': ReindexQuerySchema,
  'GET /keys': KeysQuerySchema,
  'GET /keys/:key_id/usage': UsageQuerySchema,
  'GET /sign-in': SignInQuerySchema,
  'GET /sign-in/callback': CallbackQuerySchema,
  'GET /members': MembersQuerySchema,
  'PUT /members/:email': MembersQuerySchema,
  'DELETE /members/:email': MembersQuerySchema,
  'GET /operations': OperationsQuerySchema,
  'POST /backup': BackupQuerySchema,
  'POST /restore': BackupQuerySchema,
  'GET /audit': AuditQuerySchema,
  'GET /access-log': AccessLogQuerySchema,
  'GET /access-log/export': AccessLogExportQuerySchema,
  'GET /conversations/:conversation_id/access': ConversationAccessQuerySchema,
};

/** Query parameters that authenticate a request, on every route. */
const CREDENTIALS = ['api_key', 'token'];

/** The specification's own routes. Their clients may add parameters of their own, such as one that bypasses caches. */
const SPECIFIED = /^\w+ \/(analyze(\/stream|\/live\/.*)?|segment\/conversation|metrics|health)$/;
/**
 * Pages and documents, whose queries are for their scripts and for sites that link to them, and the callback of an
 * issuer, which adds parameters of its own.
 */
const PAGES = /^GET \/(|sign-in\/callback|app(\/.*)?|docs(\/.*)?|schemas\/.*|openapi\.json|llms\.txt)$/;

/** Whether a route refuses query parameters that it does not know. */
export const checksQuery = (route: string): boolean => !PAGES.test(route);

/**
 * The fault of a query: its first unknown parameter. The specification's routes accept an unknown parameter unless it
 * resembles a known one.
 * @param route `METHOD /path/:name`
 */
export function queryFault(route: string, names: Iterable<string>): string | undefined {
  if (!checksQuery(route)) return undefined;
  const known = [...Object.keys(QUERIES[route]?.shape ?? {}), ...CREDENTIALS];
  const isTolerated = (name: string) => SPECIFIED.test(route) && nearestName(name, known) === undefined;
  return unknownName(
    'query parameter',
    [...names].filter((name) => known.includes(name) || !isTolerated(name)),
    known,
  );
}

/** Body of POST /session. */
export const SignInSchema = z
  .strictObject({ token: z.string().describe('The admin token.') })
  .meta({ id: 'SignInRequest' });
