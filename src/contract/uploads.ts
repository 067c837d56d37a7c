import * as z from 'zod';
import { LIMITS, textOf } from './limits.ts';
import { AnalysisOptionsSchema } from './options.ts';

/** Most parts of an upload (R2's limit, and S3's). */
export const MAX_PARTS = 10_000;

/** Body of POST /uploads: a file that will come in parts, and what its analysis is to be. */
export const NewUploadSchema = z
  .strictObject({
    filename: textOf(LIMITS.filenameChars),
    bytes: z.number().int().min(1).describe('Its size.'),
    ...AnalysisOptionsSchema.shape,
    presigned: z
      .boolean()
      .default(false)
      .describe('Whether the parts are to go straight to the store, to addresses that are signed for them.'),
  })
  .meta({ id: 'NewUploadRequest' });
export type NewUpload = z.infer<typeof NewUploadSchema>;

/** Body of POST /uploads/{id}/parts/{n}: a part that went straight to the store, by the ETag it was answered. */
export const StoredPartSchema = z
  .strictObject({ etag: z.string().min(1).max(1_024) })
  .meta({ id: 'StoredPartRequest' });

export const UploadPartSchema = z
  .object({ number: z.number().int().min(1), bytes: z.number().int().min(1) })
  .meta({ id: 'UploadPart', description: 'A part that arrived.' });

export const UploadSchema = z
  .object({
    id: z.string().describe('Of the upload, and of the conversation that comes of it.'),
    filename: z.string(),
    bytes: z.number().int().min(1),
    part_bytes: z
      .number()
      .int()
      .min(1)
      .describe('Every part has this many bytes but the last, which has what is left.'),
    part_count: z.number().int().min(1),
    parts: z.array(UploadPartSchema).describe('Those that arrived, in order.'),
    expires_at: z.iso.datetime().describe('An upload that brings no part until then is given up.'),
    part_urls: z
      .array(z.object({ number: z.number().int().min(1), url: z.string() }))
      .optional()
      .describe('Where the parts that are missing are to be PUT, for an upload that is `presigned`.'),
  })
  .meta({ id: 'Upload' });
export type UploadBody = z.infer<typeof UploadSchema>;
