import '../style/pills.css';
import '../style/commitments.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { CommitmentEntry, CommitmentList, CommitmentState, OpenQuestionEntry } from '../../sdk/wire.ts';
import { Menu, type MenuItem } from '../lib/dialog.tsx';
import { ErrorMessage } from '../lib/error-message.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { capital, clock, dayName, dayOf, daysAfter, mondayOf, shortDate, shortened } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Opening } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { save } from '../lib/save.ts';
import { service } from '../lib/session.ts';
import { Confidence } from '../lib/speaker-marks.tsx';
import { say } from '../lib/tip.tsx';
import { SavedViews } from './SavedViews.tsx';
import type { PiecePlayer } from './shelf/piece-player.ts';
import { pieceOfPlace } from './shelf/pieces.ts';
import { addressOf } from './shelf/Shelf.tsx';
import { PlayButton, useShelfPlayer } from './shelf/shelf-player.tsx';

const TITLE = 'Commitments';
const PAGE = 100;
/** Days of the strip, and the days before today's week that it begins with. */
const STRIP_WEEKS = 7;
const STRIP_BEFORE_DAYS = 14;
/** Marks of one day that the strip draws. */
const MOST_MARKS = 5;

/** Choices of the state, and the states that each means. */
const STATUSES: Readonly<Record<string, { word: string; states: readonly CommitmentState[] }>> = {
  open: { word: 'still open', states: ['open', 'accepted'] },
  offered: { word: 'offered, and not answered', states: ['offered'] },
  done: { word: 'done', states: ['done'] },
  declined: { word: 'declined', states: ['declined'] },
  all: { word: 'in any state', states: ['open', 'accepted', 'offered', 'done', 'declined'] },
};
const USUAL_STATUS = 'open';
/** Days from today before which they must be due. */
const DUE: Readonly<Record<string, { word: string; days: number | null }>> = {
  any: { word: 'at any time', days: null },
  passed: { word: 'before today', days: 0 },
  week: { word: 'within 7 days', days: 8 },
  month: { word: 'within 31 days', days: 32 },
};
const USUAL_DUE = 'any';
const STATE_WORDS: Readonly<Record<CommitmentState, string>> = {
  open: 'Open',
  accepted: 'Accepted',
  offered: 'Offered',
  declined: 'Declined',
  done: 'Done',
};

/** The filters, which are the address of the page. */
interface Filters {
  status: string;
  due: string;
  /** The name of a speaker or the id of a person. Empty: anyone. */
  person: string;
}

function filtersIn({ status = '', due = '', person = '' }: Readonly<Record<string, string>>): Filters {
  return {
    status: Object.hasOwn(STATUSES, status) ? status : USUAL_STATUS,
    due: Object.hasOwn(DUE, due) ? due : USUAL_DUE,
    person,
  };
}

function addressWith({ status, due, person }: Filters): string {
  const query = new URLSearchParams();
  if (status !== USUAL_STATUS) query.set('status', status);
  if (due !== USUAL_DUE) query.set('due', due);
  if (person !== '') query.set('person', person);
  return query.size === 0 ? '/app/commitments' : `/app/commitments?${query}`;
}

function queryOf({ status, due, person }: Filters) {
  const days = DUE[due]!.days;
  return {
    status: STATUSES[status]!.states.join(','),
    ...(days !== null && { due_before: daysAfter(dayOf(new Date()), days) }),
    ...(person !== '' && { person }),
  };
}

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
      lead="A day is worked out from the day of the conversation. Where none was said, none is made up."
      tools={<Exports filters={filters} />}
    >
      <Sentence filters={filters} narrow={narrow} list={value?.list} />
      <SavedViews path="/app/commitments" address={address} />
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
        <Icon name="download" size={16} /> Calendar
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
      <span>What is</span>
      <Pill name="Status" value={status} from={STATUSES} choose={(chosen) => narrow({ status: chosen })} />
      <span>promised by</span>
      <select
        class="pill"
        aria-label="Person"
        value={person}
        onChange={(e) => narrow({ person: e.currentTarget.value })}
      >
        <option value="">anyone</option>
        {owners.map(({ owner, count }) => (
          <option key={owner} value={owner ?? ''}>
            {owner} ({count})
          </option>
        ))}
        {person !== '' && !owners.some(({ owner }) => owner === person) && <option value={person}>{name}</option>}
      </select>
      <span>due</span>
      <Pill name="Due" value={due} from={DUE} choose={(chosen) => narrow({ due: chosen })} />
      {(person !== '' || status !== USUAL_STATUS || due !== USUAL_DUE) && (
        <button
          type="button"
          class="btn sm ghost"
          onClick={() => narrow({ person: '', status: USUAL_STATUS, due: USUAL_DUE })}
        >
          <Icon name="close" size={13} /> Clear
        </button>
      )}
    </fieldset>
  );
}

function Pill(p: {
  name: string;
  value: string;
  from: Readonly<Record<string, { word: string }>>;
  choose: (value: string) => void;
}) {
  return (
    <select class="pill" aria-label={p.name} value={p.value} onChange={(e) => p.choose(e.currentTarget.value)}>
      {Object.entries(p.from).map(([value, { word }]) => (
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

/** The commitments by when they are due: those whose day has passed first. */
function groupsOf(entries: readonly CommitmentEntry[], today: string): Group[] {
  const week = daysAfter(mondayOf(today), 7);
  const due = (from: string, to: string) => entries.filter(({ due: day }) => day && day.date >= from && day.date < to);
  return [
    { name: 'Its day has passed', note: 'said to be done before today', entries: due('', today) },
    { name: 'This week', note: `until ${shortDate(daysAfter(week, -1))}`, entries: due(today, week) },
    { name: 'Later', note: '', entries: due(week, '9999-99-99') },
    {
      name: 'No date was said',
      note: 'or words that name no day',
      entries: entries.filter(({ due: day }) => day === null),
    },
  ].filter(({ entries: { length } }) => length > 0);
}

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
      ...commitments.map((one) => pieceOfPlace(one, one.commitment_id, one.owner)),
      ...questions.map((one) => pieceOfPlace(one, one.question_id, one.speaker)),
    ],
    [commitments, questions],
  );
  const { player, audio } = useShelfPlayer(pieces, {
    of: (piece) => ({ o: () => route(addressOf(piece)) }),
    hint: ' · O open',
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
  const total = STATUSES[filters.status]!.states.reduce((sum, state) => sum + counts.statuses[state], 0);
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
        · read from what was said; nobody was asked
      </p>
      <Strip commitments={commitments} today={today} undated={counts.undated} />
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
                  <Row
                    key={one.commitment_id}
                    one={one}
                    player={player}
                    index={at.get(one.commitment_id) ?? -1}
                    change={(status) => void change(one, status)}
                    choose={(rect) => setMenu({ one, rect })}
                  />
                ))}
              </ol>
            </section>
          ))}
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
  const isNarrowed = filters.person !== '' || filters.due !== USUAL_DUE || filters.status !== USUAL_STATUS;
  return (
    <div class="card empty">
      <b>{isNarrowed ? 'Nothing fits all of this' : 'Nothing is owed'}</b>
      <p>
        {isNarrowed
          ? 'No commitment has this state, person and day.'
          : 'What somebody promises in a conversation is listed here, with its words.'}
      </p>
      {isNarrowed ? (
        <button type="button" class="btn" onClick={() => narrow({ person: '', due: USUAL_DUE, status: USUAL_STATUS })}>
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

interface RowProps {
  one: CommitmentEntry;
  player: PiecePlayer;
  index: number;
  change: (status: CommitmentState | null) => void;
  /** Opens the menu of the other states below a button. */
  choose: (at: DOMRect) => void;
}

function Row({ one, player, index, change, choose }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const isCurrent = player.at === index;
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const deed = shortened(one.deed, 60);
  return (
    <li ref={row} class={isCurrent ? 'now' : ''} aria-current={isCurrent}>
      <PlayButton player={player} index={index} name={deed} />
      <div class="said">
        <p class="who">
          {one.owner === null ? <span class="hollow">who was not said</span> : <b dir="auto">{one.owner}</b>}
          {one.to !== null && (
            <span>
              to <bdi>{one.to}</bdi>
            </span>
          )}
          <a class="und" href={addressOf({ conversation: one.conversation_id, at: one.t_start })}>
            <bdi>{one.title}</bdi>, <span class="num">{clock(one.t_start)}</span>
          </a>
        </p>
        <p class="deed" dir="auto">
          {capital(one.deed)}
        </p>
        <p class="quote" dir="auto">
          “{one.quote}”
        </p>
      </div>
      <div class="due">
        <Due one={one} />
        <span class="row">
          <Confidence value={one.confidence} />
          {one.status !== 'open' && (
            <span
              class="chip"
              title={one.status_source === 'person' ? 'Set on this page or by the API' : 'By the words'}
            >
              {STATE_WORDS[one.status]}
            </span>
          )}
        </span>
      </div>
      <Acts one={one} deed={deed} change={change} choose={choose} />
    </li>
  );
}

function Due({ one: { due, vague_due } }: { one: CommitmentEntry }) {
  if (!due)
    return (
      <p>
        <span class="hollow">no date was said</span>
        {vague_due !== null && <small>said: “{vague_due}”</small>}
      </p>
    );
  return (
    <p>
      <b class="num">
        {due.from !== null && `${dayName(due.from)} to `}
        {dayName(due.date)}
        {due.time !== null && `, ${due.time}`}
      </b>
      <small>
        said: “{due.said}”{due.time_zone_source === 'assumed' && ', read in UTC'}
      </small>
    </p>
  );
}

function Acts({ one: { status }, deed, change, choose }: Omit<RowProps, 'player' | 'index'> & { deed: string }) {
  return (
    <div class="acts">
      {status === 'done' ? (
        <button type="button" class="btn sm set" aria-label={`Not done: ${deed}`} onClick={() => change('open')}>
          Not done
        </button>
      ) : (
        <button type="button" class="btn sm set" aria-label={`Done: ${deed}`} onClick={() => change('done')}>
          <Icon name="check" size={14} /> Done
        </button>
      )}
      <button
        type="button"
        class="btn sm icon ghost"
        aria-label={`Other states: ${deed}`}
        aria-haspopup="menu"
        onClick={(e) => choose(e.currentTarget.getBoundingClientRect())}
      >
        <Icon name="more" size={16} />
      </button>
    </div>
  );
}

const OTHERS: readonly CommitmentState[] = ['accepted', 'declined', 'open'];

/** The states that a commitment can be given, apart from done. */
const otherStates = (
  { status, status_source, state }: CommitmentEntry,
  change: (status: CommitmentState | null) => void,
): MenuItem[] => [
  ...OTHERS.filter((other) => other !== status).map((other) => ({
    label: STATE_WORDS[other],
    run: () => change(other),
  })),
  ...(status_source === 'person'
    ? [{ icon: 'undo' as const, label: `As it was said: ${STATE_WORDS[state]}`, run: () => change(null) }]
    : []),
];

/** Seven weeks with a mark for each commitment on its day: solid where the day has passed, hollow where it has not. */
function Strip({
  commitments,
  today,
  undated,
}: {
  commitments: readonly CommitmentEntry[];
  today: string;
  undated: number;
}) {
  const first = daysAfter(mondayOf(today), -STRIP_BEFORE_DAYS);
  const weeks = Array.from({ length: STRIP_WEEKS }, (_, i) => daysAfter(first, 7 * i));
  const onDay = (day: string) => commitments.filter(({ due }) => due?.date === day);
  const shown = weeks.map((monday) => Array.from({ length: 7 }, (_, i) => onDay(daysAfter(monday, i))));
  if (shown.flat(2).length === 0) return null;
  const goTo = (entries: readonly CommitmentEntry[]): void => {
    const [one] = entries;
    const name = one && `Play: ${shortened(one.deed, 60)}`;
    const button = [...document.querySelectorAll<HTMLElement>('.owed .play')].find(
      (element) => element.getAttribute('aria-label') === name,
    );
    button?.focus();
    button?.scrollIntoView({ block: 'center' });
  };
  return (
    <div class="card days">
      <p>
        <b>By the day</b>
        <small>solid: its day has passed · hollow: to come</small>
        {undated > 0 && <small>{undated} more have no day</small>}
      </p>
      <div class="weeks1">
        {weeks.map((monday, week) => {
          const count = shown[week]!.flat().length;
          return (
            <button
              key={monday}
              type="button"
              disabled={count === 0}
              aria-label={`Week of ${shortDate(monday)}: ${count}`}
              onClick={() => goTo(shown[week]!.flat())}
            >
              <small>{shortDate(monday)}</small>
              <span class="marks1" aria-hidden="true">
                {shown[week]!.map((entries, i) => {
                  const day = daysAfter(monday, i);
                  return (
                    <span key={day} class={day === today ? 'today' : ''}>
                      {entries.slice(0, MOST_MARKS).map(({ commitment_id }) => (
                        <i key={commitment_id} class={day < today ? '' : 'hol'} />
                      ))}
                      {entries.length > MOST_MARKS && <small>+{entries.length - MOST_MARKS}</small>}
                    </span>
                  );
                })}
              </span>
            </button>
          );
        })}
      </div>
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
      {questions.length === 0 && <p class="muted">No question was left unanswered.</p>}
      <ol>
        {questions.map((one) => {
          const index = at.get(one.question_id) ?? -1;
          return (
            <li key={one.question_id} class={player.at === index ? 'now' : ''} aria-current={player.at === index}>
              <PlayButton player={player} index={index} name={shortened(one.quote, 60)} />
              <div class="said">
                <p class="who">
                  <b dir="auto">{one.speaker}</b>
                  <span>
                    to <bdi>{one.to}</bdi>
                  </span>
                  <a class="und" href={addressOf({ conversation: one.conversation_id, at: one.t_start })}>
                    <bdi>{one.title}</bdi>, <span class="num">{clock(one.t_start)}</span>
                  </a>
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
