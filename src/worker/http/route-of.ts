import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';

/**
 * `METHOD /path/:name` of the route that will answer; undefined when no route matches. The first match wins:
 * `/conversations/export` is not a conversation called "export", and no token for such a conversation opens it.
 */
export function routeOf(c: Context): string | undefined {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route && `${route.method} ${route.path}`;
}
