import * as z from 'zod';
import { FixedOptionsSchema } from './options.ts';

/** Limits and default of a browser token's lifetime, seconds. */
export const TOKEN_SECONDS = { min: 60, max: 3600, default: 600 } as const;

/** The kinds of objects that a browser token can be bound to. */
export const TOKEN_KINDS = ['session', 'upload', 'conversation'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
/** The kinds of objects that a token can be bound to. Only a share has a token for a playlist. */
export type GrantKind = TokenKind | 'playlist';

/** Length limit of the id that a token is bound to, characters. */
const ID_CHARS = 128;
const IdSchema = z.string().min(1, 'must not be empty').max(ID_CHARS, `is longer than ${ID_CHARS} characters`);

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
      .describe('One live session (`new`, or the id of an open one), one new upload, or one conversation to read.'),
    ttl_seconds: z.number().int().min(TOKEN_SECONDS.min).max(TOKEN_SECONDS.max).default(TOKEN_SECONDS.default),
    options: FixedOptionsSchema.optional().describe(
      'For a `new` session or upload: options that replace those of the page. The page can only redact more.',
    ),
  })
  .refine(({ for: { session, upload }, options }) => !options || session === 'new' || upload === 'new', {
    path: ['options'],
    message: 'only a token for a new session or upload fixes options',
  })
  .meta({ id: 'NewTokenRequest' });

/** Response of POST /tokens. */
export const TokenSchema = z
  .object({
    token: z.string(),
    expires_at: z.iso.datetime(),
    for: z
      .object({ session: z.string(), upload: z.string(), conversation: z.string() })
      .partial()
      .describe('The id of the object that the token is bound to.'),
    conversation_id: z
      .string()
      .optional()
      .describe('For a `new` session or upload: the conversation that the token creates and can read.'),
  })
  .meta({ id: 'Token' });
export type TokenBody = z.infer<typeof TokenSchema>;
