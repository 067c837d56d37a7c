import { ErrorMessage, type ErrorWords } from './error-message.tsx';
import { errorTextOf } from './error-texts.ts';
import { Page } from './page.tsx';

/** A title within a sentence. Abbreviations keep their letters. */
const inSentence = (title: string): string =>
  /^\p{Lu}\p{Lu}/u.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1);

/** A page that is loading: its title, and what it loads once that takes a while. By default this has the page's name. */
export function Opening({ title, loads = inSentence(title) }: { title: string; loads?: string }) {
  return (
    <Page title={title}>
      <div class="card sk late" role="status">
        Loading {loads} …
      </div>
    </Page>
  );
}

/** The words for a page that the key may not read. For other errors, those of their code are used. */
export function refusedTo(page: string, error: unknown): ErrorWords | undefined {
  const { code, remedy } = errorTextOf(error);
  return code === 'FORBIDDEN' ? { what: `This key does not have permission to open ${page}.`, remedy } : undefined;
}

/** A page without its data: it is loading, or could not be loaded. */
export function Unready({ title, error, again }: { title: string; error: unknown; again: () => void }) {
  if (error === undefined) return <Opening title={title} />;
  return (
    <Page title={title}>
      <ErrorMessage error={error} text={refusedTo(title, error)} retry={again} />
    </Page>
  );
}
