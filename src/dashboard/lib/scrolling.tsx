import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

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

/** A card that is wider than a phone. It begins at its right end, the newest week, and has a hint where it scrolls. */
export function Sideways({ name, kind, children }: { name: string; kind: string; children: ComponentChildren }) {
  const card = useRef<HTMLElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const box = card.current;
    if (!box) return;
    const measure = (): void => {
      const is = box.scrollWidth > box.clientWidth + 1;
      setWider(is);
      if (is) box.scrollLeft = box.scrollWidth;
    };
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {isWider && <p class="muted sideways">The newest week is on the right. Scroll sideways for earlier ones.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section ref={card} class={`card ${kind} ${isWider ? 'wider' : ''}`} aria-label={name} tabIndex={0}>
        {children}
      </section>
    </>
  );
}
