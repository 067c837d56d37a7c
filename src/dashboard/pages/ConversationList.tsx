import { signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ConversationEntry, ConversationQueryInput, Match, MomentCategory } from '../../sdk/wire.ts';
import '../style/conversations.css';
import { Course } from '../lib/course.tsx';
import { capital, clock, shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { Dots } from '../lib/quality.tsx';
import { service } from '../lib/service.ts';
import { Badge, Glyph, MOMENT_NAMES } from '../lib/signs.tsx';
import { titleOf } from '../lib/title.ts';
import { Trouble } from '../lib/trouble.tsx';
import { FirstSteps } from './FirstSteps.tsx';

const PAGE = 50;
const DAY_MS = 86_400_000;
/** How often what goes on is asked after. */
const AGAIN_MS = 3_000;
/** A pause after which typing is taken for a question. */
const TYPING_MS = 250;
const MOST_PEOPLE = 4;

const PERIODS = { 'All time': 0, 'Last 24 hours': 1, 'Last 7 days': 7, 'Last 30 days': 30 } as const;
const LENGTHS = {
  'Any length': {},
  'Under 5 min': { max_duration: 300 },
  '5 to 30 min': { min_duration: 300, max_duration: 1800 },
  'Over 30 min': { min_duration: 1800 },
} as const;
type Status = NonNullable<ConversationQueryInput['status']>;
type Sentiment = NonNullable<ConversationQueryInput['sentiment']>;

/** What is looked for; it stays while another page is open. */
const looked = {
  q: signal(''),
  period: signal<keyof typeof PERIODS>('All time'),
  length: signal<keyof typeof LENGTHS>('Any length'),
  moment: signal<MomentCategory | ''>(''),
  status: signal<Status | ''>(''),
  sentiment: signal<Sentiment | ''>(''),
  /** Of the pages before, and the one that is shown. */
  cursors: signal<string[]>([]),
};
const isNarrowed = (): boolean =>
  looked.q.value.trim() !== '' ||
  looked.period.value !== 'All time' ||
  looked.length.value !== 'Any length' ||
  [looked.moment, looked.status, looked.sentiment].some(({ value }) => value !== '');

function queryNow(): ConversationQueryInput {
  const { q, period, length, moment, status, sentiment, cursors } = looked;
  const days = PERIODS[period.value];
  return {
    limit: PAGE,
    q: q.value.trim() || undefined,
    moment: moment.value || undefined,
    status: status.value || undefined,
    sentiment: sentiment.value || undefined,
    created_after: days > 0 ? new Date(Date.now() - days * DAY_MS).toISOString() : undefined,
    cursor: cursors.value.at(-1),
    ...LENGTHS[length.value],
  };
}

/** Everything that this key's tenant made, the newest first. */
export function ConversationList() {
  const { route } = useLocation();
  const picked = useSignal<readonly string[] | undefined>(undefined);
  const { q, period, length, moment, status, sentiment, cursors } = looked;
  const depends = [q, period, length, moment, status, sentiment, cursors].map(({ value }) => String(value));
  const { value, error, isSlow, again } = useLoaded(
    (leave) => service().conversations.list(queryNow(), { signal: leave }),
    depends,
  );
  const shown = value?.conversations ?? [];
  const isGoingOn = shown.some((entry) => entry.status === 'processing');
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
      lead={isEmpty ? 'Nothing yet.' : 'Everything this key’s tenant made, the newest first.'}
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
          <Tools
            picked={picked}
            found={value === undefined ? undefined : shown.length}
            compare={(a, b) => route(`/app/compare?a=${a}&b=${b}`)}
          />
          {error !== undefined && <Trouble error={error} retry={again} />}
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
                  <Row key={entry.conversation_id} entry={entry} picked={picked} />
                ))}
              </tbody>
            </table>
            {value !== undefined && shown.length === 0 && <p class="none1">Nothing fits. Look for less.</p>}
          </div>
          <div class="pg">
            <span class="num">{shown.length} on this page</span>
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
    </Page>
  );
}

interface Picking {
  picked: { value: readonly string[] | undefined };
}

function Tools(p: Picking & { found: number | undefined; compare: (a: string, b: string) => void }) {
  const { q, period, length, moment, status, sentiment, cursors } = looked;
  const timer = useRef(0);
  const change = <T,>(what: { value: T }, value: T): void => {
    cursors.value = [];
    what.value = value;
  };
  const { picked } = p;
  const [a, b] = picked.value ?? [];
  return (
    <div class="tool">
      <span class="sw">
        <Icon name="search" size={15} />
        <input
          id="search"
          class="inp"
          type="search"
          placeholder="Search titles, names and what was said"
          aria-label="Search titles, names and what was said"
          value={q.value}
          onInput={(e) => {
            const { value } = e.currentTarget;
            clearTimeout(timer.current);
            timer.current = window.setTimeout(() => change(q, value), TYPING_MS);
          }}
        />
      </span>
      <Choice
        name="When"
        value={period.value}
        from={Object.keys(PERIODS) as (keyof typeof PERIODS)[]}
        choose={(v) => change(period, v)}
      />
      <Choice
        name="With"
        value={moment.value}
        from={['', ...(Object.keys(MOMENT_NAMES) as MomentCategory[])]}
        word={(v) => (v === '' ? 'Any moments' : `With: ${MOMENT_NAMES[v].toLowerCase()}`)}
        choose={(v) => change(moment, v)}
      />
      <Choice
        name="Length"
        value={length.value}
        from={Object.keys(LENGTHS) as (keyof typeof LENGTHS)[]}
        choose={(v) => change(length, v)}
      />
      <Choice
        name="Tone"
        value={sentiment.value}
        from={['', 'positive', 'neutral', 'negative'] as const}
        word={(v) => (v === '' ? 'Any tone' : capital(v))}
        choose={(v) => change(sentiment, v)}
      />
      <Choice
        name="Status"
        value={status.value}
        from={['', 'completed', 'processing', 'failed', 'cancelled'] as const}
        word={(v) => (v === '' ? 'Any status' : capital(v))}
        choose={(v) => change(status, v)}
      />
      <span class="sp" />
      {picked.value === undefined ? (
        <button type="button" class="btn ghost" onClick={() => (picked.value = [])}>
          <Icon name="compare" size={16} /> Compare two
        </button>
      ) : (
        <>
          <button type="button" class="btn pri" disabled={!a || !b} onClick={() => a && b && p.compare(a, b)}>
            Compare {picked.value.length} of 2
          </button>
          <button type="button" class="btn ghost" onClick={() => (picked.value = undefined)}>
            Not now
          </button>
        </>
      )}
      <span class="vh" role="status">
        {p.found === undefined ? '' : `${p.found} conversations`}
      </span>
    </div>
  );
}

function Choice<T extends string>(p: {
  name: string;
  value: T;
  from: readonly T[];
  word?: (value: T) => string;
  choose: (value: T) => void;
}) {
  return (
    <select class="btn" aria-label={p.name} value={p.value} onChange={(e) => p.choose(e.currentTarget.value as T)}>
      {p.from.map((value) => (
        <option key={value} value={value}>
          {p.word ? p.word(value) : value}
        </option>
      ))}
    </select>
  );
}

function Row({ entry, picked }: Picking & { entry: ConversationEntry }) {
  const { route } = useLocation();
  const { conversation_id: id, result } = entry;
  const href = `/app/conversations/${id}`;
  const isPicked = picked.value?.includes(id) ?? false;
  return (
    <tr
      onClick={(e) => {
        if (!(e.target as Element).closest('a, input, label') && !String(getSelection())) route(href);
      }}
    >
      <td>
        {picked.value && result && (
          <input
            type="checkbox"
            aria-label={`Compare ${titleOf(entry)}`}
            checked={isPicked}
            onChange={() => {
              const others = picked.value?.filter((other) => other !== id) ?? [];
              picked.value = isPicked ? others : [...others.slice(-1), id];
            }}
          />
        )}
        <a class="t1 ell" href={href} data-row>
          <bdi>{titleOf(entry)}</bdi>
        </a>
        <span class="t2 ell">{subtitleOf(entry)}</span>
        {entry.matches?.map((match) => (
          <Found key={match.utterance_id} href={href} match={match} />
        ))}
      </td>
      <td class="hm">{result && <People result={result} />}</td>
      <td class="hm">
        {result && <Course points={result.course} />}
        {entry.status === 'processing' && <Progress id={id} />}
      </td>
      <td class="hm">{result && <Moments moments={result.moments} />}</td>
      <td>
        {result ? (
          <>
            {capital(result.quality)} <Dots quality={result.quality} />
          </>
        ) : (
          <StatusChip entry={entry} />
        )}
      </td>
      <td class="r num">{result ? clock(result.duration_s) : ''}</td>
      <td class="r num muted">{shortDay(entry.created_at)}</td>
    </tr>
  );
}

function subtitleOf({ goal, result, error, filename, title, status }: ConversationEntry): string {
  if (error) return error.message;
  if (goal) return goal;
  if (result && result.speakers.length === 1) return 'One voice';
  if (result && result.warnings > 0) return `${result.warnings} ${result.warnings === 1 ? 'warning' : 'warnings'}`;
  if (status === 'cancelled') return 'Stopped before its end';
  return filename === title ? '' : filename;
}

const SHORT: Readonly<Record<string, string>> = { NO_UTTERANCES: 'No speech', INVALID_MEDIA: 'Not readable' };

function StatusChip({ entry: { status, error, mode } }: { entry: ConversationEntry }) {
  if (status === 'failed')
    return (
      <span class="chip bad">
        <Icon name="warning" size={12} /> {SHORT[error?.code ?? ''] ?? 'Failed'}
      </span>
    );
  if (status === 'cancelled') return <span class="chip">Stopped</span>;
  return (
    <span class="chip">
      <Icon name={mode === 'live' ? 'mic' : 'clock'} size={12} /> {mode === 'live' ? 'Live' : 'In progress'}
    </span>
  );
}

function Progress({ id }: { id: string }) {
  const { value } = useLoaded((signal) => service().conversations.peek(id, { signal }), [id]);
  const share = value && 'progress' in value ? value.progress : 0;
  const told = `${Math.round(share * 100)} %`;
  return (
    <span
      class="prog1"
      role="progressbar"
      aria-label="Understood"
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={told}
    >
      <i style={{ width: told.replace(' ', '') }} />
    </span>
  );
}

function People({ result }: { result: NonNullable<ConversationEntry['result']> }) {
  const { speakers } = result;
  const rest = speakers.length - MOST_PEOPLE;
  return (
    <span
      class="ppl1"
      role="img"
      aria-label={speakers.map(({ name }) => name).join(', ')}
      title={speakers.map(({ name }) => name).join(', ')}
    >
      {speakers.slice(0, MOST_PEOPLE).map(({ name }, i) => (
        <Badge key={name} speaker={i} />
      ))}
      {rest > 0 && <small class="num">+{rest}</small>}
    </span>
  );
}

function Moments({ moments }: { moments: NonNullable<ConversationEntry['result']>['moments'] }) {
  const counted = Object.entries(moments) as [MomentCategory, number][];
  if (counted.length === 0) return <span class="muted">none</span>;
  return (
    <span class="moms">
      {counted.map(([category, count]) => (
        <span key={category} title={MOMENT_NAMES[category]}>
          <Glyph kind={category} size={13} />
          <span class="vh">{MOMENT_NAMES[category]}</span>
          {count}
        </span>
      ))}
    </span>
  );
}

/** Where it was said: leads to that second. */
function Found({ href, match: { text, hits, t_start } }: { href: string; match: Match }) {
  const [[from, to] = [0, 0]] = hits as [number, number][];
  const begin = Math.max(0, from - 40);
  return (
    <a class="hit1" href={`${href}?t=${Math.floor(t_start)}`}>
      <span class="num">{clock(t_start)}</span> {begin > 0 && '… '}
      {text.slice(begin, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to, to + 60)}
    </a>
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

/** j and k go from row to row, Enter opens, / looks. Never while a field has the focus. */
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
