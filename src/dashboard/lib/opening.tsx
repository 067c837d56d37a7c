import { ErrorMessage } from './error-message.tsx';
import { Page } from './page.tsx';

/** A title within a sentence. Abbreviations keep their letters. */
const inSentence = (title: string): string =>
  /^\p{Lu}\p{Lu}/u.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

/** A page that is loading: its title, and what it loads once that takes a while. */
export function Opening({ title }: { title: string }) {
  return (
    <Page title={title}>
      <div class="card sk late" role="status">
        Loading {inSentence(title)} …
      </div>
    </Page>
  );
}

/** A page without its data: it is loading, or could not be loaded. */
export function Unready({ title, error, again }: { title: string; error: unknown; again: () => void }) {
  if (error === undefined) return <Opening title={title} />;
  return (
    <Page title={title}>
      <ErrorMessage error={error} retry={again} />
    </Page>
  );
}
