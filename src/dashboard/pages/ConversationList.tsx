import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { isOpen } from '../lib/statuses.ts';
import '../style/pills.css';
import '../style/conversations.css';
import '../style/conversations-print.css';
import { addressQueryOf, type ListFilters, listFiltersIn } from '../../sdk/page-filters.ts';
import type { ConversationEntry, ConversationSort, ConversationTotals } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { refusedTo } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { service } from '../lib/session.ts';
import { addressWith, Filters, FiltersOnPaper, isNarrowed, PAGE, queryOf } from './ConversationFilters.tsx';
import { ConversationRow, ListKey } from './ConversationRow.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { type Picked, useSelection } from './Selection.tsx';

/** How often running analyses are refreshed, ms. */
const AGAIN_MS = 3_000;

/** All conversations of this key's tenant. */
export function ConversationList() {
  const { query, route } = useLocation();
  const filters = listFiltersIn(query);
  const address = addressWith(filters);
  // Cursors of the pages before, and of the current one.
  const [paged, setPaged] = useState<{ address: string; cursors: readonly string[] }>({ address, cursors: [] });
  const cursors = paged.address === address ? paged.cursors : [];
  const cursor = cursors.at(-1);
  const { value, error, isSlow, again } = useLoaded(
    async (signal) => ({ page: await service().conversations.list(queryOf(filters, cursor), { signal }), address }),
    [address, cursor],
  );
  const { person } = filters;
  const { value: named } = useLoaded(
    async (signal) => (person === '' ? undefined : service().people.get(person, { signal })),
    [person],
  );
  const personName = named?.id === person ? named.name : 'one person';
  // Only the first page has the sums.
  const totals = useRef<{ address: string; sums: ConversationTotals } | undefined>(undefined);
  if (value?.page.totals) totals.current = { address: value.address, sums: value.page.totals };
  const sums = totals.current?.address === address ? totals.current.sums : undefined;
  const shown = value?.page.conversations ?? [];
  const isGoingOn = shown.some(isOpen);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isGoingOn, again]);
  // A text arrives after a pause in typing, when other filters may have changed.
  const narrow = (change: Partial<ListFilters>, isTyping = false): void => {
    const current = listFiltersIn(addressQueryOf(location.search));
    route(addressWith({ ...current, ...change }), isTyping);
  };
  const { picked, dialogs } = useSelection(shown, address, again);
  useRowKeys(shown, picked);
  const isEmpty = value !== undefined && shown.length === 0 && !isNarrowed(filters) && cursors.length === 0;
  return (
    <Page
      title="Conversations"
      lead={isEmpty ? 'Nothing yet.' : undefined}
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
          <Filters filters={filters} narrow={narrow} person={personName} />
          <FiltersOnPaper filters={filters} person={personName} />
          {error !== undefined && <ErrorMessage error={error} text={refusedTo('Conversations', error)} retry={again} />}
          {(value !== undefined || error === undefined) && (
            <>
              <p class="totals" role="status">
                {sums ? <Totals {...sums} /> : value === undefined && isSlow ? 'Loading conversations …' : ' '}
              </p>
              {shown.some(({ result }) => result) && <ListKey />}
              <div class="card tb">
                <table>
                  <Head
                    sort={filters.sort}
                    choose={(sort) => narrow({ sort })}
                    isAll={shown.length > 0 && shown.every(({ conversation_id: id }) => picked.entries.has(id))}
                    pickAll={(isOn) => picked.set(shown, isOn)}
                  />
                  <tbody aria-busy={value === undefined}>
                    {value === undefined && isSlow && [1, 2, 3].map((i) => <GreyRow key={i} />)}
                    {shown.map((entry) => (
                      <ConversationRow
                        key={entry.conversation_id}
                        entry={entry}
                        moment={filters.with}
                        isPicked={picked.entries.has(entry.conversation_id)}
                        pick={(isOn) => picked.set([entry], isOn)}
                        label={(label) => narrow({ label })}
                        remove={() => picked.remove(entry)}
                        again={again}
                      />
                    ))}
                  </tbody>
                </table>
                {value !== undefined && shown.length === 0 && <p class="none1">No matches. Try fewer filters.</p>}
              </div>
              <div class="pg">
                <span class="num">
                  {value && shown.length > 0 && placeIn(cursors.length * PAGE, shown.length, sums?.count)}
                </span>
                <span class="sp" />
                <button
                  type="button"
                  class="btn sm"
                  disabled={cursors.length === 0}
                  onClick={() => setPaged({ address, cursors: cursors.slice(0, -1) })}
                >
                  Previous
                </button>
                <button
                  type="button"
                  class="btn sm"
                  disabled={!value?.page.next_cursor}
                  onClick={() => {
                    const next = value?.page.next_cursor;
                    if (next) setPaged({ address, cursors: [...cursors, next] });
                  }}
                >
                  Next
                </button>
              </div>
            </>
          )}
        </>
      )}
      {dialogs}
    </Page>
  );
}

/** Which conversations a page has: all that are printed. */
const placeIn = (before: number, here: number, all = 0): string =>
  before === 0 && here >= all
    ? `all ${here} shown`
    : `${before + 1} to ${before + here} of ${Math.max(all, before + here)}`;

function Totals({ count, duration_s }: ConversationTotals) {
  const hours = duration_s / 3600;
  return (
    <>
      <b class="num">{count}</b> {count === 1 ? 'conversation' : 'conversations'} ·{' '}
      <b class="num">{hours < 1 ? Math.round(duration_s / 60) : hours.toFixed(1)}</b> {hours < 1 ? 'min' : 'h'}
    </>
  );
}

interface HeadProps {
  sort: ConversationSort;
  choose: (sort: ConversationSort) => void;
  isAll: boolean;
  pickAll: (isOn: boolean) => void;
}

function Head({ sort, choose, isAll, pickAll }: HeadProps) {
  return (
    <thead>
      <tr>
        <th scope="col" class="c-title">
          <label class="pick">
            <input
              type="checkbox"
              aria-label="Select all on this page"
              checked={isAll}
              onChange={(e) => pickAll(e.currentTarget.checked)}
            />
          </label>
          Conversation
        </th>
        <th scope="col" class="c-people">
          People
        </th>
        <th scope="col" class="c-course">
          Course
        </th>
        <th scope="col" class="c-moments">
          Moments
        </th>
        <th scope="col" class="c-offers">
          Offers, promises
        </th>
        <SortHead name="Length" down="longest" up="shortest" sort={sort} choose={choose} />
        <SortHead name="When" down="newest" up="oldest" sort={sort} choose={choose} />
      </tr>
    </thead>
  );
}

function SortHead(
  p: Pick<HeadProps, 'sort' | 'choose'> & { name: string; down: ConversationSort; up: ConversationSort },
) {
  const { name, down, up, sort, choose } = p;
  const order = sort === down ? 'descending' : sort === up ? 'ascending' : undefined;
  return (
    <th scope="col" class={`c-${name.toLowerCase()} r`} aria-sort={order}>
      <button type="button" class="sort" onClick={() => choose(sort === down ? up : down)}>
        {name}
        {order && <Icon name={order === 'descending' ? 'down' : 'upward'} size={13} />}
      </button>
    </th>
  );
}

function GreyRow() {
  // Each column has a cell, because narrow windows hide some of them.
  return (
    <tr>
      <td class="c-title">
        <div class="sk" />
      </td>
      {['people', 'course', 'moments', 'offers', 'length', 'when'].map((name) => (
        <td key={name} class={`c-${name}`}>
          <div class="sk" />
        </td>
      ))}
    </tr>
  );
}

/**
 * j and k move between rows, Enter opens a row, x selects it and X all up to it, and / searches. These keys have no
 * effect while a field has the focus.
 */
function useRowKeys(shown: readonly ConversationEntry[], picked: Picked): void {
  const last = useRef(-1);
  const act = (e: KeyboardEvent): void => {
    const target = e.target as Element;
    if (target.closest('input:not([type=checkbox]), select, textarea, dialog, [role="menu"], [popover]')) return;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
    const row = target.closest('tr')?.querySelector<HTMLElement>('[data-row]') ?? null;
    const at = row ? rows.indexOf(row) : -1;
    const entry = shown[at];
    if (e.key === '/') document.getElementById('search')?.focus();
    else if (e.key === 'j') rows[Math.min(rows.length - 1, at + 1)]?.focus();
    else if (e.key === 'k') rows[Math.max(0, at - 1)]?.focus();
    else if (e.key === 'x' && entry) {
      picked.set([entry], !picked.entries.has(entry.conversation_id));
      last.current = at;
    } else if (e.key === 'X' && entry) {
      const [from, to] = [Math.min(at, Math.max(0, last.current)), Math.max(at, last.current)];
      picked.set(shown.slice(from, to + 1), true);
    } else if (picked.entries.size > 0 && e.key === 'l') picked.label();
    else if (picked.entries.size > 0 && e.key === 'r') picked.review();
    else if (picked.entries.size > 0 && e.key === 'Escape') picked.clear();
    else return;
    e.preventDefault();
  };
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listen = (e: KeyboardEvent): void => latest.current(e);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
