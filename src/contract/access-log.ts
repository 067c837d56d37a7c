import * as z from 'zod';

/** The acts that the access log records. */
export const ACCESS_ACTS = [
  'opened',
  'recording_requested',
  'exported',
  'edited',
  'reanalyzed',
  'shared',
  'deleted',
  'refused',
] as const;
export const AccessActSchema = z
  .enum(ACCESS_ACTS)
  .describe('`refused`: the key or token had no permission for the request.')
  .meta({ id: 'AccessAct' });
export type AccessAct = z.infer<typeof AccessActSchema>;

export const AccessEntrySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime().describe('The first of the requests.'),
    until: z.iso.datetime().describe('The last of them.'),
    requests: z.number().int().min(1).describe('Equal requests within ten minutes are one entry.'),
    key_id: z.string(),
    key_label: z.string().nullable().describe('Null if the key no longer exists.'),
    by_token: z.boolean().describe('Whether a browser token of the key was used, for example a shared link.'),
    address: z.string().describe("The client's network address at the first request; '' if it is unknown."),
    act: AccessActSchema,
    route: z
      .string()
      .describe('The route of the last request, for example `GET /conversations/:conversation_id/media`.'),
    share_id: z.string().nullable().describe('The share whose link was used; null if none was.'),
    conversation_id: z.string().nullable().describe('Null for an export of all conversations.'),
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

/** Response of GET /access-log, newest first. */
export const AccessLogSchema = z
  .object({ entries: z.array(AccessEntrySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'AccessLog' });
export type AccessLog = z.infer<typeof AccessLogSchema>;
