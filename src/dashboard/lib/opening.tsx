import { Page } from './page.tsx';

/** A page that is loading: its title, and a grey shape once that takes a while. */
export function Opening({ title }: { title: string }) {
  return (
    <Page title={title}>
      <div class="card sk late" role="status" aria-label="Loading" />
    </Page>
  );
}
