import * as z from 'zod';

/** When a recording began, as every list of conversations says it. */
export const RECORDED_AT = {
  recorded_at: z.iso.datetime().describe('When the recording began; without that, when it reached the service.'),
  recorded_at_source: z
    .enum(['given', 'assumed'])
    .describe('`given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service.'),
};
