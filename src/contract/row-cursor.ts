import * as z from 'zod';

/** The `cursor` of a list whose pages follow the numbers of its rows. */
export const RowCursorSchema = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the next_cursor of an earlier response')
  .transform(Number)
  .optional()
  .describe('`next_cursor` of the previous page.');
