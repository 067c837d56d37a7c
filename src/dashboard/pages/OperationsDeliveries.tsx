import { useState } from 'preact/hooks';
import type { Operations, Undelivered } from '../../sdk/wire.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

/** Webhook messages whose attempts are used up, each with a button to send it again. */
export function UndeliveredMessages({
  now: { undelivered = [], tenants },
  again,
}: {
  now: Operations;
  again: () => void;
}) {
  const names = new Map(tenants.map(({ id, name }) => [id, name]));
  return (
    <Scrolling name="Undelivered webhook messages" kind="ops">
      {undelivered.length === 0 ? (
        <p class="muted in2">Every message was delivered or is still being tried.</p>
      ) : (
        <table class="fix undelivered">
          <thead>
            <tr>
              <th scope="col">Last attempt</th>
              <th scope="col">Event</th>
              <th scope="col">Receiver</th>
              <th scope="col">Answer</th>
              <th scope="col">Tenant</th>
              <th scope="col" class="r">
                <span class="vh">Again</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {undelivered.map((one) => (
              <tr key={one.id}>
                <td class="num">{one.last_attempt_at === null ? '–' : shortDay(one.last_attempt_at)}</td>
                <td class="mono ell" title={`${one.event}, conversation ${one.conversation_id}`}>
                  {one.event}
                </td>
                <td class="ell" title={one.url}>
                  {one.url}
                </td>
                <td class="ell" title={one.last_error ?? ''}>
                  {one.last_status ?? 'none'} <span class="muted">after {one.attempts} attempts</span>
                </td>
                <td class="ell" title={names.get(one.tenant) ?? one.tenant}>
                  <bdi>{names.get(one.tenant) ?? one.tenant}</bdi>
                </td>
                <td class="r">
                  <SendAgain of={one} again={again} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scrolling>
  );
}

function SendAgain({ of, again }: { of: Undelivered; again: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const send = async (): Promise<void> => {
    setAsked(true);
    try {
      await asOperator().tenants.redeliver(of.tenant, of.webhook_id, of.id);
      say('The message is being sent again');
      again();
    } catch (error) {
      say(errorTextOf(error).what);
      setAsked(false);
    }
  };
  return (
    <button type="button" class="btn sm" disabled={isAsked} onClick={() => void send()}>
      <Icon name="rotate" size={14} /> Send again
    </button>
  );
}
