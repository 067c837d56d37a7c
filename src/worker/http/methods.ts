import type { RouterRoute } from 'hono/types';

/** The methods with a route for this path; empty for an unknown path. */
export function methodsOf(routes: readonly RouterRoute[], path: string): string[] {
  const methods = routes.filter(({ method, path: pattern }) => method !== 'ALL' && matches(pattern, path));
  return [...new Set(methods.map(({ method }) => method))];
}

/** Hono's `:name` matches one segment. */
function matches(pattern: string, path: string): boolean {
  const expected = pattern.split('/');
  const given = path.split('/');
  return expected.length === given.length && expected.every((part, i) => part.startsWith(':') || part === given[i]);
}
