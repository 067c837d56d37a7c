import '../../style/shelf.css';
import '../../style/rules.css';
import { useState } from 'preact/hooks';
import type { Rule, RuleMatchList } from '../../../sdk/wire.ts';
import { ErrorMessage } from '../../lib/error-message.tsx';
import { errorTextOf } from '../../lib/error-texts.ts';
import { cannotTell, capital } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import { useLoaded } from '../../lib/load.ts';
import { Opening, refusedTo } from '../../lib/opening.tsx';
import { Page } from '../../lib/page.tsx';
import { service } from '../../lib/session.ts';
import { say } from '../../lib/tip.tsx';
import { sentenceOf } from './rule-draft.ts';

const TITLE = 'Rules';
/** Limit on the rules of a tenant. */
const MOST = 50;

/** All rules, each with the conversations that it matches, and a switch. */
export function Rules() {
  const { value, error, again } = useLoaded(async (signal) => {
    const { rules } = service();
    const all = await rules.list({ signal });
    const counted = all.filter(({ is_enabled }) => is_enabled);
    const outcomes = counted.map(async ({ id }) => [id, await rules.matches(id, { limit: 1, signal })] as const);
    return { all, outcomes: new Map(await Promise.all(outcomes)) };
  }, []);
  if (error !== undefined)
    return (
      <Page title={TITLE}>
        <ErrorMessage error={error} text={refusedTo(TITLE, error)} retry={again} />
      </Page>
    );
  if (!value) return <Opening title={TITLE} />;
  const { all, outcomes } = value;
  return (
    <Page
      title={TITLE}
      lead={`What to listen for in every conversation: stored, new and live.${all.length > 0 ? ` ${all.length} of ${MOST} used.` : ''}`}
      tools={
        <a class="btn pri" href="/app/rules/new">
          <Icon name="plus" size={16} /> New rule
        </a>
      }
    >
      {all.length === 0 ? (
        <div class="card empty">
          <b>There are no rules yet</b>
          <p>A rule finds words, moments, silence and more. Try it on everything stored, then switch it on.</p>
        </div>
      ) : (
        <ul class="card lists rules2" aria-label={TITLE}>
          {all.map((rule) => (
            <RuleRow key={rule.id} rule={rule} outcome={outcomes.get(rule.id)} again={again} />
          ))}
        </ul>
      )}
    </Page>
  );
}

interface RuleRowProps {
  rule: Rule;
  /** The conversations that match, and those of which it cannot be told. */
  outcome: Pick<RuleMatchList, 'matched' | 'unknown'> | undefined;
  again: () => void;
}

function RuleRow({ rule, outcome: { matched: count, unknown } = { matched: 0, unknown: 0 }, again }: RuleRowProps) {
  const { id, name, when, is_enabled: isOn, pending, alert, version } = rule;
  const [isBusy, setBusy] = useState(false);
  const turn = async (): Promise<void> => {
    setBusy(true);
    try {
      await service().rules.edit(id, { is_enabled: false });
      say(`Switched off: ${name}`, () => void service().rules.edit(id, { is_enabled: true }).then(again));
      again();
    } catch (error) {
      say(errorTextOf(error).what);
    }
    setBusy(false);
  };
  const matches = `in ${count} ${count === 1 ? 'conversation' : 'conversations'}${cannotTell(unknown)}`;
  return (
    <li>
      <a href={`/app/rules/${encodeURIComponent(id)}`}>
        <b>
          <bdi>{name}</bdi>
        </b>
        <span class="num">
          {!isOn ? 'off' : pending > 0 ? `on, ${pending} conversations still to be read` : `on, ${matches}`}
        </span>
        <small>
          {capital(sentenceOf(when))}. Version {version}
          {alert && ', sends webhook messages'}.
        </small>
      </a>
      {isOn ? (
        <button
          type="button"
          class="btn sm"
          disabled={isBusy}
          aria-label={`Switch off: ${name}`}
          onClick={() => void turn()}
        >
          Switch off
        </button>
      ) : (
        // A rule is switched on where it is tried.
        <a class="btn sm" href={`/app/rules/${encodeURIComponent(id)}`} aria-label={`Try and switch on: ${name}`}>
          Try and switch on
        </a>
      )}
    </li>
  );
}
