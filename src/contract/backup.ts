import * as z from 'zod';

const count = z.number().int().min(0);

/** Response of POST /backup and POST /restore for one step. Repeat the request with the cursor until it is null. */
export const BackupAnswerSchema = z
  .object({
    tenants: count.describe('Tenants whose rows were written in this step.'),
    objects: count.describe('Objects that were copied.'),
    bytes: count.describe('Their bytes.'),
    removed: count.describe('Objects of the backup that were removed, because what they belong to was erased.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'BackupAnswer' });
export type BackupAnswer = z.infer<typeof BackupAnswerSchema>;
