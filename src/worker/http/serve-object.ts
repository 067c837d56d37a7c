import { ServiceError } from '../../contract/errors.ts';
import type { ByteRange, ObjectInfo, ObjectStore } from '../storage/object-store.ts';

/** Headers of a response that serves an object. */
export interface Served {
  contentType: string;
  /** Whether a client may request a range of the bytes. JSON is always served whole. */
  hasRanges?: true;
  headers?: Record<string, string>;
}

/**
 * Serves an object or, where ranges are allowed, a range of it (RFC 9110, sections 13 and 14). The response is the
 * whole object when the request has several ranges, a malformed range, or an `If-Range` with another version.
 * `If-None-Match` saves a client from downloading a version that it already has.
 * @throws ServiceError NOT_FOUND, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE
 */
export async function serveObject(
  store: ObjectStore,
  key: string,
  request: Request,
  { contentType, hasRanges, headers: more }: Served,
): Promise<Response> {
  const info = await store.head(key);
  if (!info) throw new ServiceError('NOT_FOUND');
  const etag = `"${info.etag}"`;
  const headers = new Headers({
    ...more,
    ETag: etag,
    'Content-Type': contentType,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  if (hasRanges) headers.set('Accept-Ranges', 'bytes');
  if (names(request.headers.get('If-None-Match'), etag)) return new Response(null, { status: 304, headers });
  const ifMatch = request.headers.get('If-Match');
  if (ifMatch !== null && !names(ifMatch, etag)) throw new ServiceError('PRECONDITION_FAILED');
  const ifRange = request.headers.get('If-Range');
  const isAsked = hasRanges && (ifRange === null || ifRange === etag);
  const asked = isAsked ? rangeOf(request.headers.get('Range'), info) : undefined;
  if (asked === null) {
    const detail = `The range lies beyond the end: there are ${info.size} bytes`;
    throw new ServiceError('RANGE_NOT_SATISFIABLE', detail, { headers: { 'Content-Range': `bytes */${info.size}` } });
  }
  const length = asked?.length ?? info.size;
  headers.set('Content-Length', String(length));
  if (asked) headers.set('Content-Range', `bytes ${asked.offset}-${asked.offset + length - 1}/${info.size}`);
  const status = asked ? 206 : 200;
  if (request.method === 'HEAD') return new Response(null, { status, headers });
  const object = await store.get(key, asked);
  if (!object) throw new ServiceError('NOT_FOUND');
  return new Response(object.body, { status, headers });
}

/** Whether a list of entity tags contains one, by weak comparison. */
const names = (list: string | null, etag: string): boolean =>
  (list ?? '').split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()));

/** The requested range. Undefined: the whole object. Null: the range lies beyond the end of the object. */
function rangeOf(header: string | null, { size }: ObjectInfo): ByteRange | undefined | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? null : { offset: size - length, length };
  }
  const offset = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < offset) return undefined;
  return offset >= size ? null : { offset, length: last - offset + 1 };
}
