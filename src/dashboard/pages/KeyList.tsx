import { useState } from 'preact/hooks';
import type { Key, KeyUsage } from '../../sdk/wire.ts';
import { ago, shortDate, shortDay } from '../lib/format.ts';
import { useLoaded } from '../lib/load.ts';
import { labelOf, shortId } from '../lib/scopes.ts';
import { administration } from '../lib/session.ts';

/** The days whose usage is shown. */
export const DAYS = 30;
const DAY_MS = 86_400_000;
/** Remaining time below which an expiry is shown as a warning, ms. */
const SOON_MS = 14 * DAY_MS;
/** Limit on the keys with a chart of days, since each chart takes one request. */
const MOST_CHARTED = 25;

/** A card about one key. */
export interface KeyCard {
  kind: 'rotate' | 'revoke';
  of: Key;
}
type OpenCard = (card: KeyCard) => void;

export const isOff = ({ status }: Key): boolean => status !== 'active';

/** The keys of a tenant, with their usage. */
export function KeyList({ keys, open }: { keys: Key[] | undefined; open: OpenCard }) {
  if (keys?.length === 0)
    return (
      <div class="card empty">
        <b>No key yet.</b>
        <p class="muted">Issue one for each application that calls the service.</p>
      </div>
    );
  return (
    <div class="card kt">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">Status</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Last {DAYS} days</th>
            <th scope="col" class="r">
              Analysed in {DAYS} days
            </th>
            <th scope="col" class="r">
              Refused in {DAYS} days
            </th>
            <th scope="col">
              <span class="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody aria-busy={keys === undefined}>
          {keys === undefined && (
            <tr>
              <td colSpan={8}>
                <div class="sk late" role="status">
                  Loading …
                </div>
              </td>
            </tr>
          )}
          {keys?.map((key, i) => (
            <Row key={key.id} of={key} isCharted={i < MOST_CHARTED} open={open} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ of, isCharted, open }: { of: Key; isCharted: boolean; open: OpenCard }) {
  const { value: usage } = useLoaded(
    async (signal) => (isCharted ? administration().keys.usage(of.id, { days: DAYS, signal }) : undefined),
    [of.id, isCharted],
  );
  const minutes = usage?.days.reduce((sum, day) => sum + day.audio_minutes, 0);
  const refused = usage?.days.reduce((sum, day) => sum + day.refusals, 0);
  return (
    <tr class={isOff(of) ? 'off' : ''}>
      <td>
        <span class="nm">
          <bdi>{labelOf(of)}</bdi>
        </span>
        <small class="mono">{of.source === 'settings' ? of.label : shortId(of.id)}</small>
      </td>
      <td>
        <Status of={of} />
      </td>
      <td class="num fig" data-name="Created">
        {of.created_at ? shortDay(of.created_at) : 'always'}
      </td>
      <td class="num fig" data-name="Last used">
        {of.last_used_at ? ago(of.last_used_at) : 'not yet'}
      </td>
      <td class="hm">{usage && <Days usage={usage} />}</td>
      <td class="r num fig" data-name={`Analysed in ${DAYS} days`}>
        {minutes === undefined ? '' : `${Math.round(minutes)} min`}
      </td>
      <td class="r num fig" data-name={`Refused in ${DAYS} days`}>
        {refused}
      </td>
      <td>
        {of.source === 'issued' && !isOff(of) && (
          <div class="acts">
            {!of.replaced_by && (
              <button type="button" class="btn sm" onClick={() => open({ kind: 'rotate', of })}>
                Rotate<span class="vh"> {of.label}</span>
              </button>
            )}
            <button type="button" class="btn sm danger" onClick={() => open({ kind: 'revoke', of })}>
              Revoke<span class="vh"> {of.label}</span>
            </button>
          </div>
        )}
      </td>
    </tr>
  );
}

function Status({ of }: { of: Key }) {
  const [now] = useState(Date.now);
  const { status, expires_at: expires, revoked_at: revoked, replaced_by: replaced, source } = of;
  const said = ((): [kind: string, word: string, more: string] => {
    if (status === 'revoked') return ['bad', 'Revoked', revoked ? `on ${shortDay(revoked)}` : ''];
    if (status === 'expired') return ['', 'Expired', expires ? `on ${shortDay(expires)}` : ''];
    if (source === 'settings') return ['', 'Active', 'until the settings change'];
    if (replaced) return ['warn', 'Rotating', expires ? `this old key works until ${shortDay(expires)}` : ''];
    if (expires && Date.parse(expires) - now < SOON_MS)
      return ['warn', 'Expires soon', inDays(Date.parse(expires) - now)];
    return ['ok', 'Active', expires ? `expires ${shortDay(expires)}` : 'never expires'];
  })();
  return (
    <>
      <span class={`chip ${said[0]}`}>{said[1]}</span>
      <small>{said[2]}</small>
    </>
  );
}

const inDays = (milliseconds: number): string => {
  const days = Math.ceil(milliseconds / DAY_MS);
  return days === 1 ? 'within a day' : `in ${days} days`;
};

/** Requests per day, with the newest day on the right. */
function Days({ usage }: { usage: KeyUsage }) {
  const byDay = new Map(usage.days.map((day) => [day.day, day.requests]));
  const days = Array.from({ length: DAYS }, (_, i) =>
    new Date(Date.now() - (DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  const most = Math.max(1, ...byDay.values());
  const total = [...byDay.values()].reduce((sum, count) => sum + count, 0);
  return (
    <svg class="days" viewBox={`0 0 ${DAYS * 4} 24`} role="img" aria-label={`${total} requests in ${DAYS} days`}>
      {days.map((day, i) => {
        const count = byDay.get(day) ?? 0;
        const height = count === 0 ? 1 : Math.max(2, (count / most) * 24);
        return (
          <rect
            key={day}
            x={i * 4}
            y={24 - height}
            width={2.6}
            height={height}
            rx={1}
            fill={count === 0 ? 'var(--line-2)' : 'var(--ink-2)'}
          >
            <title>{`${shortDate(day)}: ${count} ${count === 1 ? 'request' : 'requests'}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
