import type { IconName } from './icons.tsx';

export type NavEntry = readonly [path: string, name: string, icon: IconName];
export const NAV: readonly NavEntry[] = [
  ['/app', 'Conversations', 'list'],
  ['/app/patterns', 'Patterns', 'columns'],
  ['/app/commitments', 'Commitments', 'flag'],
  ['/app/people', 'People', 'people'],
  ['/app/analyse', 'Analyse', 'up'],
  ['/app/live', 'Live', 'mic'],
  ['/app/rules', 'Rules', 'rule'],
  ['/app/keys', 'Settings', 'key'],
  ['/app/operations', 'Operations', 'pulse'],
];
/** The pages that only the palette offers. */
export const ELSEWHERE: readonly NavEntry[] = [
  ['/app/playlists', 'Playlists', 'play'],
  ['/app/receipts', 'Receipts', 'shield'],
  ['/app/webhooks', 'Webhooks', 'bell'],
];

/** The entry of the navigation that a page belongs to. */
export function placeOf(path: string): string {
  if (path.startsWith('/app/conversations') || ['/app/compare', '/app/receipts'].includes(path)) return '/app';
  if (path.startsWith('/app/people/')) return '/app/people';
  if (path.startsWith('/app/rules/')) return '/app/rules';
  if (path.startsWith('/app/webhooks')) return '/app/keys';
  return path.startsWith('/app/playlists') ? '/app/patterns' : path.replace(/\/$/, '');
}

/** The name of a page within a sentence. Undefined for the sign-in itself. */
export function nameOfPage(path: string): string | undefined {
  if (path.startsWith('/app/sign-in')) return undefined;
  if (path.startsWith('/app/conversations/')) return 'the conversation';
  if (path === '/app/compare') return 'Compare';
  return [...NAV.slice(1), ...ELSEWHERE].find(([href]) => path.startsWith(href))?.[1] ?? 'Conversations';
}
