import * as z from 'zod';

export const AuditEntrySchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    who: z
      .string()
      .describe('`operator`, with the e-mail address when signed in through Cloudflare Access, or `key <id>`.'),
    address: z.string().describe("The client's network address; '' if it is unknown."),
    request_id: z.string(),
    act: z.string().describe('`key.issued`, `tenant.changed`, `hold.set`, ...'),
    subject: z.string().describe('The id of the key, tenant or other object that was changed.'),
    changes: z.looseObject({}).describe('The changes that were requested.'),
  })
  .meta({ id: 'AuditEntry', description: 'One action of an administrator, or a hold that a key set or lifted.' });
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

/** Response of GET /audit, newest first. */
export const AuditListSchema = z
  .object({ entries: z.array(AuditEntrySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'AuditList' });
export type AuditList = z.infer<typeof AuditListSchema>;
