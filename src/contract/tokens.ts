import * as z from 'zod';

/** How long a browser token may live, and one that is asked for without saying. */
export const TOKEN_SECONDS = { min: 60, max: 3600, default: 600 } as const;

/** What a browser token may be for. */
export const TOKEN_KINDS = ['session', 'upload', 'conversation'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Longest id of anything a token may be for. */
const ID_CHARS = 128;
const IdSchema = z.string().min(1, 'must not be empty').max(ID_CHARS, `longer than ${ID_CHARS} characters`);

/** Body of POST /tokens. */
export const NewTokenSchema = z
  .strictObject({
    for: z
      .strictObject({
        session: IdSchema.optional(),
        upload: z.literal('new').optional(),
        conversation: IdSchema.optional(),
      })
      .refine((bound) => Object.values(bound).filter((id) => id !== undefined).length === 1, {
        message: `must name one of ${TOKEN_KINDS.join(', ')}`,
      })
      .describe('One live session (`new`, or one that is open), one upload, or one conversation to read.'),
    ttl_seconds: z.number().int().min(TOKEN_SECONDS.min).max(TOKEN_SECONDS.max).default(TOKEN_SECONDS.default),
  })
  .meta({ id: 'NewTokenRequest' });

/** Answer of POST /tokens. */
export const TokenSchema = z
  .object({
    token: z.string(),
    expires_at: z.iso.datetime(),
    for: z
      .object({ session: z.string(), upload: z.string(), conversation: z.string() })
      .partial()
      .describe('What the token is bound to, by its id.'),
  })
  .meta({ id: 'Token' });
export type TokenBody = z.infer<typeof TokenSchema>;
