import { ErrorBoundary, lazy } from 'preact-iso';
import { isPrinted } from '../paper.ts';
import type { PageState } from '../state.ts';
import { People } from './People.tsx';

// Loaded separately, because it is shown later than the rest, or not at all.
const UtteranceMeasures = lazy(() => import('./Utterance.tsx').then((measures) => measures.UtteranceMeasures));

interface SoundedProps {
  page: PageState;
  rename: ((speaker: number) => void) | undefined;
  openMenu: ((line: number, at: DOMRect) => void) | undefined;
}

/** The third column. It shows the people, or the measures of one utterance. Paper has both. */
export function PeopleTab({ page, rename, openMenu }: SoundedProps) {
  const line = page.selected.value === undefined ? undefined : page.conversation.lines[page.selected.value];
  return (
    <aside class={`col people ${page.tab.value === 'people' || line ? 'open' : ''}`} aria-label="How it sounded">
      {(!line || isPrinted.value) && <People page={page} rename={rename} />}
      {line && (
        <ErrorBoundary>
          <UtteranceMeasures page={page} line={line} openMenu={openMenu} />
        </ErrorBoundary>
      )}
    </aside>
  );
}
