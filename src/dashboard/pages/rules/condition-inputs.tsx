import { useContext, useId, useState } from 'preact/hooks';
import type { MomentCategory, RuleSpeaker } from '../../../sdk/wire.ts';
import { Icon } from '../../lib/icons.tsx';
import { MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { labelOfSpeaker, speakerName } from '../../lib/speaker-names.ts';
import { TrialCountsContext } from './trial-counts.ts';

/** The moments that can be chosen, with their names. */
export const CATEGORIES = Object.entries(MOMENT_NAMES) as [MomentCategory, string][];

/** An object without its undefined members, as the service accepts it. */
export const defined = <T extends object>(value: { [P in keyof T]: T[P] | undefined }): T =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;

interface WhoProps {
  who: RuleSpeaker | undefined;
  set: (who: RuleSpeaker | undefined) => void;
  /** Whether it must be somebody. */
  isNeeded?: boolean;
}

const ROLES = ['agent', 'customer', 'doctor', 'patient', 'host'];

export function Who({ who, set, isNeeded = false }: WhoProps) {
  const list = useId();
  const kind = who?.role !== undefined ? 'role' : who ? 'speaker' : 'anybody';
  const name = who?.role ?? speakerName(who?.speaker ?? '');
  return (
    <>
      <select
        class="pill"
        aria-label="Who"
        value={kind}
        onChange={(e) => {
          const { value } = e.currentTarget;
          set(value === 'anybody' ? undefined : { [value]: value === 'role' ? 'customer' : '' });
        }}
      >
        {!isNeeded && <option value="anybody">Somebody</option>}
        <option value="role">Anybody in the role</option>
        <option value="speaker">Speaker</option>
      </select>
      {kind !== 'anybody' && (
        <>
          <input
            class="pill who1"
            aria-label={kind === 'role' ? 'Role' : 'Name of the speaker'}
            placeholder={kind === 'role' ? undefined : 'Anna, or Speaker A'}
            list={kind === 'role' ? list : undefined}
            maxLength={60}
            value={name}
            onChange={(e) => {
              const given = e.currentTarget.value.trim();
              set({ [kind]: kind === 'role' ? given : labelOfSpeaker(given) });
            }}
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

export function Amount({ name, value, set }: { name: string; value: number; set: (value: number) => void }) {
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
export function Range({ value, factor, set }: RangeProps) {
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

export function Choices<T extends string>({ name, all, chosen, set }: ChoicesProps<T>) {
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

interface PhrasesProps {
  phrases: readonly string[];
  set: (phrases: string[]) => void;
  name: string;
}

/** A list of words and phrases, each with the number of hits in which it was said when the rule was tried. */
export function Phrases({ phrases, set, name }: PhrasesProps) {
  const [text, setText] = useState('');
  const counts = useContext(TrialCountsContext).phrases.get(phrases);
  const add = (given: readonly string[]): void => {
    const added = new Set(given.map((one) => one.trim()).filter((one) => one !== '' && !phrases.includes(one)));
    if (added.size > 0) set([...phrases, ...added]);
    setText('');
  };
  return (
    <p class="line1">
      {phrases.map((phrase, i) => {
        const count = counts?.[i];
        return (
          <span key={phrase} class="pill phrase">
            <bdi>{phrase}</bdi>
            {count !== undefined && <small class="num">{hitCount(count)}</small>}
            <button
              type="button"
              class="rm"
              aria-label={`Remove “${phrase}”${count === undefined ? '' : `, ${hitCount(count)}`}`}
              title="Remove"
              onClick={() => set(phrases.filter((one) => one !== phrase))}
            >
              <Icon name="close" size={13} />
            </button>
          </span>
        );
      })}
      {phrases.length === 0 && <span class="paper">no {name} yet</span>}
      <input
        class="pill add"
        aria-label={`Add ${name}`}
        placeholder={`type ${name}`}
        maxLength={2000}
        value={text}
        onInput={(e) => setText(e.currentTarget.value)}
        onBlur={() => add([text])}
        onPaste={(e) => {
          const pasted = e.clipboardData?.getData('text/plain') ?? '';
          // A field of one line would join the lines of a list.
          if (!pasted.includes('\n')) return;
          e.preventDefault();
          add(pasted.split('\n'));
        }}
        onKeyDown={(e) => {
          if (e.key !== 'Enter') return;
          e.preventDefault();
          add([text]);
        }}
      />
    </p>
  );
}

export const hitCount = (count: number): string => `${count} ${count === 1 ? 'hit' : 'hits'}`;
