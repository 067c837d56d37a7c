import { ASSETS_ROOT, ROUTE_ROOTS } from '../../src/contract/routes.ts';

/**
 * The permitted destination of a request, which is a normalised path of the service with its query, or the reason for a
 * refusal.
 */
export type Target = { path: string; isAsset: boolean } | { refused: 'unknown' | 'unreadable' };

const ROOTS: readonly string[] = [...ROUTE_ROOTS, ASSETS_ROOT];
/** The form for proxies also names the host (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/\\?#]*/i;

/**
 * Reads the target of a request line as the local runtime's URL parser would, and normalises it: percent-encoding is
 * decoded and encoded again, `.` and `..` are resolved, `\` becomes `/`, and empty segments are removed. Every reader
 * understands the result in the same way, so a path that begins with a route of the service cannot lead to one of the
 * runtime's.
 */
export function readTarget(raw: string): Target {
  const local = raw.replace(ABSOLUTE_FORM, '');
  if (local === raw && !/^[/\\]/.test(raw)) return { refused: 'unreadable' };
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(local) ?? [];
  const segments = followed(path.split(/[/\\]/).map(decoded));
  if (!ROOTS.includes(segments[0] ?? '')) return { refused: 'unknown' };
  const isAsset = segments[0] === ASSETS_ROOT;
  return { isAsset, path: `/${segments.map(encodeURIComponent).join('/')}${query}` };
}

/** Removes empty segments, except a last one from a trailing slash. */
function followed(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const endsInSlash = ['', '.', '..'].includes(segments.at(-1) ?? '');
  return endsInSlash && kept.length > 0 ? [...kept, ''] : kept;
}

/** A segment that does not decode to UTF-8 is left as it was sent. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
