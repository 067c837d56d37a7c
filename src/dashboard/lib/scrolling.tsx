import type { ComponentChildren } from 'preact';

/** A card whose table can be wider than the window. It scrolls separately from the page, also by keyboard. */
export function Scrolling({ name, kind = '', children }: { name: string; kind?: string; children: ComponentChildren }) {
  return (
    <section
      class={`card scr ${kind}`}
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
      tabIndex={0}
    >
      <h2>{name}</h2>
      {children}
    </section>
  );
}
