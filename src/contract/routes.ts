/**
 * The first segment of every route of the service. On a developer's machine, the front door blocks all other paths,
 * because the local runtime handles some of them itself (`/cdn-cgi/...`).
 */
export const ROUTE_ROOTS = [
  'analyze',
  'conversations',
  'uploads',
  'webhooks',
  'rules',
  'people',
  'commitments',
  'moments',
  'playlists',
  'shares',
  'holds',
  'receipts',
  'redactions',
  'members',
  'sign-in',
  'lines',
  'trends',
  'segment',
  'keys',
  'tenants',
  'tokens',
  'session',
  'audit',
  'access-log',
  'mcp',
  'operations',
  'backup',
  'restore',
  'pool',
  'health',
  'ready',
  'docs',
  'openapi.json',
  'schemas',
  'llms.txt',
  'metrics',
  'app',
  'welcome',
  // Redirects to the pages.
  '',
] as const;

/** Static files of the pages. The platform serves them, without the Worker. */
export const ASSETS_ROOT = 'assets';
