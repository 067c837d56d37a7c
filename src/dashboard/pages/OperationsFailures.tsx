import { useState } from 'preact/hooks';
import type { DeadLetter, Failure, Operations } from '../../sdk/wire.ts';
import { errorTextOf, reasonOf } from '../lib/error-texts.ts';
import { shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Scrolling } from '../lib/scrolling.tsx';
import { asOperator } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

type FailedRequest = Failure['requests'][number] & Pick<Failure, 'code' | 'is_ours'>;

/**
 * The newest failures, each with its reason, its conversation, and a button to analyse it again where that can help.
 */
export function Failures({ now, hours, again }: { now: Operations; hours: number; again: () => void }) {
  const { failures } = now;
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const newest = failures
    .flatMap(({ requests, code, is_ours }): FailedRequest[] => requests.map((one) => ({ ...one, code, is_ours })))
    .sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
  const tenants = new Map(now.tenants.map(({ id, name }) => [id, name]));
  return (
    <Scrolling name="Failures" kind="ops">
      {total === 0 ? (
        <p class="muted in2">Nothing failed.</p>
      ) : (
        <>
          <p class="in2 codes num">
            <span class="muted">
              {total} in {hours} h
            </span>
            {failures.map(({ code, count, is_ours: isOurs }) => (
              <span key={code} class="chip" title={code}>
                {reasonOf(code)} {count} {isOurs && '(ours)'}
              </span>
            ))}
          </p>
          <table class="fix failures">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">What happened</th>
                <th scope="col">Whose</th>
                <th scope="col">Tenant</th>
                <th scope="col">Conversation</th>
                <th scope="col" class="r">
                  <span class="vh">Again</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {newest.map((one) => (
                <tr key={one.request_id}>
                  <td class="num">{one.at === undefined ? '' : shortDay(one.at)}</td>
                  <td class="ell" title={`${one.code}: ${one.reason ?? ''}\nrequest ${one.request_id}`}>
                    {reasonOf(one.code)} <span class="muted">{one.reason}</span>
                  </td>
                  <td>{one.is_ours ? 'ours' : 'the sender’s'}</td>
                  <td class="ell" title={tenants.get(one.tenant) ?? one.tenant}>
                    <bdi>{tenants.get(one.tenant) ?? one.tenant}</bdi>
                  </td>
                  <td class="ell">
                    <a class="mono und" href={`/app/conversations/${one.conversation_id}`} title={one.conversation_id}>
                      {one.conversation_id}
                    </a>
                  </td>
                  <td class="r">{one.can_retry && <Again of={one} again={again} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="muted in2">
            Opening a conversation needs a key of its tenant. When the service is at fault, it keeps the recording for
            some hours so that the analysis can be repeated.
          </p>
        </>
      )}
    </Scrolling>
  );
}

/** Analyses that the service gave up, each with a button to start it again. */
export function DeadLetters({
  now: { dead_letters: letters = [], tenants },
  again,
}: {
  now: Operations;
  again: () => void;
}) {
  if (letters.length === 0) return null;
  const names = new Map(tenants.map(({ id, name }) => [id, name]));
  return (
    <Scrolling name="Given up" kind="ops">
      <table class="fix letters">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What happened</th>
            <th scope="col">Tenant</th>
            <th scope="col">Conversation</th>
            <th scope="col">Kept until</th>
            <th scope="col" class="r">
              <span class="vh">Again</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {letters.map((one) => (
            <tr key={one.conversation_id}>
              <td class="num">{shortDay(one.failed_at)}</td>
              <td class="ell" title={`${one.code}: ${one.reason}`}>
                {reasonOf(one.code)} <span class="muted">{one.reason}</span>
              </td>
              <td class="ell" title={names.get(one.tenant) ?? one.tenant}>
                <bdi>{names.get(one.tenant) ?? one.tenant}</bdi>
              </td>
              <td class="ell">
                <a class="mono und" href={`/app/conversations/${one.conversation_id}`} title={one.conversation_id}>
                  {one.conversation_id}
                </a>
              </td>
              <td class="num">{shortDay(one.kept_until)}</td>
              <td class="r">
                <Again of={one} again={again} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

type Repeatable = Pick<DeadLetter, 'tenant' | 'conversation_id'>;

function Again({ of, again }: { of: Repeatable; again: () => void }) {
  const [isAsked, setAsked] = useState(false);
  const run = async (): Promise<void> => {
    setAsked(true);
    try {
      await asOperator().tenants.retry(of.tenant, of.conversation_id);
      say('The conversation is being analysed again');
      again();
    } catch (error) {
      say(errorTextOf(error).what);
      setAsked(false);
    }
  };
  return (
    <button type="button" class="btn sm" disabled={isAsked} onClick={() => void run()}>
      <Icon name="rotate" size={14} /> Analyse again
    </button>
  );
}
