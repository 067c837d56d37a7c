import type { ComponentChildren } from 'preact';

/** A card whose table may be wider than the window: it scrolls on its own, with the keyboard too. */
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
