import * as z from 'zod';

/** The acts that the access log records. */
export const ACCESS_ACTS = [
  'analyzed',
  'opened',
  'listed',
  'recording_requested',
  'exported',
  'edited',
  'reanalyzed',
  'redacted',
  'unredacted',
  'shared',
  'deleted',
  'refused',
] as const;
export const AccessActSchema = z
  .enum(ACCESS_ACTS)
  .describe(
    '`analyzed`: the response to a new recording shows its result. `listed`: a list or a search shows words or summaries of conversations. `unredacted`: somebody read or heard what a redaction removed. `refused`: the key or token had no permission for the request.',
  )
  .meta({ id: 'AccessAct' });
export type AccessAct = z.infer<typeof AccessActSchema>;

export const AccessEntrySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime().describe('The first of the requests.'),
    until: z.iso.datetime().describe('The last of them.'),
    requests: z.number().int().min(1).describe('Equal requests within ten minutes are one entry.'),
    key_id: z.string().describe('`operator ...` for the operator.'),
    key_label: z.string().nullable().describe('Null if the key no longer exists.'),
    by_token: z.boolean().describe('Whether a browser token of the key was used, for example a shared link.'),
    address: z.string().describe("The client's network address at the first request; '' if it is unknown."),
    act: AccessActSchema,
    route: z
      .string()
      .describe('The route of the last request, for example `GET /conversations/:conversation_id/media`.'),
    share_id: z.string().nullable().describe('The share whose link was used; null if none was.'),
    conversation_id: z.string().nullable().describe('Null for lists and exports of several conversations.'),
    title: z.string().nullable().describe('The current title; null if the conversation was deleted or has none.'),
    from_s: z
      .number()
      .min(0)
      .nullable()
      .describe('Start of the requested part of the recording, s, estimated from the bytes; null for other acts.'),
    to_s: z
      .number()
      .min(0)
      .nullable()
      .describe('End of that part, s. A browser requests more than it plays, and often everything up to the end.'),
  })
  .meta({ id: 'AccessEntry', description: 'Access to a stored conversation with a key or a browser token.' });
export type AccessEntry = z.infer<typeof AccessEntrySchema>;

/**
 * How a route shows or changes what is stored of conversations: of the one in its path, of one that its handler names
 * (`accessed`), of each that its handler names with the act (`accessedEach`), or of several.
 */
export interface LoggedRoute {
  act: AccessAct;
  of: 'path' | 'named' | 'each' | 'several';
}

const one = (act: AccessAct): LoggedRoute => ({ act, of: 'path' });
const named = (act: AccessAct): LoggedRoute => ({ act, of: 'named' });
const several = (act: AccessAct): LoggedRoute => ({ act, of: 'several' });

/** The routes that the access log records. A test requires every route that shows what was said to be among them. */
export const LOGGED: Readonly<Record<string, LoggedRoute>> = {
  'POST /analyze': named('analyzed'),
  'POST /analyze/stream': named('analyzed'),
  'POST /analyze/url': named('analyzed'),
  'POST /analyze/stream/url': named('analyzed'),
  'POST /analyze/kept': named('analyzed'),
  'POST /analyze/stream/kept': named('analyzed'),
  'POST /uploads/:upload_id/complete': named('analyzed'),
  'GET /analyze/live/:session_id/events': named('opened'),
  'GET /conversations': several('listed'),
  'GET /conversations/export': several('exported'),
  'POST /conversations/batch': { act: 'edited', of: 'each' },
  'GET /conversations/:conversation_id': one('opened'),
  'GET /conversations/:conversation_id/record': one('opened'),
  'GET /conversations/:conversation_id/levels': one('opened'),
  'GET /conversations/:conversation_id/course': one('opened'),
  'GET /conversations/:conversation_id/events': one('opened'),
  'GET /conversations/:conversation_id/comments': one('opened'),
  'GET /conversations/:conversation_id/proposals': one('opened'),
  'GET /conversations/:conversation_id/media': one('recording_requested'),
  'GET /conversations/:conversation_id/export': one('exported'),
  'PATCH /conversations/:conversation_id': one('edited'),
  'POST /conversations/:conversation_id/undo': one('edited'),
  'POST /conversations/:conversation_id/feedback': one('edited'),
  'POST /conversations/:conversation_id/comments': one('edited'),
  'PATCH /conversations/:conversation_id/comments/:comment_id': one('edited'),
  'DELETE /conversations/:conversation_id/comments/:comment_id': one('edited'),
  'POST /conversations/:conversation_id/reanalyze': one('reanalyzed'),
  'POST /conversations/:conversation_id/redact': one('redacted'),
  'POST /redactions': several('redacted'),
  'GET /conversations/:conversation_id/unredacted': one('unredacted'),
  'GET /conversations/:conversation_id/unredacted/media': one('unredacted'),
  'DELETE /conversations/:conversation_id': one('deleted'),
  'GET /commitments': several('listed'),
  'GET /commitments/export': several('exported'),
  'PATCH /commitments/:commitment_id': named('edited'),
  'GET /moments': several('listed'),
  'GET /lines': several('listed'),
  'GET /moments/export': several('exported'),
  'GET /lines/export': several('exported'),
  'GET /playlists/:playlist_id': several('listed'),
  'POST /playlists/:playlist_id/items': named('opened'),
  'PATCH /playlists/:playlist_id/items/:item_id': named('opened'),
  'GET /playlists/:playlist_id/pieces': several('opened'),
  'GET /playlists/:playlist_id/items/:item_id/media': named('recording_requested'),
  'POST /playlists/:playlist_id/shares': several('shared'),
  'GET /people/:person_id/proposals': several('listed'),
  'POST /rules/try': several('listed'),
  'POST /rules/:rule_id/try': several('listed'),
  'GET /rules/:rule_id/matches': several('listed'),
  'POST /shares': named('shared'),
  'POST /tokens': named('shared'),
  'GET /tenants/:tenant_id/export': several('exported'),
};

/** Response of GET /access-log, newest first. */
export const AccessLogSchema = z
  .object({ entries: z.array(AccessEntrySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'AccessLog' });
export type AccessLog = z.infer<typeof AccessLogSchema>;

/** Days for which a tenant keeps its access log. */
export const ACCESS_LOG_DAYS = { min: 30, max: 3650, default: 400 } as const;

/** The first part of a network address: enough to tell places apart, and too little to name a person. */
export const AddressPrefixSchema = z
  .string()
  .describe("The first part of the client's network address, such as `203.0.113.0/24`; '' if it is unknown.");

export const ConversationAccessEntrySchema = AccessEntrySchema.omit({
  address: true,
  conversation_id: true,
  title: true,
})
  .extend({ address_prefix: AddressPrefixSchema })
  .meta({ id: 'ConversationAccessEntry', description: 'Access to one conversation with a key or a browser token.' });
export type ConversationAccessEntry = z.infer<typeof ConversationAccessEntrySchema>;

/** Response of GET /conversations/{id}/access, newest first. */
export const ConversationAccessSchema = z
  .object({ entries: z.array(ConversationAccessEntrySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'ConversationAccess' });
export type ConversationAccess = z.infer<typeof ConversationAccessSchema>;
