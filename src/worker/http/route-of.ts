import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';

/**
 * `METHOD /path/:name` of the route that will handle the request; undefined when no route matches. The first match
 * wins, so `/conversations/export` is not a conversation called "export" and cannot be opened with a token for one.
 */
export function routeOf(c: Context): string | undefined {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route && `${route.method} ${route.path}`;
}
