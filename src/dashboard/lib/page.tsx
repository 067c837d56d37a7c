import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { day } from './format.ts';

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
              <PrintedOn />
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

/** The date of printing, on paper alone. */
export function PrintedOn() {
  const [at, setAt] = useState(() => new Date());
  useEffect(() => {
    const paper = matchMedia('print');
    const update = (): void => setAt(new Date());
    addEventListener('beforeprint', update);
    paper.addEventListener('change', update);
    return () => {
      removeEventListener('beforeprint', update);
      paper.removeEventListener('change', update);
    };
  }, []);
  return <p class="paper printed">Printed on {day(at.toISOString())}</p>;
}

const Foot = () => <>{foot.value}</>;
