import * as z from 'zod';

export const AuditEntrySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    who: z.string().describe('`operator`, with the address of who signed in through Cloudflare Access, or `key <id>`.'),
    address: z.string().describe("The client's network address; '' where nobody in front of the service tells it."),
    request_id: z.string(),
    act: z.string().describe('`key.issued`, `tenant.changed`, …'),
    subject: z.string().describe('The id of what it was done to.'),
    changes: z.looseObject({}).describe('What was asked for.'),
  })
  .meta({ id: 'AuditEntry', description: 'One act of an administrator.' });
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

/** Answer of GET /audit, the newest first. */
export const AuditListSchema = z
  .object({ entries: z.array(AuditEntrySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'AuditList' });
export type AuditList = z.infer<typeof AuditListSchema>;
