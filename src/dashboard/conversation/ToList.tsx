import { Icon } from '../lib/icons.tsx';

/** The link from the header of a conversation back to the list, where there is one. */
export function ToList({ home }: { home: string | undefined }) {
  return home === undefined ? null : (
    <a class="crumb" href={home} aria-label="All conversations">
      <Icon name="left" />
    </a>
  );
}
