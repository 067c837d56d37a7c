/**
 * The first segment of every route of the service. Whatever stands before the Worker on a developer's machine lets
 * nothing else through, since the local runtime answers paths of its own (`/cdn-cgi/…`).
 */
export const ROUTE_ROOTS = [
  'analyze',
  'conversations',
  'uploads',
  'webhooks',
  'segment',
  'keys',
  'tenants',
  'tokens',
  'session',
  'audit',
  'mcp',
  'operations',
  'health',
  'docs',
  'openapi.json',
  'schemas',
  'llms.txt',
  'metrics',
  'app',
  'welcome',
  // The way to the pages.
  '',
] as const;

/** Static files of the pages. The platform answers them, without the Worker. */
export const ASSETS_ROOT = 'assets';
