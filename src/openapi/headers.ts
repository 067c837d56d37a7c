import { UPLOAD_EXTENSIONS } from '../contract/media.ts';
import type { JsonSchema } from './operation.ts';

interface Header {
  description: string;
  schema: JsonSchema;
  example?: string;
}

const text: JsonSchema = { type: 'string' };

/** Headers that a request may carry, beside those that say who asks. */
export const REQUEST_HEADERS: Readonly<Record<string, Header>> = {
  Prefer: {
    description: '`respond-async`: answer 202 at once; the analysis goes on by itself (RFC 7240).',
    schema: text,
    example: 'respond-async',
  },
  'Idempotency-Key': {
    description:
      'New for each thing that is wanted; the same request sent again with it finds what the first one made, for a day.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '5f2c1d3e-8a4b-4c6d-9e7f-0a1b2c3d4e5f',
  },
  'Last-Event-ID': {
    description: 'The id of the last event one has: the stream goes on behind it.',
    schema: { type: 'string', pattern: '^[0-9]{0,15}$' },
    example: '17',
  },
  Range: {
    description: 'One range of bytes (RFC 9110); several are answered with the whole.',
    schema: text,
    example: 'bytes=0-1023',
  },
  'If-Range': {
    description: 'The `ETag` that `Range` is meant for; of another version comes the whole.',
    schema: text,
  },
  'If-None-Match': { description: 'The `ETag` one has: 304 when it is still that.', schema: text },
  'If-Match': { description: 'The `ETag` that it must be: 412 when it is another.', schema: text },
  Accept: {
    description: '`text/plain` or `application/openmetrics-text`: as Prometheus reads it.',
    schema: text,
    example: 'application/json',
  },
};

/** Headers of an object of the store. */
export const OBJECT_REQUEST = ['Range', 'If-Range', 'If-None-Match', 'If-Match'] as const;
export const OBJECT_ANSWER = ['ETag', 'Accept-Ranges'] as const;

/** Headers that answers carry, `X-Request-Id` all of them. */
export const ANSWER_HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'The id of the request: name it when something went wrong.',
    schema: text,
    example: '0d3b7c1e-52f4-4a86-9c0d-7e8f1a2b3c4d',
  },
  'RateLimit-Policy': {
    description: 'The limits of the key and its tenant: `q` are allowed in `w` seconds.',
    schema: text,
    example: '"key";q=12000;w=60, "tenant";q=60000;w=60',
  },
  RateLimit: {
    description: 'What is left of them: `r`, and more in `t` seconds.',
    schema: text,
    example: '"key";r=11998;t=41, "tenant";r=59870;t=41',
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string', pattern: '^[0-9]+$' }, example: '5' },
  Location: { description: 'The path of what was made.', schema: text, example: '/conversations/3f2c…' },
  'Preference-Applied': { description: 'The preference that was followed.', schema: text, example: 'respond-async' },
  ETag: { description: 'Names this version of the bytes.', schema: text, example: '"9b2e…"' },
  'Accept-Ranges': { description: 'Ranges of bytes may be asked for.', schema: { const: 'bytes' } },
  'Content-Range': { description: 'Which bytes these are.', schema: text, example: 'bytes 0-1023/480044' },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: text,
    example: 'attachment; filename="call.srt"',
  },
  'Set-Cookie': { description: 'The session, for the service’s own pages alone.', schema: text },
};

/** Of a file that is sent. */
export const MEDIA_WORDS = `mp4, mov, webm, mp3, wav, m4a or aac, told by the extension of its name (${UPLOAD_EXTENSIONS.join(' ')}).`;
