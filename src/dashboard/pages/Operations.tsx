import { useState } from 'preact/hooks';
import type { Operations as Told } from '../../sdk/wire.ts';
import '../style/operations.css';
import { ErrorMessage } from '../lib/error-message.tsx';
import { ago, bytes, shortDay, tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator, greet, isOperator } from '../lib/session.ts';
import { ForAdministrators } from './ForAdministrators.tsx';
import { AccessTable } from './OperationsAccess.tsx';
import { AuditLog } from './OperationsAudit.tsx';
import { UndeliveredMessages } from './OperationsDeliveries.tsx';
import { DeadLetters, Failures } from './OperationsFailures.tsx';
import { fileSlotsOf, Instances } from './OperationsPool.tsx';
import { TableCard } from './OperationsTable.tsx';
import { SignIn } from './SignIn.tsx';

const HOUR_MS = 3_600_000;
const PERIODS: readonly [hours: number, name: string][] = [
  [1, '1 h'],
  [24, '24 h'],
  [168, '7 days'],
];
/** The used share of a tenant's database from which it is reported. */
const NEARLY_FULL = 0.6;
/** Share of analyses failing because of the service above which the service no longer counts as healthy. */
const ILL_SHARE = 0.02;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const seconds = (milliseconds: number): string =>
  milliseconds < 10_000 ? `${(milliseconds / 1000).toFixed(1)}\u00a0s` : `${Math.round(milliseconds / 1000)}\u00a0s`;

/** Current and past work of the service, for its operator. */
export function Operations() {
  return (
    <ForAdministrators title="Operations">
      {isOperator.value ? <Overview /> : <SignIn asks="operator" />}
    </ForAdministrators>
  );
}

function Overview() {
  const [hours, setHours] = useState(24);
  const told = useLoaded((signal) => asOperator().tenants.operations({ hours, signal }), [hours]);
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
      {told.error !== undefined && <ErrorMessage error={told.error} retry={told.again} refused={() => void greet()} />}
      {!now && told.error === undefined && (
        <div class="card sk late" role="status">
          Loading …
        </div>
      )}
      {now && (
        <>
          <Tiles now={now} hours={hours} />
          <div class="charts">
            <Chart now={now} hours={hours} title="Analyses done" of={(hour) => hour.completed} />
            <Chart now={now} hours={hours} title="Failed" of={(hour) => hour.failed} isBad />
          </div>
          <Instances now={now} />
          <DeadLetters now={now} again={told.again} />
          <Failures now={now} again={told.again} />
          <UndeliveredMessages now={now} again={told.again} />
          <Tenants now={now} />
          <div class="sub">
            <Events now={now} />
            <Settings now={now} />
          </div>
          <AccessTable now={now} />
          <AuditLog now={now} />
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

/** Sentences that tell an operator what needs attention now. */
function troublesOf(now: Told): string[] {
  const waiting = now.queue?.waiting ?? 0;
  const stranded = now.pool?.waiting_live ?? 0;
  const given = now.dead_letters?.length ?? 0;
  const undelivered = sumOf(now.tenants.map(({ deliveries }) => deliveries.failed));
  return [
    ...(ours(now) > ended(now) * ILL_SHARE
      ? [`${ours(now)} of ${ended(now)} analyses failed because of the service`]
      : []),
    ...(waiting > 0 && now.pipelines?.ready === 0 ? [`${waiting} analyses wait and no pipeline responds`] : []),
    ...(stranded > 0 ? [`${stranded} live ${stranded === 1 ? 'session waits' : 'sessions wait'} for a pipeline`] : []),
    ...(given > 0 ? [`${given} failed ${given === 1 ? 'analysis' : 'analyses'} can be started again below`] : []),
    ...now.tenants
      .filter(({ database_share: share = 0 }) => share >= NEARLY_FULL)
      .map(({ name, database_share: share = 0 }) => `The database of ${name} is ${Math.floor(share * 100)} % full`),
    ...(undelivered > 0 ? [`${undelivered} webhook messages could not be delivered`] : []),
  ];
}

/** Health as a word and a sign, with what needs attention. */
function Health({ now }: { now: Told }) {
  const troubles = troublesOf(now);
  return (
    <>
      <span class={`chip ${troubles.length === 0 ? 'ok' : 'warn'}`}>
        <Icon name={troubles.length === 0 ? 'check' : 'warning'} size={12} width={2} />{' '}
        {troubles.length === 0 ? 'Healthy' : 'Needs attention'}
      </span>{' '}
      {troubles.map((trouble) => `${trouble}. `)}
      Version {now.version}, updated {ago(now.checked_at)}.{!now.is_whole && ' Not all tenants are included.'}
    </>
  );
}

function Tiles({ now, hours }: { now: Told; hours: number }) {
  const all = ended(now);
  const failed = sumOf(now.hours.map((hour) => hour.failed));
  const { queue, pipelines, live_final_ms: lag } = now;
  const running = sumOf(now.tenants.map((one) => one.running));
  const files = fileSlotsOf(now);
  /** Slots on which a pipeline still works although no analysis of a file runs there. */
  const leftOver = files && now.is_whole ? files.used - running : 0;
  const period = PERIODS.find(([of]) => of === hours)?.[1] ?? '';
  const tiles: [string, string, string][] = [
    [
      files ? 'File slots busy' : 'Running',
      files ? `${files.used} of ${files.slots}` : String(running),
      [
        files && now.is_whole && `${running} ${running === 1 ? 'analysis' : 'analyses'} running`,
        leftOver > 0 && `${leftOver} given up, cancelled or at the end of a live session, and free soon`,
        pipelines && `${pipelines.ready} of ${pipelines.total} pipelines respond`,
      ]
        .filter(Boolean)
        .join('; '),
    ],
    ['Waiting', String(queue?.waiting ?? sumOf(now.tenants.map(({ queued }) => queued))), 'for a slot'],
    [
      'Live sessions',
      String(sumOf(now.tenants.map(({ live_sessions }) => live_sessions))),
      now.has_live
        ? lag
          ? `text ${seconds(lag.median)} after speech; 95\u00a0% within ${seconds(lag.p95)}`
          : 'no delay measured yet'
        : 'switched off',
    ],
    [
      'An analysis takes',
      now.duration_ms ? seconds(now.duration_ms.median) : '–',
      now.duration_ms ? `median; 95\u00a0% within ${seconds(now.duration_ms.p95)}` : 'none completed',
    ],
    [`Failed, ${period}`, `${failed} of ${all}`, `analyses; ${ours(now)} ours, ${failed - ours(now)} the senders’`],
    [
      'Stored',
      bytes(sumOf(now.tenants.map(({ stored_bytes }) => stored_bytes))),
      `${now.tenants.length} ${now.tenants.length === 1 ? 'tenant' : 'tenants'}`,
    ],
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
/** Height of the smallest bar, so that one failure among thousands is seen. */
const LEAST = 3;
/** Times labelled below a chart. */
const TICKS = 4;

type Hour = Told['hours'][number];

function Chart(p: { now: Told; hours: number; title: string; of: (hour: Hour) => number; isBad?: boolean }) {
  const end = Math.floor(Date.parse(p.now.checked_at) / HOUR_MS) * HOUR_MS;
  const byHour = new Map(p.now.hours.map((hour) => [Date.parse(hour.at), p.of(hour)]));
  // The first hour is in the period in part, and counts at the top of the page.
  const count = p.hours + 1;
  const values = Array.from({ length: count }, (_, i) => byHour.get(end - (count - 1 - i) * HOUR_MS) ?? 0);
  // Both charts have one scale, so that they can be compared.
  const most = Math.max(1, ...p.now.hours.flatMap(({ completed, failed }) => [completed, failed]));
  const width = W / count;
  const y = (value: number): number => H - Math.max(LEAST, (value / most) * (H - 8));
  const colour = p.isBad ? 'var(--bad)' : 'var(--ink-2)';
  return (
    <section class="card ch">
      <h2>
        {p.title} <span>per hour</span>
      </h2>
      <div class="axes">
        <span class="num">{most}</span>
        <svg
          viewBox={`0 0 ${W} ${H}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${p.title}: ${sumOf(values)} in ${p.hours} hours, at most ${Math.max(...values)} an hour`}
        >
          <path d={`M0 ${H}H${W}M0 8H${W}`} stroke="var(--line)" />
          {values.map((value, i) =>
            value === 0 ? null : (
              <rect
                key={i}
                x={i * width}
                width={Math.max(0.8, width - 1)}
                y={y(value)}
                height={H - y(value)}
                fill={colour}
              >
                <title>{`${shortDay(new Date(end - (count - 1 - i) * HOUR_MS).toISOString())}: ${value}`}</title>
              </rect>
            ),
          )}
        </svg>
        <span class="num low">0</span>
      </div>
      <p class="t-cap muted ends num">
        {Array.from({ length: TICKS }, (_, i) => (
          <span key={i}>
            {i === TICKS - 1
              ? 'now'
              : shortDay(new Date(end - Math.round((count - 1) * (1 - i / (TICKS - 1))) * HOUR_MS).toISOString())}
          </span>
        ))}
      </p>
    </section>
  );
}

function Tenants({ now: { tenants } }: { now: Told }) {
  return (
    <TableCard<Told['tenants'][number]>
      name="Tenants"
      empty="None yet."
      rows={tenants}
      keyOf={({ id }) => id}
      below="A tenant leads to its keys, its settings, its export and its deletion. Running and Waiting are analyses that have not ended."
      columns={[
        {
          name: 'Tenant',
          width: '22%',
          of: (one) => (
            <a class="und" href={`/app/keys?tenant=${one.id}`}>
              <bdi>{tenantName(one)}</bdi>
            </a>
          ),
          title: ({ name, id }) => `${name} (${id})`,
        },
        { name: 'Running', kind: 'r num', of: ({ running }) => running },
        { name: 'Waiting', kind: 'r num', of: ({ queued }) => queued },
        { name: 'Live', kind: 'r num', of: ({ live_sessions: live }) => live },
        { name: 'Stored', kind: 'r num', of: ({ stored_bytes: stored }) => bytes(stored) },
        { name: 'Messages sent', width: '124px', kind: 'r num', of: ({ deliveries }) => deliveries.delivered },
        { name: 'Messages waiting', width: '124px', kind: 'r num', of: ({ deliveries }) => deliveries.pending },
        {
          name: 'Messages given up',
          width: '132px',
          kind: 'r num',
          of: ({ deliveries: { failed } }) => <span class={failed > 0 ? 'bad1' : ''}>{failed}</span>,
        },
      ]}
    />
  );
}

function Events({ now }: { now: Told }) {
  const events = Object.entries(now.events).sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...events.map(([, count]) => count));
  return (
    <Scrolling name="Events sent since the first deployment">
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
      <p class="muted in2">
        {events.length === 0 && 'None yet. '}Streams, live sessions and jobs send events. An analysis that responds with
        one JSON document sends none.
      </p>
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
    ['Retention, tone and limits', 'by tenant', 'in Settings'],
    ['Metrics', 'GET /metrics', 'JSON, or Prometheus by Accept'],
  ];
  return (
    <Scrolling name="Main settings">
      <table class="settings">
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
