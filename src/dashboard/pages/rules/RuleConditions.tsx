import { useContext } from 'preact/hooks';
import type { RuleConditionInput } from '../../../sdk/wire.ts';
import { Icon } from '../../lib/icons.tsx';
import { Amount, hitCount } from './condition-inputs.tsx';
import { LeafFields } from './LeafFields.tsx';
import { KINDS, kindOf, PLACED } from './rule-draft.ts';
import { TrialCountsContext } from './trial-counts.ts';

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
  between: 'and' | 'or';
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
          {(i > 0 || condition.not) && <p class="between">{wordBefore(condition, i, between)}</p>}
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

/** The word before a block. "But not" stands for "and not", as people say it. */
function wordBefore({ not }: RuleConditionInput, index: number, between: 'and' | 'or'): string {
  if (!not) return between;
  if (index === 0) return 'only where this is not so';
  return between === 'and' ? 'but not' : 'or not';
}

/** One condition, which can be turned around and removed. */
function Block({ condition, change, remove }: Editing & { remove: () => void }) {
  const own = condition.not ?? condition;
  const set = (changed: RuleConditionInput): void => change(condition.not ? { not: changed } : changed);
  const takenAway = useContext(TrialCountsContext).takenAway.get(condition);
  const name = KINDS.find(({ kind }) => kind === kindOf(own) || (kind === 'any' && own.all))?.label ?? '';
  return (
    <fieldset class={condition.not ? 'block not' : 'block'}>
      <legend class="vh">{condition.not ? `Must not apply: ${name}` : name}</legend>
      <Fields condition={own} change={set} />
      {takenAway !== undefined && <p class="muted num">Leaves out {hitCount(takenAway)}.</p>}
      <label class="check">
        <input
          type="checkbox"
          aria-label={`Must not apply: ${name}`}
          checked={condition.not !== undefined}
          onChange={() => change(condition.not ? own : { not: own })}
        />
        Must not apply
      </label>
      <span class="acts">
        <button
          type="button"
          class="btn sm icon ghost"
          aria-label={`Remove: ${name}`}
          title="Remove this condition"
          onClick={remove}
        >
          <Icon name="close" size={14} />
        </button>
      </span>
    </fieldset>
  );
}

function Fields({ condition, change }: Editing) {
  const { all, any, not, within } = condition;
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
  return <LeafFields condition={condition} change={change} />;
}
