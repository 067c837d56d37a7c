import { useState } from 'preact/hooks';
import type { AuditEntry, Failure, Operations as Told } from '../../sdk/wire.ts';
import '../style/operations.css';
import { ErrorMessage } from '../lib/error-message.tsx';
import { ago, bytes, shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator, isOperator } from '../lib/session.ts';
import { SignIn } from './SignIn.tsx';

const HOUR_MS = 3_600_000;
const PERIODS: readonly [hours: number, name: string][] = [
  [1, '1 h'],
  [24, '24 h'],
  [168, '7 days'],
];
/** Share of analyses that failed because of the service from which the service is no longer called healthy. */
const ILL_SHARE = 0.02;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const seconds = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${Math.round(milliseconds / 1000)} s`;

/** Current and past work of the service, for its operator. */
export function Operations() {
  const [hours, setHours] = useState(24);
  const told = useLoaded((signal) => asOperator().tenants.operations({ hours, signal }), [hours]);
  const audit = useLoaded((signal) => asOperator().tenants.audit({ signal }), []);
  if (!isOperator.value) return <SignIn asks="operator" />;
  const now = told.value;
  return (
    <Page
      title="Operations"
      lead={now && <Health now={now} />}
      tools={
        <div class="row">
          {PERIODS.map(([of, name]) => (
            <button
              type="button"
              key={of}
              class={`btn sm ${of === hours ? 'pri' : 'ghost'}`}
              aria-pressed={of === hours}
              onClick={() => setHours(of)}
            >
              {name}
            </button>
          ))}
          <button type="button" class="btn sm" onClick={told.again}>
            <Icon name="rotate" size={14} /> Refresh
          </button>
        </div>
      }
    >
      {told.error !== undefined && <ErrorMessage error={told.error} retry={told.again} />}
      {now && (
        <>
          <Tiles now={now} />
          <div class="charts">
            <Chart now={now} hours={hours} title="Analyses" of={(hour) => hour.completed} word="done" />
            <Chart now={now} hours={hours} title="Failed" of={(hour) => hour.failed} word="failed" isBad />
          </div>
          <div class="sub">
            <Failures failures={now.failures} />
            <Tenants now={now} />
            <Events now={now} />
            <Settings now={now} />
          </div>
          {audit.value && <AuditTable entries={audit.value.entries} />}
        </>
      )}
    </Page>
  );
}

function ours(now: Told): number {
  return sumOf(now.failures.filter(({ is_ours }) => is_ours).map(({ count }) => count));
}

function ended(now: Told): number {
  return sumOf(now.hours.map(({ completed, failed }) => completed + failed));
}

/** The health as a word and a symbol. */
function Health({ now }: { now: Told }) {
  const isWell = ours(now) <= ended(now) * ILL_SHARE;
  return (
    <>
      <span class={`chip ${isWell ? 'ok' : 'bad'}`}>
        <Icon name={isWell ? 'check' : 'warning'} size={12} width={2} /> {isWell ? 'Healthy' : 'Failing'}
      </span>{' '}
      Version {now.version}, {now.tenants.length} {now.tenants.length === 1 ? 'tenant' : 'tenants'}, checked{' '}
      {ago(now.checked_at)}.{!now.is_whole && ' Not all tenants are included.'}
    </>
  );
}

function Tiles({ now }: { now: Told }) {
  const all = ended(now);
  const failed = sumOf(now.hours.map((hour) => hour.failed));
  const tiles: [string, string, string][] = [
    ['Analyses', String(all), `since ${shortDay(now.since)}`],
    ['Failed', all > 0 ? `${((failed / all) * 100).toFixed(1)} %` : '0', `${failed}, ${ours(now)} of them ours`],
    [
      'Waiting now',
      String(sumOf(now.tenants.map(({ queued }) => queued))),
      `${sumOf(now.tenants.map(({ running }) => running))} running`,
    ],
    [
      'Live sessions',
      String(sumOf(now.tenants.map(({ live_sessions }) => live_sessions))),
      now.has_live ? 'open' : 'switched off',
    ],
    [
      'Analysis time',
      now.duration_ms ? seconds(now.duration_ms.median) : '–',
      now.duration_ms ? `95 % within ${seconds(now.duration_ms.p95)}` : 'none completed',
    ],
    ['Stored', bytes(sumOf(now.tenants.map(({ stored_bytes }) => stored_bytes))), 'recordings and results'],
  ];
  return (
    <div class="tiles">
      {tiles.map(([name, value, more]) => (
        <div key={name}>
          <span>{name}</span>
          <b class="num">{value}</b>
          <small class="num tile2">{more}</small>
        </div>
      ))}
    </div>
  );
}

const W = 480;
const H = 120;

type Hour = Told['hours'][number];

function Chart(p: {
  now: Told;
  hours: number;
  title: string;
  of: (hour: Hour) => number;
  word: string;
  isBad?: boolean;
}) {
  const end = Math.floor(Date.parse(p.now.checked_at) / HOUR_MS) * HOUR_MS;
  const byHour = new Map(p.now.hours.map((hour) => [Date.parse(hour.at), p.of(hour)]));
  const count = Math.max(p.hours, 2);
  const values = Array.from({ length: count }, (_, i) => byHour.get(end - (count - 1 - i) * HOUR_MS) ?? 0);
  const most = Math.max(1, ...values);
  const x = (i: number): number => (i / (count - 1)) * W;
  const y = (value: number): number => H - (value / most) * (H - 8);
  const line = values.map((value, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const colour = p.isBad ? 'var(--bad)' : 'var(--ink)';
  return (
    <section class="card ch">
      <h2>
        {p.title} <span>per hour</span>
        <span class="lg num">
          {sumOf(values)} {p.word}, at most {Math.max(...values)} an hour
        </span>
      </h2>
      <svg
        viewBox={`0 0 ${W} ${H}`}
        role="img"
        aria-label={`${p.title}: ${sumOf(values)} in ${p.hours} hours, at most ${Math.max(...values)} an hour`}
      >
        <path d={`M0 ${H}H${W}M0 8H${W}`} stroke="var(--line)" />
        <path d={`${line}L${W} ${H}L0 ${H}Z`} fill={colour} opacity={0.08} />
        <path d={line} fill="none" stroke={colour} stroke-width="1.6" />
      </svg>
      <p class="t-cap muted ends num">
        <span>{shortDay(new Date(end - (count - 1) * HOUR_MS).toISOString())}</span>
        <span>now</span>
      </p>
    </section>
  );
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <Scrolling name="Failures">
      {failures.length === 0 ? (
        <p class="muted in2">Nothing failed.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Whose</th>
              <th scope="col" class="r">
                Times
              </th>
              <th scope="col">Last</th>
              <th scope="col">Requests</th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ code, is_ours: isOurs, count, last_at: last, requests }) => (
              <tr key={code}>
                <td class="mono">{code}</td>
                <td>{isOurs ? 'ours' : 'the file’s'}</td>
                <td class="r num">{count}</td>
                <td class="num">{ago(last)}</td>
                <td>
                  {requests.map(({ request_id: id, tenant }) => (
                    <div key={id} class="mono req" title={`tenant ${tenant}`}>
                      {id}
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scrolling>
  );
}

function Tenants({ now }: { now: Told }) {
  return (
    <Scrolling name="Tenants">
      <table>
        <thead>
          <tr>
            <th scope="col">Tenant</th>
            <th scope="col" class="r">
              Running
            </th>
            <th scope="col" class="r">
              Waiting
            </th>
            <th scope="col" class="r">
              Live
            </th>
            <th scope="col" class="r">
              Stored
            </th>
            <th scope="col">Webhooks</th>
          </tr>
        </thead>
        <tbody>
          {now.tenants.map(({ id, name, running, queued, live_sessions: live, stored_bytes: stored, deliveries }) => (
            <tr key={id}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td class="r num">{running}</td>
              <td class="r num">{queued}</td>
              <td class="r num">{live}</td>
              <td class="r num">{bytes(stored)}</td>
              <td class="num">
                {deliveries.delivered} delivered{deliveries.pending > 0 && `, ${deliveries.pending} waiting`}
                {deliveries.failed > 0 && `, ${deliveries.failed} failed`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Events({ now }: { now: Told }) {
  const events = Object.entries(now.events).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...events.map(([, count]) => count));
  return (
    <Scrolling name="Events sent since the start">
      <table>
        <tbody>
          {events.map(([name, count]) => (
            <tr key={name}>
              <th scope="row" class="mono">
                {name}
              </th>
              <td>
                <span class="bar1">
                  <i style={{ width: `${(count / most) * 100}%` }} />
                </span>
              </td>
              <td class="r num">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {events.length === 0 && <p class="muted in2">None yet.</p>}
    </Scrolling>
  );
}

function Settings({ now }: { now: Told }) {
  const rows: [string, string, string][] = [
    [
      'Language model',
      now.has_language_model ? 'on' : 'off',
      now.has_language_model ? 'transcripts leave the service' : 'no text leaves the service',
    ],
    ['Live capture', now.has_live ? 'on' : 'off', ''],
    ['Retention, tone and limits', 'by tenant', 'on the page of keys'],
    ['Metrics', 'GET /metrics', 'JSON, or Prometheus by Accept'],
  ];
  return (
    <Scrolling name="Main settings">
      <table>
        <tbody>
          {rows.map(([name, value, more]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td class="muted">{more}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Scrolling name="Audit log" kind="audit">
      <p class="muted in2">Events that belong to no tenant: sign-ins, and tenants created or removed.</p>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Who</th>
            <th scope="col">What</th>
            <th scope="col">Request</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, who, act, subject, request_id: request }) => (
            <tr key={id}>
              <td class="num">{shortDay(at)}</td>
              <td>{who}</td>
              <td>
                {act} <span class="mono muted">{subject.slice(0, 12)}</span>
              </td>
              <td class="mono muted">{request}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
