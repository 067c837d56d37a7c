import '../style/pills.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type {
  MomentCategory,
  MomentHit,
  MomentOutcome,
  MomentQueryInput,
  MomentTotals,
  RuleMatchList,
  TrendCell,
} from '../../sdk/wire.ts';
import { MOMENT_CATEGORIES } from '../../sdk/wire.ts';
import { listenToKeys } from '../conversation/keyboard.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { daysAfter, isUnsure, mondays, percent, shortDate } from '../lib/format.ts';
import { useLoaded } from '../lib/load.ts';
import { Opening } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { service } from '../lib/session.ts';
import { Glyph, MOMENT_NAMES } from '../lib/speaker-marks.tsx';
import { USUAL_WEEKS, type WeekFilters, WeeksChoice, weeksIn } from '../lib/weeks.tsx';
import { SavedViews } from './SavedViews.tsx';
import { pieceOfMoment } from './shelf/pieces.ts';
import { Shelf } from './shelf/Shelf.tsx';

const TITLE = 'Patterns';
const PAGE = 20;

/** The filters, which are the address of the page. */
interface PatternFilters extends WeekFilters {
  category: string;
  outcome: string;
  person: string;
  label: string;
  q: string;
  /** The id of a rule. */
  rule: string;
  /** The id of the moment to hear. */
  at: string;
}

function filtersIn(query: Readonly<Record<string, string>>): PatternFilters {
  const { category = '', outcome = '', person = '', label = '', q = '', rule = '', at = '' } = query;
  return {
    category: category in MOMENT_NAMES ? category : '',
    outcome,
    ...weeksIn(query),
    person,
    label,
    q,
    rule,
    at,
  };
}

function addressOf(filters: PatternFilters): string {
  const given = Object.entries(filters).filter(
    ([name, value]) => value !== '' && !(name === 'weeks' && value === USUAL_WEEKS),
  );
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '/app/patterns' : `/app/patterns?${query}`;
}

function queryOf(
  { category, outcome, weeks, week, person, label, q, rule }: PatternFilters,
  isBrushed: boolean,
): MomentQueryInput {
  return {
    from: isBrushed && week !== '' ? week : mondays(weeks)[0]!,
    ...(isBrushed && week !== '' && { to: daysAfter(week, 7) }),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(category !== '' && { category }),
    ...(outcome !== '' && { outcome: outcome as MomentOutcome }),
    ...(person !== '' && { person }),
    ...(label !== '' && { label }),
    ...(q !== '' && { q }),
    ...(rule !== '' && { rule }),
  };
}

/** The moments of all conversations: how many in which week, and each of them to hear. */
export function Patterns() {
  const { query, route } = useLocation();
  const filters = filtersIn(query);
  const address = addressOf(filters);
  const narrow = (change: Partial<PatternFilters>): void => route(addressOf({ ...filters, at: '', ...change }));
  const { value, error, again } = useLoaded(
    async (signal) => {
      const { patterns } = service();
      const [trend, first, rules] = await Promise.all([
        patterns.trends({
          ...queryOf(filters, false),
          measure: 'moments.count',
          by: 'week,category',
          marks: 'true',
          signal,
        }),
        patterns.moments({ ...queryOf(filters, true), limit: PAGE, signal }),
        countedRules(filters, signal),
      ]);
      return { trend, first, rules, address };
    },
    [address],
  );
  if (error !== undefined)
    return (
      <Page title={TITLE}>
        <Sentence key={address} filters={filters} narrow={narrow} />
        <ErrorMessage error={error} retry={again} />
      </Page>
    );
  if (!value) return <Opening title={TITLE} />;
  const { trend, first, rules } = value;
  return (
    <Page
      title={TITLE}
      tools={
        <span class="row">
          <a class="btn" href="/app/rules">
            Rules
          </a>
          <a class="btn" href="/app/playlists">
            Playlists
          </a>
        </span>
      }
    >
      <Sentence key={address} filters={filters} narrow={narrow} />
      <SavedViews path="/app/patterns" address={addressOf({ ...filters, at: '' })} />
      <p class="totals" role="status">
        {first.totals && <Totals totals={first.totals} />}
        {trend.pending > 0 && <span> · {trend.pending} still being analysed</span>}
      </p>
      <Weeks cells={trend.cells} filters={filters} narrow={narrow} />
      <RuleChoice rules={rules} filters={filters} narrow={narrow} />
      {first.totals && <Outcomes totals={first.totals} filters={filters} narrow={narrow} />}
      {first.moments.length === 0 ? (
        <div class="card empty">
          <p>Nothing like this happened in these weeks.</p>
        </div>
      ) : (
        <Hits key={value.address} first={first.moments} cursor={first.next_cursor} filters={filters} />
      )}
    </Page>
  );
}

function Totals({ totals: { count, unsure, conversations } }: { totals: MomentTotals }) {
  return (
    <>
      <b class="num">{count}</b> {count === 1 ? 'moment' : 'moments'} in <b class="num">{conversations}</b>{' '}
      {conversations === 1 ? 'conversation' : 'conversations'}
      {count > 0 && (
        <>
          , <b class="num">{unsure}</b> of them unsure ({percent(unsure / count)})
        </>
      )}
    </>
  );
}

interface Narrowing {
  filters: PatternFilters;
  narrow: (change: Partial<PatternFilters>) => void;
}

/** The filters as a sentence. F goes to the first of them. */
function Sentence({ filters, narrow }: Narrowing) {
  const first = useRef<HTMLSelectElement>(null);
  useEffect(
    () =>
      listenToKeys((e) => {
        if (e.key !== 'f' || e.ctrlKey || e.metaKey || e.altKey) return;
        if ((e.target as Element).closest('input, select, textarea, dialog')) return;
        e.preventDefault();
        first.current?.focus();
      }),
    [],
  );
  const { category, weeks, week, person, label, q } = filters;
  const submit = (e: SubmitEvent): void => {
    e.preventDefault();
    const form = new FormData(e.currentTarget as HTMLFormElement);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    narrow({ person: text('person'), label: text('label'), q: text('q') });
  };
  return (
    <form class="sentence" aria-label="Filters" onSubmit={submit}>
      <select
        ref={first}
        class="pill"
        aria-label="Kind of moment"
        value={category}
        onChange={(e) => narrow({ category: e.currentTarget.value, outcome: '' })}
      >
        <option value="">All moments</option>
        {MOMENT_CATEGORIES.map(({ name, label: word }) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </select>
      <span>in calls of the</span>
      <WeeksChoice weeks={weeks} choose={narrow} />
      {week !== '' && (
        <button type="button" class="pill" onClick={() => narrow({ week: '' })}>
          week of {shortDate(week)} ×
        </button>
      )}
      <label>
        with <input class="pill" name="person" defaultValue={person} placeholder="anyone" maxLength={200} />
      </label>
      <label>
        labelled <input class="pill" name="label" defaultValue={label} placeholder="anything" maxLength={60} />
      </label>
      <label>
        in which somebody says <input class="pill" name="q" defaultValue={q} placeholder="any words" maxLength={200} />
      </label>
      <button type="submit" class="btn sm">
        Show
      </button>
    </form>
  );
}

/** A row for each kind, a column for each week, and a mark for each moment: solid where it is sure. */
function Weeks({ cells, filters, narrow }: Narrowing & { cells: readonly TrendCell[] }) {
  const weeks = useMemo(() => mondays(filters.weeks), [filters.weeks]);
  const cellAt = (category: MomentCategory, week: string): TrendCell | undefined =>
    cells.find(({ group }) => group.category === category && group.week === week);
  const rows = MOMENT_CATEGORIES.filter(({ name }) =>
    cells.some(({ group, sum }) => group.category === name && (sum ?? 0) > 0),
  );
  const sheet = useRef<HTMLDivElement>(null);
  // On a narrow screen the newest weeks are seen first.
  useEffect(() => {
    if (sheet.current) sheet.current.scrollLeft = sheet.current.scrollWidth;
  }, [weeks]);
  if (rows.length === 0) return null;
  return (
    <div class="card score" ref={sheet}>
      <table style={{ '--weeks': weeks.length }}>
        <caption class="vh">Moments by kind and week</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="vh">Kind</span>
            </th>
            {weeks.map((week) => (
              <th key={week} scope="col">
                {shortDate(week)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">
                <RowHead kind={name} label={label} cells={cells} />
              </th>
              {weeks.map((week) => (
                <td key={week}>
                  <WeekCell
                    cell={cellAt(name, week)}
                    kind={name}
                    name={`${label}, week of ${shortDate(week)}`}
                    isChosen={filters.week === week && filters.category === name}
                    choose={(isChosen) => narrow(isChosen ? { week, category: name, outcome: '' } : { week: '' })}
                    hear={(at) => narrow({ week, category: name, outcome: '', at })}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowHeadProps {
  kind: MomentCategory;
  label: string;
  cells: readonly TrendCell[];
}

/** A kind of moments, with its sum over all weeks. */
function RowHead({ kind, label, cells }: RowHeadProps) {
  const own = cells.filter(({ group }) => group.category === kind);
  const unsure = own.reduce((total, cell) => total + cell.unsure, 0);
  const sum = own.reduce((total, cell) => total + (cell.sum ?? 0), 0);
  return (
    <span class="kind1">
      <Glyph kind={kind} size={14} isUnsure={sum > 0 && unsure === sum} />
      <span>{label}</span>
      <b class="num">{sum}</b>
      {unsure > 0 && <small>{unsure} unsure</small>}
    </span>
  );
}

interface WeekCellProps {
  cell: TrendCell | undefined;
  kind: MomentCategory;
  name: string;
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
  /** @param moment the id of a moment */
  hear: (moment: string) => void;
}

function WeekCell({ cell, kind, name, isChosen, choose, hear }: WeekCellProps) {
  const sum = cell?.sum ?? 0;
  if (!cell || sum === 0) return null;
  const marks = cell.marks ?? [];
  const press = (e: MouseEvent): void => {
    const { moment } = (e.target as HTMLElement).dataset;
    if (moment === undefined) choose(!isChosen);
    else hear(moment);
  };
  return (
    <button
      type="button"
      class="cell"
      aria-pressed={isChosen}
      aria-label={`${name}: ${sum}${cell.unsure > 0 ? `, ${cell.unsure} unsure` : ''}`}
      onClick={press}
    >
      <span class={`marks ${kind}`}>
        {marks.map((mark) => (
          <i key={mark.moment_id} data-moment={mark.moment_id} class={isUnsure(mark.p) ? 'hol' : ''} />
        ))}
      </span>
      <span class="num">
        {sum}
        {cell.unsure > 0 && (
          <small>
            {' '}
            {cell.unsure}
            <span class="word"> unsure</span>
          </small>
        )}
      </span>
    </button>
  );
}

interface CountedRule {
  id: string;
  name: string;
  /** Conversations that it matches. */
  count: number;
}

/** The enabled rules, with the conversations of the chosen weeks that they match. */
async function countedRules(filters: PatternFilters, signal: AbortSignal): Promise<CountedRule[]> {
  const { rules, patterns } = service();
  const enabled = (await rules.list({ signal })).filter(({ is_enabled }) => is_enabled);
  if (enabled.length === 0) return [];
  const all = queryOf({ ...filters, category: '', outcome: '', rule: '' }, true);
  const { cells } = await patterns.trends({ ...all, measure: 'duration', by: 'rule', signal });
  return enabled.map(({ id, name }) => ({ id, name, count: cells.find(({ group }) => group.rule === id)?.n ?? 0 }));
}

/** Rules whose outcomes are counted. */
const MOST_RULES = 20;
/** Hits from which the outcomes are drawn as parts of a bar. */
const BAR_FROM = 8;

/** The rules that are on: each narrows the conversations, and says what followed its hits. */
function RuleChoice({ rules, filters, narrow }: Narrowing & { rules: readonly CountedRule[] }) {
  const all = { ...filters, category: '', outcome: '', rule: '', at: '' };
  const { value: followed } = useLoaded(
    async (signal) => {
      const { category: _, outcome: __, rule: ___, ...query } = queryOf(all, true);
      const asked = { ...query, limit: 1, followed_by: 'true', outcome: 'matched', signal } as const;
      const counted = rules.slice(0, MOST_RULES).map(async ({ id }) => {
        const { followed_by } = await service().rules.matches(id, asked);
        return [id, followed_by ?? {}] as const;
      });
      return new Map(await Promise.all(counted));
    },
    [addressOf(all), rules.map(({ id }) => id).join(' ')],
  );
  if (rules.length === 0) return null;
  return (
    <section class="card rules1" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col" class="r">
              Conversations
            </th>
            <th scope="col">Followed within 60 s</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ id, name, count }) => (
            <tr key={id}>
              <th scope="row">
                <button
                  type="button"
                  class="pill"
                  aria-pressed={filters.rule === id}
                  aria-label={`${name} ${count}`}
                  title="Only conversations that this rule matches"
                  onClick={() => narrow({ rule: filters.rule === id ? '' : id })}
                >
                  <bdi>{name}</bdi>
                </button>
              </th>
              <td class="r num">{count}</td>
              <td>{followed?.has(id) && <Followed by={followed.get(id) ?? {}} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The outcomes of the hits of a rule: counts with their signs, and from some hits on a bar. */
function Followed({ by }: { by: NonNullable<RuleMatchList['followed_by']> }) {
  const counted = Object.entries(by) as [MomentOutcome, { count: number; unsure: number }][];
  // Nothing comes last.
  counted.sort(([a], [b]) => Number(a === 'nothing') - Number(b === 'nothing'));
  const total = counted.reduce((sum, [, { count }]) => sum + count, 0);
  if (total === 0) return <span class="muted">no hit</span>;
  return (
    <div class="followed1">
      {total >= BAR_FROM && (
        <span class="bar2" aria-hidden="true">
          {counted.map(([outcome, { count }]) => (
            <i key={outcome} class={outcome} style={{ flexGrow: count }} />
          ))}
        </span>
      )}
      {counted.map(([outcome, { count, unsure }]) => (
        <span key={outcome} title={unsure > 0 ? `${unsure} of them unsure` : undefined}>
          {outcome !== 'nothing' && <Glyph kind={outcome} size={13} isUnsure={unsure === count} />}
          {outcome === 'nothing' ? 'nothing' : MOMENT_NAMES[outcome].toLowerCase()} <b class="num">{count}</b>
          {unsure > 0 && <small> {unsure} unsure</small>}
        </span>
      ))}
    </div>
  );
}

/** Filters by the outcome of the moments. */
function Outcomes({ totals: { outcomes }, filters: { outcome }, narrow }: Narrowing & { totals: MomentTotals }) {
  const found = Object.entries(outcomes) as [MomentOutcome, { count: number }][];
  if (found.length === 0) return null;
  return (
    <fieldset class="outcomes">
      <legend class="vh">What followed</legend>
      <button type="button" class="pill" aria-pressed={outcome === ''} onClick={() => narrow({ outcome: '' })}>
        Whatever followed
      </button>
      {found.map(([name, { count }]) => (
        <button
          key={name}
          type="button"
          class="pill"
          aria-pressed={outcome === name}
          onClick={() => narrow({ outcome: outcome === name ? '' : name })}
        >
          {name === 'nothing' ? 'Nothing followed' : MOMENT_NAMES[name as MomentCategory]} <b class="num">{count}</b>
        </button>
      ))}
    </fieldset>
  );
}

function Hits(p: { first: readonly MomentHit[]; cursor: string | null; filters: PatternFilters }) {
  const [hits, setHits] = useState(p.first);
  const [cursor, setCursor] = useState(p.cursor);
  const [error, setError] = useState<unknown>(undefined);
  const pieces = useMemo(() => hits.map(pieceOfMoment), [hits]);
  const isMissing = p.filters.at !== '' && !hits.some(({ moment_id }) => moment_id === p.filters.at);
  // A chosen moment may be on a later page.
  useEffect(() => {
    if (isMissing && cursor !== null && error === undefined) void showMore();
  }, [isMissing, cursor]);
  const showMore = async (): Promise<void> => {
    try {
      const page = await service().patterns.moments({ ...queryOf(p.filters, true), limit: PAGE, cursor: cursor ?? '' });
      setHits((before) => [...before, ...page.moments]);
      setCursor(page.next_cursor);
      setError(undefined);
    } catch (reason) {
      setError(reason);
    }
  };
  return (
    <Shelf
      pieces={pieces}
      chosen={p.filters.at}
      more={
        <>
          {error !== undefined && <ErrorMessage error={error} />}
          {cursor !== null && (
            <button type="button" class="btn" onClick={() => void showMore()}>
              Show more
            </button>
          )}
        </>
      }
    />
  );
}
