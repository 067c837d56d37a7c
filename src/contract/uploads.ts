import * as z from 'zod';
import { FilenameSchema } from './limits.ts';
import { AnalysisOptionsSchema } from './options.ts';

/** Body of POST /uploads: a file that will be sent in parts, and the options of its analysis. */
export const NewUploadSchema = z
  .strictObject({
    filename: FilenameSchema,
    bytes: z.number().int().min(1).describe('The size of the file.'),
    ...AnalysisOptionsSchema.shape,
    presigned: z
      .boolean()
      .default(false)
      .describe('Whether the parts are sent directly to the object store, with presigned URLs.'),
  })
  .meta({ id: 'NewUploadRequest' });

/** Body of POST /uploads/{id}/parts/{n}: the ETag of a part that was sent directly to the object store. */
export const StoredPartSchema = z
  .strictObject({
    etag: z
      .string()
      .max(1_024)
      .regex(/^(?:"[\w+/=.-]+"|[\w+/=.-]+)$/, "must be the store's ETag"),
  })
  .meta({ id: 'StoredPartRequest' });

export const UploadPartSchema = z
  .object({ number: z.number().int().min(1), bytes: z.number().int().min(1) })
  .meta({ id: 'UploadPart', description: 'A part that was received.' });

export const UploadSchema = z
  .object({
    id: z.string().describe('The id of the upload, and of the conversation that it becomes.'),
    filename: z.string(),
    bytes: z.number().int().min(1),
    part_bytes: z.number().int().min(1).describe('The size of every part except the last, which may be smaller.'),
    part_count: z.number().int().min(1),
    parts: z.array(UploadPartSchema).describe('The parts that were received, in order.'),
    expires_at: z.iso.datetime().describe('The upload is discarded at this time unless another part arrives first.'),
    part_urls: z
      .array(z.object({ number: z.number().int().min(1), url: z.string() }))
      .optional()
      .describe('Where to PUT the missing parts, for a `presigned` upload.'),
  })
  .meta({ id: 'Upload' });
export type UploadBody = z.infer<typeof UploadSchema>;
