import { createMiddleware } from 'hono/factory';

/** A page that is asked for as a folder is the page without the slash. */
export const withoutTrailingSlash = createMiddleware(async (c, next) => {
  // As it was sent: decoded, it may hold what no header can.
  const { pathname, search } = new URL(c.req.url);
  if (!pathname.endsWith('/') || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next();
  let end = pathname.length;
  while (pathname[end - 1] === '/') end--;
  return c.redirect(`${pathname.slice(0, end)}${search}`, 301);
});
