import { ASSETS_ROOT, ROUTE_ROOTS } from '../../src/contract/routes.ts';

/** Where a request may go: the service's own path in one spelling, with its query, or why it may not go anywhere. */
export type Target = { path: string; isAsset: boolean } | { refused: 'unknown' | 'unreadable' };

const ROOTS: readonly string[] = [...ROUTE_ROOTS, ASSETS_ROOT];
/** A proxy's form names the host too (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/\\?#]*/i;

/**
 * Reads the target of a request line as the local runtime's URL parser would, and spells it anew: percent-encoding
 * undone and done again, `.` and `..` followed, `\` as `/`, empty segments left out. What comes out of it means the same
 * to every reader, so a path that begins with a route of the service cannot end at one of the runtime's.
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

/** Without empty segments but for a last one, which a slash at the end leaves. */
function followed(segments: readonly string[]): string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const endsInSlash = ['', '.', '..'].includes(segments.at(-1) ?? '');
  return endsInSlash && kept.length > 0 ? [...kept, ''] : kept;
}

/** Text that is no UTF-8 once decoded stays as it was sent. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
