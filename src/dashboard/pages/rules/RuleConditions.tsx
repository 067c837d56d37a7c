import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type {
  AffectState,
  MomentCategory,
  RuleConditionInput,
  RulePlaceInput,
  RuleSentiment,
  RuleSpeaker,
} from '../../../sdk/wire.ts';
import { Icon } from '../../lib/icons.tsx';
import { MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { KINDS, kindOf, PLACED, PLACES } from './rule-draft.ts';

const CATEGORIES = Object.entries(MOMENT_NAMES) as [MomentCategory, string][];
const STATES = [
  'calm',
  'content',
  'engaged',
  'enthusiastic',
  'tense',
  'frustrated',
  'anxious',
  'sad',
  'disengaged',
  'surprised',
] as const satisfies readonly AffectState[];
const SENTIMENTS = ['positive', 'negative', 'neutral', 'mixed'] as const satisfies readonly RuleSentiment[];

interface Editing {
  condition: RuleConditionInput;
  change: (condition: RuleConditionInput) => void;
}

/** The conditions of a group, each as a block, and buttons that add more. */
export function Group({ condition, change, isTop = false }: Editing & { isTop?: boolean }) {
  const mode = condition.any ? 'any' : 'all';
  const list = condition[mode] ?? [];
  const set = (conditions: RuleConditionInput[], to: 'all' | 'any' = mode): void => change({ [to]: conditions });
  return (
    <>
      <p class="line1">
        {isTop && <b>When</b>}
        <span class="seg">
          {(['all', 'any'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={mode === one} onClick={() => set(list, one)}>
              {one}
            </button>
          ))}
        </span>
        of these apply
      </p>
      <Blocks list={list} between={mode === 'all' ? 'and' : 'or'} set={set} />
    </>
  );
}

interface BlocksProps {
  list: readonly RuleConditionInput[];
  /** The word between two blocks. */
  between: string;
  set: (list: RuleConditionInput[]) => void;
  /** Whether only conditions with a place may be added. */
  isPlaced?: boolean;
}

function Blocks({ list, between, set, isPlaced = false }: BlocksProps) {
  const put = (index: number, ...put: RuleConditionInput[]): void => set(list.toSpliced(index, 1, ...put));
  const kinds = isPlaced ? KINDS.filter(({ kind }) => PLACED.includes(kind)) : KINDS;
  return (
    <>
      {list.map((condition, i) => (
        <div key={i}>
          {i > 0 && <p class="between">{condition.not ? `${between} not` : between}</p>}
          <Block condition={condition} change={(changed) => put(i, changed)} remove={() => put(i)} />
        </div>
      ))}
      <p class="adds">
        {kinds.map(({ kind, label, make }) => (
          <button key={kind} type="button" class="pill add" onClick={() => set([...list, make()])}>
            <Icon name="plus" size={13} /> {label}
          </button>
        ))}
      </p>
    </>
  );
}

/** One condition, which can be turned around and removed. */
function Block({ condition, change, remove }: Editing & { remove: () => void }) {
  const own = condition.not ?? condition;
  const set = (changed: RuleConditionInput): void => change(condition.not ? { not: changed } : changed);
  const name = KINDS.find(({ kind }) => kind === kindOf(own) || (kind === 'any' && own.all))?.label ?? '';
  return (
    <fieldset class={condition.not ? 'block not' : 'block'}>
      <legend class="vh">{condition.not ? `Not: ${name}` : name}</legend>
      <Fields condition={own} change={set} />
      <span class="acts">
        <button
          type="button"
          class="btn sm ghost"
          aria-pressed={condition.not !== undefined}
          aria-label={`Not: ${name}`}
          onClick={() => change(condition.not ? own : { not: own })}
        >
          not
        </button>
        <button type="button" class="btn sm icon ghost" aria-label={`Remove: ${name}`} onClick={remove}>
          <Icon name="close" size={14} />
        </button>
      </span>
    </fieldset>
  );
}

function Fields({ condition, change }: Editing) {
  const { all, any, not, within, said, moment, transition, sentiment, silence, interruption } = condition;
  const { talk_share: share, length, language } = condition;
  if (all || any) return <Group condition={condition} change={change} />;
  if (not) return <Block condition={condition} change={change} remove={() => change({ all: [] })} />;
  if (within)
    return (
      <>
        <p class="line1">
          Within{' '}
          <Amount name="Seconds" value={within.seconds} set={(seconds) => change({ within: { ...within, seconds } })} />{' '}
          s of the first
        </p>
        <Blocks list={within.all} between="and" isPlaced set={(list) => change({ within: { ...within, all: list } })} />
      </>
    );
  if (said)
    return (
      <>
        <p class="line1">
          <Who who={said.who} set={(who) => change({ said: defined({ ...said, who }) })} /> says
          <select
            class="pill"
            aria-label="Words"
            value={said.words ?? 'any_form'}
            onChange={(e) => change({ said: { ...said, words: e.currentTarget.value as 'any_form' | 'exact' } })}
          >
            <option value="any_form">any form of</option>
            <option value="exact">exactly</option>
          </select>
        </p>
        <Phrases phrases={said.phrases} set={(phrases) => change({ said: { ...said, phrases } })} name="words" />
        <Where where={said.where} set={(where) => change({ said: defined({ ...said, where }) })} />
      </>
    );
  if (moment)
    return (
      <>
        <p class="line1">
          <Who who={moment.who} set={(who) => change({ moment: defined({ ...moment, who }) })} /> has
        </p>
        <Choices
          name="Moments"
          all={CATEGORIES}
          chosen={moment.categories}
          set={(categories) => change({ moment: { ...moment, categories } })}
        />
        <p class="line1">
          at least{' '}
          <Amount
            name="Confidence, per cent"
            value={Math.round((moment.min_confidence ?? 0) * 100)}
            set={(percent) => change({ moment: { ...moment, min_confidence: percent / 100 } })}
          />{' '}
          % sure
        </p>
        <Where where={moment.where} set={(where) => change({ moment: defined({ ...moment, where }) })} />
      </>
    );
  if (transition)
    return (
      <>
        <p class="line1">
          The state of{' '}
          <Who who={transition.who} set={(who) => change({ transition: defined({ ...transition, who }) })} /> changes
        </p>
        {(['from', 'to'] as const).map((end) => (
          <Choices
            key={end}
            name={end}
            all={STATES.map((state) => [state, state])}
            chosen={transition[end] ?? []}
            set={(states) =>
              change({ transition: defined({ ...transition, [end]: states.length > 0 ? states : undefined }) })
            }
          />
        ))}
        <Where where={transition.where} set={(where) => change({ transition: defined({ ...transition, where }) })} />
      </>
    );
  if (sentiment)
    return (
      <>
        <p class="line1">
          The words of <Who who={sentiment.who} set={(who) => change({ sentiment: defined({ ...sentiment, who }) })} />{' '}
          are
        </p>
        <Choices
          name="Sentiment"
          all={SENTIMENTS.map((one) => [one, one])}
          chosen={sentiment.is}
          set={(is) => change({ sentiment: { ...sentiment, is } })}
        />
        <Where where={sentiment.where} set={(where) => change({ sentiment: defined({ ...sentiment, where }) })} />
      </>
    );
  if (silence)
    return (
      <>
        <p class="line1">
          Nobody speaks for{' '}
          <Amount
            name="Seconds"
            value={silence.min_seconds}
            set={(min_seconds) => change({ silence: { ...silence, min_seconds } })}
          />{' '}
          s
        </p>
        <Where where={silence.where} set={(where) => change({ silence: defined({ ...silence, where }) })} />
      </>
    );
  if (interruption)
    return (
      <>
        <p class="line1">
          <Who who={interruption.who} set={(who) => change({ interruption: defined({ ...interruption, who }) })} />{' '}
          interrupts at least{' '}
          <Amount
            name="Times"
            value={interruption.min_count ?? 1}
            set={(min_count) => change({ interruption: { ...interruption, min_count: Math.max(1, min_count) } })}
          />{' '}
          times, for{' '}
          <Amount
            name="Seconds"
            value={interruption.min_seconds ?? 0}
            set={(min_seconds) => change({ interruption: { ...interruption, min_seconds } })}
          />{' '}
          s in all
        </p>
        <Where
          where={interruption.where}
          set={(where) => change({ interruption: defined({ ...interruption, where }) })}
        />
      </>
    );
  if (share)
    return (
      <p class="line1">
        <Who who={share.who} set={(who) => who && change({ talk_share: { ...share, who } })} isNeeded /> has{' '}
        <Range value={share} factor={100} set={(range) => change({ talk_share: { ...range, who: share.who } })} /> % of
        the speech
      </p>
    );
  if (length)
    return (
      <p class="line1">
        The recording lasts <Range value={length} factor={1} set={(range) => change({ length: range })} /> s
      </p>
    );
  if (!language) return null;
  return (
    <>
      <p class="line1">The language is</p>
      <Phrases phrases={language.is} set={(is) => change({ language: { is } })} name="language" />
    </>
  );
}

/** An object without its undefined members, as the service accepts it. */
const defined = <T extends object>(value: { [P in keyof T]: T[P] | undefined }): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

interface WhoProps {
  who: RuleSpeaker | undefined;
  set: (who: RuleSpeaker | undefined) => void;
  /** Whether it must be somebody. */
  isNeeded?: boolean;
}

const ROLES = ['agent', 'customer', 'doctor', 'patient', 'host'];

function Who({ who, set, isNeeded = false }: WhoProps) {
  const list = useId();
  const kind = who?.role !== undefined ? 'role' : who ? 'speaker' : 'anybody';
  const name = who?.role ?? who?.speaker ?? '';
  return (
    <>
      <select
        class="pill"
        aria-label="Who"
        value={kind}
        onChange={(e) => {
          const { value } = e.currentTarget;
          set(value === 'anybody' ? undefined : { [value]: value === 'role' ? 'customer' : 'Speaker_0' });
        }}
      >
        {!isNeeded && <option value="anybody">Somebody</option>}
        <option value="role">The</option>
        <option value="speaker">Speaker</option>
      </select>
      {kind !== 'anybody' && (
        <>
          <input
            class="pill who1"
            aria-label={kind === 'role' ? 'Role' : 'Speaker'}
            list={kind === 'role' ? list : undefined}
            maxLength={60}
            value={name}
            onChange={(e) => e.currentTarget.value.trim() !== '' && set({ [kind]: e.currentTarget.value.trim() })}
          />
          <datalist id={list}>
            {ROLES.map((role) => (
              <option key={role} value={role} />
            ))}
          </datalist>
        </>
      )}
    </>
  );
}

function Amount({ name, value, set }: { name: string; value: number; set: (value: number) => void }) {
  return (
    <input
      class="pill amount"
      type="number"
      min={0}
      step="any"
      aria-label={name}
      value={value}
      onChange={(e) => Number.isFinite(e.currentTarget.valueAsNumber) && set(e.currentTarget.valueAsNumber)}
    />
  );
}

interface RangeProps {
  value: { min?: number; max?: number };
  /** The number that is shown, divided by the stored one. */
  factor: number;
  set: (range: { min?: number; max?: number }) => void;
}

/** Two numbers, of which one may be absent. */
function Range({ value, factor, set }: RangeProps) {
  const shown = (one: number | undefined): string =>
    one === undefined ? '' : String(Math.round(one * factor * 10) / 10);
  const put = (end: 'min' | 'max', text: string): void => {
    const range = defined<{ min?: number; max?: number }>({
      min: value.min,
      max: value.max,
      [end]: text === '' ? undefined : Number(text) / factor,
    });
    if (range.min !== undefined || range.max !== undefined) set(range);
  };
  return (
    <>
      {(['min', 'max'] as const).map((end) => (
        <label key={end}>
          {end === 'min' ? 'from' : 'to'}{' '}
          <input
            class="pill amount"
            type="number"
            min={0}
            step="any"
            aria-label={end === 'min' ? 'At least' : 'At most'}
            value={shown(value[end])}
            onChange={(e) => put(end, e.currentTarget.value)}
          />
        </label>
      ))}
    </>
  );
}

interface ChoicesProps<T extends string> {
  name: string;
  all: readonly (readonly [T, string])[];
  chosen: readonly T[];
  set: (chosen: T[]) => void;
}

function Choices<T extends string>({ name, all, chosen, set }: ChoicesProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset has a second frame
    <div role="group" class="line1" aria-label={name}>
      {(name === 'from' || name === 'to') && name}
      {all.map(([value, label]) => (
        <button
          key={value}
          type="button"
          class="pill"
          aria-pressed={chosen.includes(value)}
          onClick={() =>
            set(
              chosen.includes(value)
                ? chosen.filter((one) => one !== value)
                : all.map(([one]) => one).filter((one) => one === value || chosen.includes(one)),
            )
          }
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function Phrases(p: { phrases: readonly string[]; set: (phrases: string[]) => void; name: string }) {
  const [text, setText] = useState('');
  const add = (): void => {
    // A pasted list has a phrase a line.
    const given = text.split('\n').map((one) => one.trim());
    const added = given.filter((one, i) => one !== '' && !p.phrases.includes(one) && given.indexOf(one) === i);
    if (added.length > 0) p.set([...p.phrases, ...added]);
    setText('');
  };
  return (
    <p class="line1">
      {p.phrases.map((phrase) => (
        <button
          key={phrase}
          type="button"
          class="pill"
          aria-label={`Remove “${phrase}”`}
          onClick={() => p.set(p.phrases.filter((one) => one !== phrase))}
        >
          <bdi>{phrase}</bdi> ×
        </button>
      ))}
      <input
        class="pill add"
        aria-label={`Add ${p.name}`}
        placeholder={`+ ${p.name}`}
        maxLength={2000}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
        onBlur={add}
        onKeyDown={(e) => {
          if (e.key !== 'Enter') return;
          e.preventDefault();
          add();
        }}
      />
    </p>
  );
}

type Place = keyof RulePlaceInput;

/** The parts of the conversation that a condition is limited to. All of them must hold. */
function Where(p: { where: RulePlaceInput | undefined; set: (where: RulePlaceInput | undefined) => void }) {
  const where = p.where ?? {};
  const given = (Object.keys(where) as Place[]).filter((place) => where[place] !== undefined);
  const put = (place: Place, value: unknown): void => {
    const changed = defined<RulePlaceInput>({ ...where, [place]: value });
    p.set(Object.keys(changed).length === 0 ? undefined : changed);
  };
  return (
    <p class="line1 where">
      {given.map((place) => (
        <span key={place} class="place">
          <PlaceFields place={place} where={where} put={put} />
          <button
            type="button"
            class="btn sm icon ghost"
            aria-label={`Remove: ${PLACES[place].label}`}
            onClick={() => put(place, undefined)}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
      <select
        class="pill add"
        aria-label="Where"
        value=""
        onChange={(e) => {
          const place = e.currentTarget.value as Place | '';
          if (place !== '') put(place, PLACES[place].value);
        }}
      >
        <option value="">{given.length === 0 ? 'anywhere' : 'and …'}</option>
        {(Object.keys(PLACES) as Place[])
          .filter((place) => !given.includes(place))
          .map((place) => (
            <option key={place} value={place}>
              {PLACES[place].label}
            </option>
          ))}
      </select>
    </p>
  );
}

interface PlaceProps {
  place: Place;
  where: RulePlaceInput;
  put: (place: Place, value: unknown) => void;
}

function PlaceFields({ place, where, put }: PlaceProps): ComponentChildren {
  const { after, in_question: inQuestion } = where;
  if (place === 'in_question')
    return (
      <button type="button" class="pill" onClick={() => put(place, !inQuestion)}>
        {inQuestion ? 'in a question' : 'not in a question'}
      </button>
    );
  if (place === 'after' && after)
    return (
      <>
        within{' '}
        <Amount
          name="Seconds after"
          value={after.within_seconds ?? 60}
          set={(within_seconds) => put(place, { ...after, within_seconds })}
        />{' '}
        s after
        <Choices
          name="After"
          all={CATEGORIES}
          chosen={after.categories}
          set={(categories) => categories.length > 0 && put(place, { ...after, categories })}
        />
      </>
    );
  const isShare = place.endsWith('share');
  const factor = isShare ? 100 : 1;
  const unit = isShare ? '%' : 's';
  const value = where[place];
  if (Array.isArray(value))
    return (
      <>
        from{' '}
        {value.map((one, i) => (
          <span key={i}>
            {i === 1 && 'to '}
            <Amount
              name={i === 0 ? 'From' : 'To'}
              value={Math.round(one * factor)}
              set={(put1) => put(place, value.with(i, put1 / factor))}
            />
          </span>
        ))}{' '}
        {unit}
      </>
    );
  return (
    <>
      in the {place.startsWith('first') ? 'first' : 'last'}{' '}
      <Amount
        name={PLACES[place].label}
        value={Math.round(Number(value) * factor)}
        set={(given) => put(place, given / factor)}
      />{' '}
      {unit}
    </>
  );
}
