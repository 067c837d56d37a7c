import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

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
  );
}
