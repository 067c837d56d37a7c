import { createMiddleware } from 'hono/factory';

/** Redirects a page requested with a trailing slash to the page without it. */
export const withoutTrailingSlash = createMiddleware(async (c, next) => {
  // Uses the path as it was sent. A decoded path may contain characters that are not allowed in a header.
  const { pathname, search } = new URL(c.req.url);
  if (!pathname.endsWith('/') || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next();
  let end = pathname.length;
  while (pathname[end - 1] === '/') end--;
  return c.redirect(`${pathname.slice(0, end)}${search}`, 301);
});
