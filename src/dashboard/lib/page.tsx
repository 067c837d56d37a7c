import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';

const foot = signal<ComponentChildren>(null);

/** Shows something below the page, where it covers no part of it. */
export function usePageFoot(shown: ComponentChildren): void {
  useLayoutEffect(() => {
    foot.value = shown;
  });
  useEffect(
    () => () => {
      foot.value = null;
    },
    [],
  );
}

/** A page of text and tables. */
export function Page(p: {
  title: string;
  lead?: ComponentChildren;
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${p.title} · Undertone`;
  }, [p.title]);
  return (
    <>
      <main class="page">
        <div class="in">
          <div class="head">
            <div>
              <h1 class="big">{p.title}</h1>
              {p.lead && <p>{p.lead}</p>}
            </div>
            <span class="sp" />
            {p.tools}
          </div>
          {p.children}
        </div>
      </main>
      <Foot />
    </>
  );
}

const Foot = () => <>{foot.value}</>;
