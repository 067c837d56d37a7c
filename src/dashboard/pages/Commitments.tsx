import '../style/pills.css';
import '../style/commitments.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { dayOf, daysAfter } from '../../sdk/days.ts';
import {
  COMMITMENT_STATES,
  type CommitmentChoices as Filters,
  commitmentFiltersIn as filtersIn,
  commitmentQueryOf as queryOf,
  USUAL_COMMITMENTS as USUAL,
} from '../../sdk/page-filters.ts';
import type { CommitmentEntry, CommitmentList, CommitmentState, OpenQuestionEntry } from '../../sdk/wire.ts';
import { Menu } from '../lib/dialog.tsx';
import { ErrorMessage } from '../lib/error-message.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { shortDate, shortened } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Opening } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { save } from '../lib/save.ts';
import { service } from '../lib/session.ts';
import { isLabel, speakerName } from '../lib/speaker-names.ts';
import { say } from '../lib/tip.tsx';
import { CommitmentRow, isOverdue, otherStates, Place, STATE_WORDS } from './CommitmentRow.tsx';
import { CommitmentStrip } from './CommitmentStrip.tsx';
import { mayBeLater } from './next-weekday.ts';
import { SavedViews } from './SavedViews.tsx';
import type { PiecePlayer } from './shelf/piece-player.ts';
import { pieceOfPlace } from './shelf/pieces.ts';
import { addressOf, Loaded } from './shelf/Shelf.tsx';
import { PlayButton, useShelfPlayer } from './shelf/shelf-player.tsx';

const TITLE = 'Commitments';
const PAGE = 100;
const STATUSES: Readonly<Record<Filters['status'], string>> = {
  open: 'still open',
  offered: 'offered, and not answered',
  done: 'done',
  declined: 'declined',
  all: 'in any state',
};
const DUE: Readonly<Record<Filters['due'], string>> = {
  any: 'at any time',
  passed: 'before today',
  week: 'within 7 days',
  month: 'within 31 days',
};

function addressWith({ status, due, person }: Filters): string {
  const query = new URLSearchParams();
  if (status !== USUAL.status) query.set('status', status);
  if (due !== USUAL.due) query.set('due', due);
  if (person !== '') query.set('person', person);
  return query.size === 0 ? '/app/commitments' : `/app/commitments?${query}`;
}

const isNarrowed = (filters: Filters): boolean => addressWith(filters) !== '/app/commitments';

/** Reads the first pages of the list as one. */
async function read(filters: Filters, pages: number, signal: AbortSignal): Promise<CommitmentList> {
  const { commitments } = service();
  let list = await commitments.list({ ...queryOf(filters), limit: PAGE, signal });
  for (let page = 1; page < pages && list.next_cursor !== null; page++) {
    const next = await commitments.list({ ...queryOf(filters), limit: PAGE, cursor: list.next_cursor, signal });
    list = { ...list, commitments: [...list.commitments, ...next.commitments], next_cursor: next.next_cursor };
  }
  return list;
}

/** The commitments of all conversations: those whose day has passed first, each with its words. */
export function Commitments() {
  const { query, route } = useLocation();
  const filters = filtersIn(query);
  const address = addressWith(filters);
  const [pages, setPages] = useState(1);
  useEffect(() => setPages(1), [address]);
  const { value, error, again } = useLoaded(
    async (signal) => ({ list: await read(filters, pages, signal), address }),
    [address, pages],
  );
  const narrow = (change: Partial<Filters>): void => route(addressWith({ ...filters, ...change }));
  if (!value && error === undefined) return <Opening title={TITLE} />;
  return (
    <Page
      title={TITLE}
      lead="Due dates are calculated from what was said. Where no date was said, there is none."
      tools={error === undefined && <Exports filters={filters} />}
    >
      <Sentence filters={filters} narrow={narrow} list={value?.list} />
      <SavedViews
        path="/app/commitments"
        address={address}
        clear={isNarrowed(filters) ? () => narrow(USUAL) : undefined}
      />
      {error !== undefined && <ErrorMessage error={error} retry={again} />}
      {value && error === undefined && (
        <Owed
          key={value.address}
          list={value.list}
          filters={filters}
          narrow={narrow}
          again={again}
          showMore={() => setPages(pages + 1)}
        />
      )}
    </Page>
  );
}

function Exports({ filters }: { filters: Filters }) {
  const file = (format: 'csv' | 'ics'): void => {
    service()
      .commitments.export(format, queryOf(filters))
      .then(
        (content) => save(content, `commitments.${format}`),
        (reason: unknown) => say(errorTextOf(reason).what),
      );
  };
  return (
    <span class="row">
      <button type="button" class="btn ghost" onClick={() => file('ics')}>
        <Icon name="download" size={16} /> Calendar (ICS)
      </button>
      <button type="button" class="btn" onClick={() => file('csv')}>
        <Icon name="download" size={16} /> Table (CSV)
      </button>
    </span>
  );
}

interface Narrowing {
  filters: Filters;
  narrow: (change: Partial<Filters>) => void;
}

/** The filters as a sentence. */
function Sentence({
  filters: { status, due, person },
  narrow,
  list,
}: Narrowing & { list: CommitmentList | undefined }) {
  const owners = (list?.counts.owners ?? []).filter(({ owner }) => owner !== null);
  // An id is shown as the name that its commitments have.
  const name = owners.some(({ owner }) => owner === person) ? person : (list?.commitments[0]?.owner ?? 'one person');
  return (
    <fieldset class="sentence" aria-label="Filters">
      <span>Commitments that are</span>
      <Pill name="Status" value={status} from={STATUSES} choose={(chosen) => narrow({ status: chosen })} />
      <span>and promised by</span>
      <select
        class="pill"
        aria-label="Person"
        value={person}
        onChange={(e) => narrow({ person: e.currentTarget.value })}
      >
        <option value="">anyone</option>
        {(
          [
            ['By name', false],
            ['Not named yet', true],
          ] as const
        ).map(([group, isUnnamed]) => (
          <Owners key={group} group={group} owners={owners.filter(({ owner }) => isLabel(owner ?? '') === isUnnamed)} />
        ))}
        {person !== '' && !owners.some(({ owner }) => owner === person) && (
          <option value={person}>{speakerName(name)}</option>
        )}
      </select>
      <span class="together">
        due <Pill name="Due" value={due} from={DUE} choose={(chosen) => narrow({ due: chosen })} />
      </span>
    </fieldset>
  );
}

function Owners({ group, owners }: { group: string; owners: CommitmentList['counts']['owners'] }) {
  if (owners.length === 0) return null;
  return (
    <optgroup label={group}>
      {owners.map(({ owner, count }) => (
        <option key={owner} value={owner ?? ''}>
          {speakerName(owner ?? '')} ({count})
        </option>
      ))}
    </optgroup>
  );
}

function Pill<T extends string>(p: {
  name: string;
  value: T;
  from: Readonly<Record<T, string>>;
  choose: (value: T) => void;
}) {
  return (
    <select class="pill" aria-label={p.name} value={p.value} onChange={(e) => p.choose(e.currentTarget.value as T)}>
      {Object.entries<string>(p.from).map(([value, word]) => (
        <option key={value} value={value}>
          {word}
        </option>
      ))}
    </select>
  );
}

interface Group {
  name: string;
  note: string;
  entries: readonly CommitmentEntry[];
}

/** The commitments by when they are due: the overdue ones first. */
function groupsOf(entries: readonly CommitmentEntry[], today: string): Group[] {
  // As the filter by what is due within 7 days.
  const week = daysAfter(today, 8);
  const due = (from: string, to: string) => entries.filter(({ due: day }) => day && day.date >= from && day.date < to);
  return [
    {
      name: 'Overdue',
      note: 'due before today, and not marked as done',
      entries: due('', today).filter((one) => isOverdue(one, today) && !mayBeLater(one, today)),
    },
    {
      name: 'Probably overdue',
      note: 'the words can also mean a day that has not passed',
      entries: due('', today).filter((one) => isOverdue(one, today) && mayBeLater(one, today)),
    },
    {
      name: 'Before today',
      note: 'done, declined, or offered and not answered',
      entries: due('', today).filter((one) => !isOverdue(one, today)),
    },
    { name: 'Next 7 days', note: `until ${shortDate(daysAfter(week, -1))}`, entries: due(today, week) },
    { name: 'Later', note: `after ${shortDate(daysAfter(week, -1))}`, entries: due(week, '9999-99-99') },
    {
      name: 'Date unclear',
      note: 'none was said, or only words that do not clearly name a day',
      entries: entries.filter(({ due: day }) => day === null),
    },
  ].filter(({ entries: { length } }) => length > 0);
}

/** "2 questions", or nothing. */
const countOf = (count: number, word: string): string =>
  count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;

interface OwedProps extends Narrowing {
  list: CommitmentList;
  again: () => void;
  showMore: () => void;
}

function Owed({ list, filters, narrow, again, showMore }: OwedProps) {
  const { commitments, counts, open_questions: questions } = list;
  const today = dayOf(new Date());
  const { route } = useLocation();
  const pieces = useMemo(
    () => [
      ...commitments.map((one) => pieceOfPlace(one, one.commitment_id, one.speaker ?? one.owner)),
      ...questions.map((one) => pieceOfPlace(one, one.question_id, one.speaker)),
    ],
    [commitments, questions],
  );
  const { player, audio } = useShelfPlayer(pieces, {
    of: (piece) => ({ o: () => route(addressOf(piece)) }),
    hint: ' · O open',
    count: [countOf(commitments.length, 'commitment'), countOf(questions.length, 'question')]
      .filter(Boolean)
      .join(', '),
  });
  const at = new Map(pieces.map(({ key }, i) => [key, i]));
  // Outside the rows, whose contents the browser clips.
  const [menu, setMenu] = useState<{ one: CommitmentEntry; rect: DOMRect } | undefined>(undefined);
  const rows = useRef<HTMLDivElement>(null);
  // After a change that takes its row away, the focus goes to the row in its place.
  const left = useRef(-1);
  useEffect(() => {
    if (left.current < 0 || document.activeElement !== document.body) return;
    const buttons = rows.current?.querySelectorAll<HTMLElement>('.owed .set') ?? [];
    buttons[Math.min(left.current, buttons.length - 1)]?.focus();
    left.current = -1;
  }, [commitments]);
  const change = async (one: CommitmentEntry, status: CommitmentState | null): Promise<void> => {
    const before = one.status_source === 'words' ? null : one.status;
    left.current = commitments.findIndex(({ commitment_id: id }) => id === one.commitment_id);
    try {
      const changed = await service().commitments.setStatus(one.commitment_id, status);
      say(`${STATE_WORDS[changed.status]}: ${shortened(one.deed, 40)}`, () => {
        service()
          .commitments.setStatus(one.commitment_id, before)
          .then(again, (reason: unknown) => say(errorTextOf(reason).what));
      });
      again();
    } catch (reason) {
      say(errorTextOf(reason).what);
    }
  };
  const total = COMMITMENT_STATES[filters.status].reduce((sum, state) => sum + counts.statuses[state], 0);
  return (
    <>
      <p class="totals" role="status">
        <b class="num">{total}</b> {total === 1 ? 'commitment' : 'commitments'}
        {counts.undated > 0 && (
          <>
            , <b class="num">{counts.undated}</b> without a date
          </>
        )}{' '}
        ·{' '}
        <a href="#questions">
          {counts.open_questions} {counts.open_questions === 1 ? 'question' : 'questions'} left open
        </a>{' '}
        · found automatically in what was said
      </p>
      <CommitmentStrip commitments={commitments} today={today} undated={counts.undated} />
      <div class="beside" ref={rows}>
        <div>
          {commitments.length === 0 && <Nothing filters={filters} narrow={narrow} />}
          {groupsOf(commitments, today).map(({ name, note, entries }) => (
            <section key={name} class="card owed" aria-labelledby={idOf(name)}>
              <h2 id={idOf(name)}>
                {name}{' '}
                <small>
                  <span class="num">{entries.length}</span>
                  {note !== '' && ` · ${note}`}
                </small>
              </h2>
              <ol>
                {entries.map((one) => (
                  <CommitmentRow
                    key={one.commitment_id}
                    one={one}
                    today={today}
                    player={player}
                    index={at.get(one.commitment_id) ?? -1}
                    change={(status) => void change(one, status)}
                    choose={(rect) => setMenu({ one, rect })}
                  />
                ))}
              </ol>
            </section>
          ))}
          <Loaded
            count={commitments.length}
            all={list.next_cursor === null ? commitments.length : total}
            what="commitments"
          />
          {list.next_cursor !== null && (
            <button type="button" class="btn" onClick={showMore}>
              Show more
            </button>
          )}
        </div>
        <Questions questions={questions} count={counts.open_questions} at={at} player={player} />
      </div>
      {audio}
      {menu && (
        <Menu
          at={menu.rect}
          side="right"
          close={() => setMenu(undefined)}
          items={otherStates(menu.one, (status) => void change(menu.one, status))}
        />
      )}
    </>
  );
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

function Nothing({ filters, narrow }: Narrowing) {
  return (
    <div class="card empty">
      <b>{isNarrowed(filters) ? 'No commitment matches these filters' : 'No commitments were found'}</b>
      <p>
        {isNarrowed(filters)
          ? 'No commitment has this state, person and day.'
          : 'What somebody promises in a conversation is listed here, with its words.'}
      </p>
      {isNarrowed(filters) ? (
        <button type="button" class="btn" onClick={() => narrow(USUAL)}>
          Show what is still open
        </button>
      ) : (
        <a class="btn pri" href="/app/analyse">
          Analyse a recording
        </a>
      )}
    </div>
  );
}

interface QuestionsProps {
  questions: readonly OpenQuestionEntry[];
  count: number;
  at: ReadonlyMap<string, number>;
  player: PiecePlayer;
}

function Questions({ questions, count, at, player }: QuestionsProps) {
  return (
    <section class="card owed asked" aria-labelledby="questions">
      <h2 id="questions">
        Questions left open <small class="num">{count}</small>
      </h2>
      {questions.length === 0 && <p class="muted">No unanswered questions were found.</p>}
      <ol>
        {questions.map((one) => {
          const index = at.get(one.question_id) ?? -1;
          return (
            <li key={one.question_id} class={player.at === index ? 'now' : ''} aria-current={player.at === index}>
              <PlayButton player={player} index={index} name={shortened(one.quote, 60)} />
              <div class="said">
                <p class="who">
                  <b dir="auto">{speakerName(one.speaker)}</b>
                  <span>
                    to <bdi>{speakerName(one.to)}</bdi>
                  </span>
                  <Place of={one} />
                </p>
                <p class="quote" dir="auto">
                  “{one.quote}”
                </p>
                <p class="muted" dir="auto">
                  the reply: “{shortened(one.reply.quote, 120)}”
                </p>
              </div>
            </li>
          );
        })}
      </ol>
      {questions.length < count && <p class="muted">The newest {questions.length} are shown.</p>}
    </section>
  );
}
