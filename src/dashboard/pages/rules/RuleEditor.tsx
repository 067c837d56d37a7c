import '../../style/pills.css';
import '../../style/shelf.css';
import '../../style/rules.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { RuleConditionInput, RuleHistory, RuleTryResult } from '../../../sdk/wire.ts';
import { ErrorMessage, OutageMessage } from '../../lib/error-message.tsx';
import { errorTextOf } from '../../lib/error-texts.ts';
import { day } from '../../lib/format.ts';
import { useLoaded } from '../../lib/load.ts';
import { Opening, refusedTo } from '../../lib/opening.tsx';
import { Page } from '../../lib/page.tsx';
import { Prompt } from '../../lib/prompt.tsx';
import { outage, service } from '../../lib/session.ts';
import { Terms } from '../../lib/Terms.tsx';
import { say } from '../../lib/tip.tsx';
import { HitScale } from './HitScale.tsx';
import type { HitThumbs } from './hit-scale.ts';
import { Group } from './RuleConditions.tsx';
import { hitsIn, RuleHits } from './RuleHits.tsx';
import { afterOfferOf, gapIn, groupOf, isSame, sentenceOf, whenOf } from './rule-draft.ts';
import { AfterOffer, Against, Cost, changeOf, Figures, Shared } from './TrialFigures.tsx';
import { countsOf, NO_COUNTS, TrialCountsContext } from './trial-counts.ts';

const TITLE = 'Rule';
const EMPTY: RuleConditionInput = { all: [{ said: { phrases: [] } }] };
/** Conversations with hits that a trial shows. */
const SHOWN = 500;
/** Judged hits below which switching on asks once. */
const ENOUGH_JUDGED = 10;

const TERMS = [
  ['all, any', 'All: every condition must apply. Any: one is enough.'],
  [
    'any form of, exactly, loosely',
    'Any form: “cancel” also finds “cancelled”. Exactly: word for word. Loosely: any form, with up to two other words between those of a phrase.',
  ],
  ['Role', 'What somebody is in a conversation, such as agent or customer. It is set for a person or a channel.'],
  [
    'A moment',
    'An objection, an offer, an answer or a change of subject that the analysis found, with how sure it is.',
  ],
  ['Sentiment', 'The words of an utterance alone: positive, negative, neutral or mixed.'],
  ['Change of emotion', 'A lasting change of one speaker’s emotional state, from words and voice.'],
  ['Talk share', 'The part of all speech that is one speaker’s, in per cent.'],
  ['Close together in time', 'All conditions of the block apply within so many seconds of the first.'],
  ['Must not apply', 'The rule leaves out what the condition finds.'],
  ['Hit', 'A place where the rule applies. A conversation can have several.'],
] as const;

/** A rule: its conditions as sentences, and what they hear in everything stored. */
export function RuleEditor() {
  const { id = '' } = useRoute().params;
  const isNew = id === 'new';
  const { value, error, again } = useLoaded(
    async (signal) => (isNew ? undefined : await service().rules.get(id, { signal })),
    [id],
  );
  if (error !== undefined)
    return (
      <Page title={TITLE}>
        <ErrorMessage error={error} text={refusedTo('Rules', error)} retry={again} />
      </Page>
    );
  if (!value && !isNew) return <Opening title={TITLE} />;
  return <Editor key={value?.id ?? 'new'} rule={value} again={again} />;
}

/** A condition, and what it heard. */
interface Trial {
  when: RuleConditionInput;
  result: RuleTryResult;
}

/** The number of hits of a bare phrase that follow an offer, and the rule that keeps only them. */
interface Kept {
  of: RuleTryResult;
  when: RuleConditionInput;
  count: number;
}

function Editor({ rule, again }: { rule: RuleHistory | undefined; again: () => void }) {
  const { route } = useLocation();
  const [name, setName] = useState(rule?.name ?? '');
  const [alerts, setAlerts] = useState(rule?.alert ?? false);
  const [group, setGroup] = useState(groupOf(rule?.when ?? EMPTY));
  const [trial, setTrial] = useState<Trial | undefined>(undefined);
  const [stored, setStored] = useState<RuleTryResult | undefined>(undefined);
  const [kept, setKept] = useState<Kept | undefined>(undefined);
  const [thumbs, setThumbs] = useState<HitThumbs>(new Map());
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [dialog, setDialog] = useState<'versions' | 'sure' | 'delete' | undefined>(undefined);
  const [isJson, setJson] = useState(false);
  const [isOnlyNew, setOnlyNew] = useState(false);
  const when = whenOf(group);
  const isChanged = !rule || !isSame(when, rule.when);
  const isTried = trial !== undefined && isSame(trial.when, when);
  const gaps = [name.trim() === '' ? 'Give it a name.' : undefined, isJson ? undefined : gapIn(group)];
  const gap =
    outage.value !== undefined
      ? 'This needs a connection to the service.'
      : gaps.filter((one) => one !== undefined).join(' ') || undefined;
  const isOn = rule?.is_enabled === true;

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  };
  const tryIt = (tried = when): Promise<void> =>
    attempt(async () => {
      const { rules } = service();
      const isStored = rule !== undefined && isSame(tried, rule.when);
      const result = isStored
        ? await rules.try(rule.id, { limit: SHOWN })
        : await rules.try({ when: tried, limit: SHOWN });
      if (isStored) setStored(result);
      setTrial({ when: tried, result });
      setOnlyNew(false);
      const narrowed = result.hit_count > 0 ? afterOfferOf(tried) : undefined;
      if (!narrowed) return;
      // Only a hint hangs on it, so nothing waits for it and a failure is not told.
      rules.try({ when: narrowed, limit: 1 }).then(
        ({ hit_count: count }) => setKept({ of: result, when: narrowed, count }),
        () => {},
      );
    });
  const take = (changed: RuleConditionInput): void => {
    setGroup(groupOf(changed));
    void tryIt(changed);
  };
  const save = (isEnabled: boolean): Promise<void> =>
    attempt(async () => {
      const { rules } = service();
      const given = { name: name.trim(), alert: alerts, is_enabled: isEnabled };
      if (rule) await rules.edit(rule.id, { ...given, ...(isChanged && { when }) });
      else {
        const made = await rules.create({ ...given, when });
        route(`/app/rules/${encodeURIComponent(made.id)}`, true);
      }
      say(isEnabled && !isOn ? 'Switched on' : !isEnabled && isOn ? 'Switched off' : 'Saved');
      again();
    });
  const judge = (conversation: string, utterance: string, given: 'up' | 'down'): void => {
    if (!rule) return;
    const thumb = thumbs.get(utterance) === given ? null : given;
    service()
      .rules.judge(rule.id, { conversation_id: conversation, utterance_id: utterance, thumb })
      .then(
        () => setThumbs((before) => new Map(before).set(utterance, thumb)),
        (reason: unknown) => say(errorTextOf(reason).what),
      );
  };
  const tryNow = useRef(() => {});
  tryNow.current = () => {
    if (!isBusy && gap === undefined && dialog === undefined) void tryIt();
  };
  useEffect(() => {
    const press = (e: KeyboardEvent): void => {
      if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey) return;
      e.preventDefault();
      // A field that is being written takes its text over first.
      e.target?.dispatchEvent(new Event('change', { bubbles: true }));
      setTimeout(() => tryNow.current());
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  // A stored rule is heard as soon as it is opened.
  useEffect(() => {
    if (rule) void tryIt();
  }, []);
  const known = useMemo(() => {
    const given = [stored, trial?.result].flatMap((result) => (result ? hitsIn(result) : []));
    return new Map([
      ...given.flatMap(({ utterance, thumb }) => (thumb ? [[utterance, thumb] as const] : [])),
      ...thumbs,
    ]);
  }, [stored, trial, thumbs]);
  const counts = useMemo(() => (trial ? countsOf(trial.when, trial.result) : NO_COUNTS), [trial]);
  const hits = useMemo(() => (trial ? hitsIn(trial.result) : []), [trial]);
  const change = useMemo(
    () => (isOn && isChanged && isTried && stored && trial ? changeOf(stored, trial.result) : undefined),
    [isOn, isChanged, isTried, stored, trial],
  );
  const taking = isTried && !isBusy && !isJson ? take : undefined;
  const judged = hits.flatMap(({ utterance }) => known.get(utterance) ?? []);
  const switchOn = (): void => {
    if (judged.length < ENOUGH_JUDGED) setDialog('sure');
    else void save(true);
  };
  return (
    <Page
      title={rule?.name ?? 'New rule'}
      lead={
        rule
          ? `Version ${rule.version}, ${isOn ? 'on' : 'off'}${rule.pending > 0 ? `, ${rule.pending} conversations still to be read` : ''}`
          : 'Try it on everything stored before you switch it on.'
      }
      tools={
        <span class="row tools1">
          <a class="btn ghost" href="/app/rules">
            All rules
          </a>
          {rule && (
            <button type="button" class="btn ghost" onClick={() => setDialog('versions')}>
              Versions
            </button>
          )}
          <button
            type="button"
            class="btn ghost"
            aria-pressed={isJson}
            disabled={isJson && isChanged && !isTried}
            onClick={() => setJson(!isJson)}
          >
            As JSON
          </button>
          {rule && (
            <button type="button" class="btn danger" onClick={() => setDialog('delete')}>
              Delete
            </button>
          )}
        </span>
      }
    >
      {!rule && <OutageMessage />}
      <div class="rule1">
        <section aria-label="Conditions">
          <label class="field">
            <span>Name</span>
            <input
              class="inp"
              type="text"
              maxLength={100}
              dir="auto"
              value={name}
              onInput={(e) => setName(e.currentTarget.value)}
            />
          </label>
          {isJson ? (
            <Json key={JSON.stringify(when)} when={when} set={(changed) => setGroup(groupOf(changed))} />
          ) : (
            <TrialCountsContext.Provider value={isTried ? counts : NO_COUNTS}>
              <Group condition={group} change={setGroup} isTop />
            </TrialCountsContext.Provider>
          )}
          <Terms terms={TERMS} />
          <h2 class="sec">Then</h2>
          <p>While it is on, its matches appear in Patterns.</p>
          <label class="check">
            <input type="checkbox" checked={alerts} onChange={(e) => setAlerts(e.currentTarget.checked)} />
            <span>
              Send a webhook message when it matches
              <small class="muted">
                Each match goes to your webhooks. While a conversation is live, its stream has the match too.
              </small>
            </span>
          </label>
          {trial && <Cost cost={trial.result.cost} />}
          <div class="row do1">
            <button
              type="button"
              class="btn"
              title="Ctrl Enter"
              aria-keyshortcuts="Control+Enter Meta+Enter"
              disabled={isBusy || gap !== undefined}
              onClick={() => void tryIt()}
            >
              Try the rule
            </button>
            {(isChanged || name.trim() !== rule.name || alerts !== rule.alert) && (
              <button
                type="button"
                class="btn"
                disabled={isBusy || gap !== undefined || (isOn && isChanged && !isTried)}
                onClick={() => void save(isOn)}
              >
                Save
              </button>
            )}
            {isOn ? (
              <button type="button" class="btn" disabled={isBusy} onClick={() => void save(false)}>
                Switch off
              </button>
            ) : (
              <button
                type="button"
                class="btn pri"
                disabled={isBusy || gap !== undefined || !isTried}
                onClick={switchOn}
              >
                Switch on
              </button>
            )}
          </div>
          <p class="muted" role="status">
            {isBusy ? 'Working …' : (gap ?? (isTried ? '' : 'Try the rule before it is switched on.'))}
          </p>
          {error !== undefined && <ErrorMessage error={error} />}
        </section>
        <section aria-label="What it finds" aria-busy={isBusy}>
          {trial ? (
            <>
              <Figures result={trial.result} judged={judged} isTried={isTried} />
              {kept?.of === trial.result && <AfterOffer {...kept} take={taking} />}
              <HitScale hits={hits} result={trial.result} thumbs={known} />
              {change && <Against change={change} isOnlyNew={isOnlyNew} setOnlyNew={setOnlyNew} />}
              {trial.result.left_out.length > 0 && (
                <p class="against">
                  <a class="und" href="#left-out">
                    See what it just leaves out
                  </a>
                </p>
              )}
              <Shared when={trial.when} hits={hits} thumbs={known} take={taking} />
              <RuleHits
                result={trial.result}
                thumbs={known}
                judge={rule ? judge : undefined}
                only={isOnlyNew ? change?.added : undefined}
                widen={taking}
              />
            </>
          ) : (
            <div class="card empty">
              {isBusy ? (
                <p>Trying everything stored …</p>
              ) : (
                <>
                  <p>
                    <b>Not tried yet</b>
                  </p>
                  <p>Try it on everything stored. A trial changes nothing and sends no message.</p>
                </>
              )}
            </div>
          )}
        </section>
      </div>
      {dialog === 'versions' && rule && (
        <Versions rule={rule} take={(version) => setGroup(groupOf(version))} close={() => setDialog(undefined)} />
      )}
      {dialog === 'sure' && (
        <Prompt
          title="Switch on?"
          act="Switch on"
          close={() => setDialog(undefined)}
          run={async () => {
            await save(true);
            return undefined;
          }}
        >
          <p>
            {judged.length === 0 ? 'No hit is' : `Only ${judged.length} of its hits are`} judged yet. A few thumbs say
            how often it is right.
          </p>
        </Prompt>
      )}
      {dialog === 'delete' && rule && (
        <Prompt
          title="Delete this rule?"
          act="Delete"
          isDangerous
          close={() => setDialog(undefined)}
          run={async () => {
            await service().rules.delete(rule.id);
            say('Rule deleted');
            route('/app/rules');
            return undefined;
          }}
        >
          <p>Its versions, matches and judgements are deleted with it. The conversations stay as they are.</p>
        </Prompt>
      )}
    </Page>
  );
}

function Versions(p: { rule: RuleHistory; take: (when: RuleConditionInput) => void; close: () => void }) {
  const [chosen, setChosen] = useState(p.rule.version);
  const run = async (): Promise<undefined> => {
    const version = p.rule.versions.find((one) => one.version === chosen);
    if (version) p.take(version.when);
  };
  return (
    <Prompt title="Versions" act="Take this one" close={p.close} run={run}>
      <ul class="versions">
        {p.rule.versions.map(({ version, when, created_at }) => (
          <li key={version}>
            <label class="check">
              <input type="radio" name="version" checked={version === chosen} onChange={() => setChosen(version)} />
              <span>
                Version {version}, {day(created_at)}
                <small>{sentenceOf(when)}</small>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </Prompt>
  );
}

/** The condition as text. The service checks its members when it is tried. */
function Json({ when, set }: { when: RuleConditionInput; set: (when: RuleConditionInput) => void }) {
  const [fault, setFault] = useState('');
  const read = (text: string): void => {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('It must be an object.');
      setFault('');
      set(value as RuleConditionInput);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <label class="field">
      <span>Condition</span>
      <textarea
        class="inp mono"
        rows={16}
        spellcheck={false}
        defaultValue={JSON.stringify(when, null, 2)}
        aria-invalid={fault !== ''}
        onChange={(e) => read(e.currentTarget.value)}
      />
      {fault !== '' && <small role="alert">{fault}</small>}
    </label>
  );
}
