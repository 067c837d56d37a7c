import { RULE_LIMITS, type RuleCondition } from '../../contract/rule-conditions.ts';
import { words } from '../text/tokens.ts';

/** A rule in which one value is a step wider, so that it matches at least what it matched before. */
export interface Widening {
  /** The value, as errors name it: `when.all.0.moment.min_confidence`. Of a `not` that is gone, the path of the `not`. */
  path: string;
  when: RuleCondition;
}

/** A `said` of a rule, with its path. */
export interface PhraseCondition {
  path: string;
  said: NonNullable<RuleCondition['said']>;
}

/** Steps by which values are widened: a confidence, a share of speech, and factors of times. */
const STEP = { confidence: 0.1, share: 0.05, shorter: 0.8, longer: 1.25 };

/**
 * The rules that are one step wider than a rule, in the order of its conditions. They share all unchanged parts with it.
 * A value in a `not` is not changed, because the rule would become narrower.
 */
export const wideningsOf = (when: RuleCondition): Widening[] => widened(when, 'when').slice(0, RULE_LIMITS.widenings);

/** The conditions of a rule about what is said, but for those in a `not`, whose phrases are in no hit. */
export function phraseConditions(condition: RuleCondition, path = 'when'): PhraseCondition[] {
  const { all, any, within, said } = condition;
  if (said) return [{ path: `${path}.said`, said }];
  const [list, name] = all ? [all, 'all'] : any ? [any, 'any'] : [within?.all ?? [], 'within.all'];
  return list.flatMap((one, i) => phraseConditions(one, `${path}.${name}.${i}`));
}

function widened(condition: RuleCondition, path: string): Widening[] {
  const { all, any, within } = condition;
  if (all) return inList(all, `${path}.all`, (list) => ({ all: list }), true);
  if (any) return inList(any, `${path}.any`, (list) => ({ any: list }), false);
  if (within)
    return [
      // In a longer time, a `not` also excludes more.
      ...(within.all.some(({ not }) => not)
        ? []
        : [{ path: `${path}.within.seconds`, when: { within: { ...within, seconds: longer(within.seconds) } } }]),
      ...inList(within.all, `${path}.within.all`, (list) => ({ within: { ...within, all: list } }), true),
    ];
  return leafSteps(condition).map(([member, when]) => ({ path: `${path}.${member}`, when }));
}

/** @param isNarrowed whether each condition of the list narrows the rule, so that it is wider without a `not` */
function inList(
  list: readonly RuleCondition[],
  path: string,
  make: (list: RuleCondition[]) => RuleCondition,
  isNarrowed: boolean,
): Widening[] {
  return list.flatMap((one, i) => {
    if (!one.not)
      return widened(one, `${path}.${i}`).map(({ path, when }) => ({ path, when: make(list.with(i, when)) }));
    if (!isNarrowed || list.length === 1) return [];
    return [{ path: `${path}.${i}.not`, when: make(list.toSpliced(i, 1)) }];
  });
}

type Step = [member: string, when: RuleCondition];

/** The members of a condition that can be a step wider. */
function leafSteps(condition: RuleCondition): Step[] {
  const { said, moment, transition, sentiment, silence, interruption, talk_share: share, length } = condition;
  if (said) {
    // A single word has nothing between its words.
    const isLoosened = said.words === 'any_form' && said.phrases.some((phrase) => words(phrase).length > 1);
    return stepsOf('said', said, { words: said.words === 'exact' ? 'any_form' : isLoosened ? 'loose' : said.words });
  }
  if (moment) return stepsOf('moment', moment, lessSure(moment.min_confidence));
  if (transition) return stepsOf('transition', transition, lessSure(transition.min_confidence ?? 0));
  if (sentiment) return stepsOf('sentiment', sentiment, {});
  if (silence) {
    const shorter = Math.max(0.1, tenths(silence.min_seconds * STEP.shorter));
    return stepsOf('silence', silence, { min_seconds: Math.min(silence.min_seconds, shorter) });
  }
  if (interruption) {
    const { min_count: count, min_seconds: seconds } = interruption;
    return stepsOf('interruption', interruption, {
      ...(count > 1 && { min_count: count - 1 }),
      ...(seconds > 0 && { min_seconds: tenths(seconds * STEP.shorter) }),
    });
  }
  if (share) {
    const { min, max } = share;
    return stepsOf('talk_share', share, {
      ...(min !== undefined && { min: hundredths(Math.max(0, min - STEP.share)) }),
      ...(max !== undefined && { max: hundredths(Math.min(1, max + STEP.share)) }),
    });
  }
  if (length) {
    const { min, max } = length;
    return stepsOf('length', length, {
      ...(min !== undefined && { min: Math.round(min * STEP.shorter) }),
      ...(max !== undefined && { max: longer(max) }),
    });
  }
  return [];
}

const lessSure = (confidence: number): { min_confidence?: number } =>
  confidence > 0 ? { min_confidence: hundredths(Math.max(0, confidence - STEP.confidence)) } : {};
const longer = (seconds: number): number => Math.min(RULE_LIMITS.seconds, tenths(seconds * STEP.longer));
const tenths = (value: number): number => Math.round(value * 10) / 10;
const hundredths = (value: number): number => Math.round(value * 100) / 100;

/**
 * One step for each changed value of a condition, and for its speaker and place, which a wider condition leaves out.
 * The speaker of a talk share is what the condition is about, and stays. So does the place of a silence, which is cut at
 * its ends.
 */
function stepsOf<T extends object>(name: keyof RuleCondition, leaf: T, changes: Partial<T>): Step[] {
  const changed = Object.entries(changes).flatMap(([member, value]): Step[] =>
    value === leaf[member as keyof T]
      ? []
      : [[`${name}.${member}`, { [name]: { ...leaf, [member]: value } } as RuleCondition]],
  );
  const left = (name === 'talk_share' || name === 'silence' ? [] : ['who', 'where']).flatMap((member): Step[] => {
    const { [member as keyof T]: dropped, ...rest } = leaf;
    return dropped === undefined ? [] : [[`${name}.${member}`, { [name]: rest } as RuleCondition]];
  });
  return [...changed, ...left];
}
