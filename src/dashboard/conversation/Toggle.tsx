import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** A button that switches something on and off. */
export function Toggle(p: { of: Signal<boolean>; kind: string; title: string; children: ComponentChildren }) {
  return (
    <button
      type="button"
      class={p.kind}
      aria-pressed={p.of.value}
      title={p.title}
      onClick={() => {
        p.of.value = !p.of.peek();
      }}
    >
      {p.children}
    </button>
  );
}
