import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { isOpen } from '../lib/statuses.ts';
import '../style/conversations.css';
import '../style/conversations-print.css';
import { ErrorMessage } from '../lib/error-message.tsx';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { service } from '../lib/session.ts';
import { Filters, isNarrowed, queryNow, searchedQuery } from './ConversationFilters.tsx';
import { ConversationRow } from './ConversationRow.tsx';
import { FirstSteps } from './FirstSteps.tsx';

/** How often running analyses are refreshed, ms. */
const AGAIN_MS = 3_000;

/** All conversations of this key's tenant, newest first. */
export function ConversationList() {
  const { route } = useLocation();
  const picked = useSignal<readonly string[] | undefined>(undefined);
  const { cursors } = searchedQuery;
  const depends = Object.values(searchedQuery).map(({ value }) => String(value));
  const { value, error, isSlow, again } = useLoaded(
    (leave) => service().conversations.list(queryNow(), { signal: leave }),
    depends,
  );
  const shown = value?.conversations ?? [];
  const isGoingOn = shown.some(isOpen);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isGoingOn, again]);
  useRowKeys();
  const isEmpty = value !== undefined && shown.length === 0 && !isNarrowed() && cursors.value.length === 0;
  return (
    <Page
      title="Conversations"
      lead={isEmpty ? 'Nothing yet.' : 'All conversations of this key’s tenant, newest first.'}
      tools={
        <div class="row">
          <a class="btn" href="/app/live">
            <Icon name="mic" size={16} /> Go live
          </a>
          <a class="btn pri" href="/app/analyse">
            <Icon name="up" size={16} /> Analyse
          </a>
        </div>
      }
    >
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <>
          <Filters
            picked={picked}
            found={value === undefined ? undefined : shown.length}
            compare={(a, b) => route(`/app/compare?a=${a}&b=${b}`)}
          />
          {error !== undefined && <ErrorMessage error={error} retry={again} />}
          {(value !== undefined || error === undefined) && (
            <>
              <div class="card tb">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Conversation</th>
                      <th scope="col">People</th>
                      <th scope="col">Course</th>
                      <th scope="col">Moments</th>
                      <th scope="col">How it went</th>
                      <th scope="col" class="r">
                        Length
                      </th>
                      <th scope="col" class="r">
                        When
                      </th>
                    </tr>
                  </thead>
                  <tbody aria-busy={value === undefined}>
                    {value === undefined && isSlow && [1, 2, 3].map((i) => <GreyRow key={i} />)}
                    {shown.map((entry) => (
                      <ConversationRow key={entry.conversation_id} entry={entry} picked={picked} />
                    ))}
                  </tbody>
                </table>
                {value !== undefined && shown.length === 0 && <p class="none1">No matches. Try fewer filters.</p>}
              </div>
              <div class="pg">
                <span class="num">{value && `${shown.length} on this page`}</span>
                <span class="sp" />
                <button
                  type="button"
                  class="btn sm"
                  disabled={cursors.value.length === 0}
                  onClick={() => (cursors.value = cursors.value.slice(0, -1))}
                >
                  Previous
                </button>
                <button
                  type="button"
                  class="btn sm"
                  disabled={!value?.next_cursor}
                  onClick={() => {
                    if (value?.next_cursor) cursors.value = [...cursors.value, value.next_cursor];
                  }}
                >
                  Next
                </button>
              </div>
            </>
          )}
        </>
      )}
    </Page>
  );
}

function GreyRow() {
  return (
    <tr>
      <td colSpan={7}>
        <div class="sk" style={{ height: '32px' }} />
      </td>
    </tr>
  );
}

/**
 * j and k move between rows, Enter opens a row, and / searches. These keys have no effect while a field has the focus.
 */
function useRowKeys(): void {
  useEffect(() => {
    const listen = (e: KeyboardEvent): void => {
      if ((e.target as Element).closest('input, select, textarea, dialog') || e.ctrlKey || e.metaKey || e.altKey)
        return;
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
      const at = rows.indexOf(document.activeElement as HTMLElement);
      if (e.key === '/') document.getElementById('search')?.focus();
      else if (e.key === 'j') rows[Math.min(rows.length - 1, at + 1)]?.focus();
      else if (e.key === 'k') rows[Math.max(0, at - 1)]?.focus();
      else return;
      e.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
