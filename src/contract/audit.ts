import * as z from 'zod';

/** One act of an administrator. */
export const AuditEntrySchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  /** `operator`, with the address of who signed in through Cloudflare Access, or `key <id>`. */
  who: z.string(),
  /** The client's network address; '' where nobody in front of the service tells it. */
  address: z.string(),
  request_id: z.string(),
  /** `key.issued`, `tenant.changed`, … */
  act: z.string(),
  /** The id of what it was done to. */
  subject: z.string(),
  /** What was asked for. */
  changes: z.looseObject({}),
});
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

/** Answer of GET /audit, the newest first. */
export const AuditListSchema = z.object({ entries: z.array(AuditEntrySchema), next_cursor: z.string().nullable() });
export type AuditList = z.infer<typeof AuditListSchema>;
