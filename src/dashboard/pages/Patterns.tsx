import '../style/pills.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import {
  momentQueryOf,
  NO_PERIOD,
  PATTERN_WEEKS,
  type PatternFilters,
  patternColumns,
  patternFiltersIn,
} from '../../sdk/page-filters.ts';
import type { MomentCategory, MomentHit, MomentOutcome, MomentTotals, RuleMatchList } from '../../sdk/wire.ts';
import { MOMENT_CATEGORIES } from '../../sdk/wire.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { cannotTell, capital, percent, unsurePart } from '../lib/format.ts';
import { listenToKeys } from '../lib/keys.ts';
import { useLoaded } from '../lib/load.ts';
import { Opening, refusedTo } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { service } from '../lib/session.ts';
import { Glyph, isAnswerable, MOMENT_NAMES } from '../lib/speaker-marks.tsx';
import { WeeksChoice } from '../lib/weeks.tsx';
import { addressOf, type PatternNarrowing, periodName, spanOf } from './patterns/filters.ts';
import { NotCounted } from './patterns/NotCounted.tsx';
import { Weeks } from './patterns/Weeks.tsx';
import { SavedViews } from './SavedViews.tsx';
import { pieceOfMoment } from './shelf/pieces.ts';
import { Loaded, Shelf } from './shelf/Shelf.tsx';
import { forgetThumbs } from './shelf/thumbs.ts';

const TITLE = 'Patterns';
const PAGE = 20;
/** Rules that stand above the moments. More stand beside them. */
const FEW_RULES = 3;

/** The moments of all conversations: how many in which week, and each of them to hear. */
export function Patterns() {
  const { query, route } = useLocation();
  const filters = patternFiltersIn(query);
  const address = addressOf(filters);
  const narrow: PatternNarrowing['narrow'] = (change, isStep = false) =>
    route(addressOf({ ...filters, at: '', ...change }), isStep);
  const { value, error, again } = useLoaded(
    async (signal) => {
      const { patterns } = service();
      const { category: _, outcome: __, ...calls } = momentQueryOf(filters, false);
      const { span } = patternColumns(filters.weeks);
      const [trend, tone, first, rules] = await Promise.all([
        patterns.trends({
          ...momentQueryOf(filters, false),
          measure: 'moments.count',
          by: `${span},category`,
          marks: 'true',
          signal,
        }),
        patterns.trends({ ...calls, measure: 'tone', by: span, signal }),
        patterns.moments({ ...momentQueryOf(filters, true), limit: PAGE, signal }),
        countedRules(filters, signal),
      ]);
      forgetThumbs();
      return { trend, tone, first, rules, address };
    },
    [address],
  );
  if (error !== undefined)
    return (
      <Page title={TITLE}>
        <Sentence key={address} filters={filters} narrow={narrow} />
        <ErrorMessage error={error} text={refusedTo(TITLE, error)} retry={again} />
      </Page>
    );
  if (!value) return <Opening title={TITLE} />;
  const { trend, tone, first, rules } = value;
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
      <SavedViews path="/app/patterns" address={addressOf({ ...filters, at: '' })} hasAlerts />
      <p class="totals" role="status">
        {first.totals && <Totals totals={first.totals} />}
        {trend.pending > 0 && <NotCounted count={trend.pending} query={momentQueryOf(filters, false)} />}
      </p>
      <Weeks cells={trend.cells} tone={tone.cells} filters={filters} narrow={narrow} />
      <div class={rules.length > FEW_RULES ? 'beside1' : ''}>
        <RuleChoice rules={rules} filters={filters} narrow={narrow} />
        <div>
          {first.totals && <Outcomes totals={first.totals} filters={filters} narrow={narrow} />}
          {first.moments.length === 0 ? (
            <Nothing filters={filters} narrow={narrow} />
          ) : (
            <Hits
              key={value.address}
              first={first.moments}
              cursor={first.next_cursor}
              filters={filters}
              all={first.totals?.count ?? 0}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function Totals({ totals: { count, unsure, conversations, searched } }: { totals: MomentTotals }) {
  return (
    <>
      <b class="num">{count}</b> {count === 1 ? 'moment' : 'moments'} in{' '}
      {count > 0 && conversations < searched && (
        <>
          <b class="num">{conversations}</b> of{' '}
        </>
      )}
      <b class="num">{searched}</b> {searched === 1 ? 'conversation' : 'conversations'}
      {count > 0 && (
        <>
          , <b class="num">{unsure}</b> of them unsure ({percent(unsure / count).replace(' ', '\u00a0')})
        </>
      )}
    </>
  );
}

const NO_FILTERS = { ...NO_PERIOD, category: '', outcome: '', person: '', label: '', q: '', rule: '' } as const;

/** The next step where there is no moment. */
function Nothing({ filters, narrow }: PatternNarrowing) {
  const isNarrowed = (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => filters[name] !== '');
  const longest = Math.max(...PATTERN_WEEKS);
  return (
    <div class="card empty">
      <p>No moments were found in this time.</p>
      {isNarrowed ? (
        <button type="button" class="btn" onClick={() => narrow(NO_FILTERS)}>
          Show all moments
        </button>
      ) : (
        <>
          <p class="muted">Weeks with eight calls or more show their mean. Weeks with fewer show each call.</p>
          <span class="row">
            {filters.weeks < longest && (
              <button type="button" class="btn" onClick={() => narrow({ weeks: longest })}>
                Look at the {periodName(longest)}
              </button>
            )}
            <a class="btn pri" href="/app/analyse">
              Analyse a recording
            </a>
          </span>
        </>
      )}
    </div>
  );
}

/** The filters as a sentence. F goes to the first of them. */
function Sentence({ filters, narrow }: PatternNarrowing) {
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
  const { category, weeks, from, to, person, label, q } = filters;
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
        {category.includes(',') && (
          <option value={category}>
            {MOMENT_CATEGORIES.filter(({ name }) => category.split(',').includes(name))
              .map(({ label: word }) => word)
              .join(' or ')}
          </option>
        )}
      </select>
      <span>in calls of the</span>
      <WeeksChoice
        weeks={weeks}
        choices={PATTERN_WEEKS}
        choose={(chosen) => narrow({ weeks: chosen, ...NO_PERIOD })}
        nameOf={periodName}
      />
      {from !== '' && (
        <button
          type="button"
          class="pill"
          aria-label={`All of the ${periodName(weeks)} instead of ${spanOf({ from, to })}`}
          onClick={() => narrow(NO_PERIOD)}
        >
          {spanOf({ from, to })} ×
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
  const all = momentQueryOf({ ...filters, category: '', outcome: '', rule: '' }, true);
  const { cells } = await patterns.trends({ ...all, measure: 'duration', by: 'rule', signal });
  return enabled.map(({ id, name }) => ({ id, name, count: cells.find(({ group }) => group.rule === id)?.n ?? 0 }));
}

/** Rules whose outcomes are counted. */
const MOST_RULES = 20;
/** Hits from which the outcomes are drawn as parts of a bar. */
const BAR_FROM = 8;

/** The rules that are on: each narrows the conversations, and says what followed its hits. */
function RuleChoice({ rules, filters, narrow }: PatternNarrowing & { rules: readonly CountedRule[] }) {
  const all = { ...filters, category: '', outcome: '', rule: '', at: '' };
  const { value: followed } = useLoaded(
    async (signal) => {
      const { category: _, outcome: __, rule: ___, ...query } = momentQueryOf(all, true);
      const asked = { ...query, limit: 1, followed_by: 'true', outcome: 'matched', signal } as const;
      const counted = rules.slice(0, MOST_RULES).map(async ({ id }) => {
        const { followed_by = {}, unknown } = await service().rules.matches(id, asked);
        return [id, { followed_by, unknown }] as const;
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
              Calls
            </th>
            <th scope="col" title="Within 60 s of a hit; of an offer, its answer">
              What followed its hits
            </th>
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
              <td>{followed?.has(id) && <Followed {...followed.get(id)!} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FollowedProps {
  followed_by: NonNullable<RuleMatchList['followed_by']>;
  /** Conversations of which the rule cannot tell. */
  unknown: number;
}

/** The outcomes of the hits of a rule: counts with their signs, and from some hits on a bar. */
function Followed({ followed_by: by, unknown }: FollowedProps) {
  const counted = Object.entries(by) as [MomentOutcome, { count: number; unsure: number }][];
  counted.sort(nothingLast);
  const total = counted.reduce((sum, [, { count }]) => sum + count, 0);
  if (total === 0) return <span class="muted">no hit{cannotTell(unknown)}</span>;
  return (
    <div class="followed1">
      {total >= BAR_FROM && (
        <span class="bar2" aria-hidden="true">
          {counted.map(([outcome, { count, unsure }]) => [
            unsure < count && <i key={outcome} class={outcome} style={{ flexGrow: count - unsure }} />,
            unsure > 0 && <i key={`${outcome} unsure`} class="hol" style={{ flexGrow: unsure }} />,
          ])}
        </span>
      )}
      <small>
        {total} {total === 1 ? 'hit' : 'hits'}:
      </small>
      {counted.map(([outcome, { count, unsure }]) => (
        <span key={outcome}>
          {outcome !== 'nothing' && <Glyph kind={outcome} size={13} isUnsure={unsure === count} />}
          {outcome === 'nothing' ? 'nothing' : MOMENT_NAMES[outcome].toLowerCase()} <b class="num">{count}</b>
          <small>{unsurePart(count, unsure)}</small>
        </span>
      ))}
      {unknown > 0 && (
        <small>
          cannot tell in {unknown} {unknown === 1 ? 'call' : 'calls'}
        </small>
      )}
    </div>
  );
}

const nothingLast = ([a]: readonly [MomentOutcome, unknown], [b]: readonly [MomentOutcome, unknown]): number =>
  Number(a === 'nothing') - Number(b === 'nothing');

/** The outcomes as nouns. */
const FOLLOWED: Record<MomentOutcome, string> = {
  cta_accepted: 'an acceptance',
  cta_rejected: 'a rejection',
  objection: 'an objection',
  nothing: 'nothing',
};

/** Filters by the outcome of the moments: how many were followed by what, which is not how many of a kind there are. */
function Outcomes({
  totals: { count, outcomes },
  filters: { category, outcome },
  narrow,
}: PatternNarrowing & { totals: MomentTotals }) {
  const found = Object.entries(outcomes) as [MomentOutcome, { count: number; unsure: number }][];
  if (found.length === 0) return null;
  found.sort(nothingLast);
  // The filter is '' or a category.
  const isOffers = category !== '' && isAnswerable(category as MomentCategory);
  const by = isOffers ? 'answered by' : 'followed by';
  return (
    <fieldset class="outcomes" aria-label="What followed">
      <span aria-hidden="true">{isOffers ? 'The answer:' : 'What came next within 60 s:'}</span>
      <button type="button" class="pill" aria-pressed={outcome === ''} onClick={() => narrow({ outcome: '' })}>
        all
      </button>
      {found.map(([name, of]) => (
        <button
          key={name}
          type="button"
          class="pill"
          aria-pressed={outcome === name}
          aria-label={`${capital(by)} ${FOLLOWED[name]}: ${of.count}${unsurePart(of.count, of.unsure)}, of ${count} moments`}
          onClick={() => narrow({ outcome: outcome === name ? '' : name })}
        >
          {name !== 'nothing' && <Glyph kind={name} size={13} isUnsure={of.unsure === of.count} />}
          {FOLLOWED[name]}{' '}
          <span>
            <b class="num">{of.count}</b>
            <small>{unsurePart(of.count, of.unsure)}</small>
          </span>
        </button>
      ))}
      {count > 1 && (
        <span>
          Each of the <b class="num">{count}</b> {isOffers ? 'offers' : 'moments'} counts once: one acceptance can
          follow several.
        </span>
      )}
    </fieldset>
  );
}

interface HitsProps {
  first: readonly MomentHit[];
  cursor: string | null;
  filters: PatternFilters;
  /** Moments that match. */
  all: number;
}

function Hits(p: HitsProps) {
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
      const page = await service().patterns.moments({
        ...momentQueryOf(p.filters, true),
        limit: PAGE,
        cursor: cursor ?? '',
      });
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
      count={cursor === null ? undefined : `${hits.length} of ${p.all} moments`}
      more={
        <>
          {error !== undefined && <ErrorMessage error={error} />}
          <Loaded count={hits.length} all={cursor === null ? hits.length : p.all} what="moments" />
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
