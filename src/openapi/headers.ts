import { UPLOAD_EXTENSIONS } from '../contract/media.ts';
import type { JsonSchema } from './operation.ts';

interface Header {
  description: string;
  schema: JsonSchema;
  example?: string;
}

const text: JsonSchema = { type: 'string' };

/** Request headers, apart from credentials. */
export const REQUEST_HEADERS: Readonly<Record<string, Header>> = {
  Prefer: {
    description: '`respond-async`: respond with 202 at once; the analysis runs in the background (RFC 7240).',
    schema: text,
    example: 'respond-async',
  },
  'Idempotency-Key': {
    description:
      'A new value for each operation. Within a day, the same request with the same key returns what the first one created.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '5f2c1d3e-8a4b-4c6d-9e7f-0a1b2c3d4e5f',
  },
  'Last-Event-ID': {
    description: 'The id of the last event that you received: the stream continues after it.',
    schema: { type: 'string', pattern: '^[0-9]{0,15}$' },
    example: '17',
  },
  Range: {
    description: 'One range of bytes (RFC 9110); a request for several ranges returns the whole file.',
    schema: text,
    example: 'bytes=0-1023',
  },
  'If-Range': {
    description: 'The `ETag` that `Range` refers to; if the version differs, the whole file is returned.',
    schema: text,
  },
  'If-None-Match': { description: 'The `ETag` that you have: 304 if it is still current.', schema: text },
  'If-Match': { description: 'Must match the current `ETag`. Otherwise the request fails with 412.', schema: text },
  Accept: {
    description: '`text/plain` or `application/openmetrics-text` for the Prometheus format.',
    schema: text,
    example: 'application/json',
  },
};

/** Request headers for a part of a recording. */
export const RANGES = ['Range', 'If-Range'] as const;
/** Request headers about the version of a stored object. */
export const CONDITIONS = ['If-None-Match', 'If-Match'] as const;

/** Response headers; every response has `X-Request-Id`. */
export const ANSWER_HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'The id of the request: quote it when you report a problem.',
    schema: text,
    example: '0d3b7c1e-52f4-4a86-9c0d-7e8f1a2b3c4d',
  },
  'RateLimit-Policy': {
    description: 'The limits of the key and its tenant: `q` requests in `w` seconds.',
    schema: text,
    example: '"key";q=12000;w=60, "tenant";q=60000;w=60',
  },
  RateLimit: {
    description: 'The remainder of the limits: `r` requests; more become available in `t` seconds.',
    schema: text,
    example: '"key";r=11998;t=41, "tenant";r=59870;t=41',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '5',
  },
  'WWW-Authenticate': {
    description: 'For a refused token: `error="invalid_token"` and what is wrong with it (RFC 6750).',
    schema: text,
    example: 'Bearer realm="undertone", error="invalid_token", error_description="The token has expired"',
  },
  Location: { description: 'The path of the new object.', schema: text, example: '/conversations/3f2c...' },
  'Preference-Applied': { description: 'The preference that was applied.', schema: text, example: 'respond-async' },
  ETag: { description: 'Identifies this version of the content.', schema: text, example: '"9b2e..."' },
  'Accept-Ranges': { description: 'Requests for byte ranges are supported.', schema: { const: 'bytes' } },
  'Content-Range': {
    description: 'The range of bytes in this response.',
    schema: text,
    example: 'bytes 0-1023/480044',
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: text,
    example: 'attachment; filename="call.srt"',
  },
  'Undertone-Notes': {
    description: 'Changes to the request, in sentences: what was corrected or ignored. Absent if there were none.',
    schema: text,
    example: 'Entries without text were left out: timeline.3.',
  },
  'Set-Cookie': { description: "The session cookie, for the service's own pages only.", schema: text },
};

/** The formats of a recording. */
export const MEDIA_WORDS = `mp4, mov, webm, mp3, wav, m4a, aac, flac, ogg or opus, recognised by the extension of its name (${UPLOAD_EXTENSIONS.join(' ')}); without an extension by the type of the part, or by its first bytes.`;
