interface Link {
  href: string;
  name: string;
  /** How long it is, in words. */
  size: string;
  when: string;
}

export function LinkList({ name, links }: { name?: string; links: readonly Link[] }) {
  return (
    <ul class="card lists" aria-label={name}>
      {links.map((link) => (
        <li key={link.href}>
          <a href={link.href}>
            <b>
              <bdi>{link.name}</bdi>
            </b>
            <span class="num">{link.size}</span>
            <span class="muted num">{link.when}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
