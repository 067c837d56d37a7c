import type { ComponentChildren } from 'preact';
import { Icon } from '../../lib/icons.tsx';
import type { PageState } from '../state.ts';

/** Parts shared by both views of the column. */

/** @param title the meaning of the name */
export function Fact({ name, title, children }: { name: string; title?: string; children: ComponentChildren }) {
  return (
    <>
      <dt>
        {title === undefined ? (
          name
        ) : (
          <span class="defn" title={title}>
            {name}
          </span>
        )}
      </dt>
      <dd>{children}</dd>
    </>
  );
}

/** @param kind a further class of the button */
export function CloseButton({ page, kind = '' }: { page: PageState; kind?: string }) {
  return (
    <button
      type="button"
      class={`btn sm icon ghost ${kind}`}
      aria-label="Close"
      onClick={() => {
        page.select(undefined);
        if (page.tab.peek() === 'people') page.tab.value = 'transcript';
      }}
    >
      <Icon name="close" size={16} />
    </button>
  );
}

export function Notice({ kind, children }: { kind: 'warn' | 'info' | 'shield'; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind === 'warn' ? 'warn' : ''}`}>
      <Icon name={kind === 'warn' ? 'warning' : kind} size={16} />
      <span>{children}</span>
    </div>
  );
}
