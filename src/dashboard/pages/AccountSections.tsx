import { key } from '../lib/session.ts';

export const SECTIONS = [
  ['keys', 'Keys'],
  ['members', 'Members'],
  ['settings', 'Settings'],
  ['data', 'Data'],
] as const;
export type AccountSection = (typeof SECTIONS)[number][0];

interface SectionsProps {
  current: AccountSection | 'webhooks';
  /** The tenant that the operator has chosen. */
  tenant?: string | undefined;
}

/** Links between the pages of a tenant: its keys, members, settings, data and webhooks. */
export const AccountSections = ({ current, tenant }: SectionsProps) => (
  <nav class="sections" aria-label="Settings">
    {SECTIONS.map(([section, name]) => (
      <a key={section} href={addressOf(section, tenant)} aria-current={section === current ? 'page' : undefined}>
        {name}
      </a>
    ))}
    {/* They are of the tenant of the key, whichever the operator has chosen. */}
    {key.value !== undefined && (
      <a href="/app/webhooks" aria-current={current === 'webhooks' ? 'page' : undefined}>
        Webhooks
      </a>
    )}
  </nav>
);

function addressOf(section: AccountSection, tenant: string | undefined): string {
  const query = new URLSearchParams({ ...(section !== 'keys' && { section }), ...(tenant && { tenant }) });
  return query.size === 0 ? '/app/keys' : `/app/keys?${query}`;
}
