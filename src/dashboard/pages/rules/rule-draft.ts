import type {
  MomentCategory,
  RuleConditionInput,
  RuleLeftOut,
  RulePlaceInput,
  RuleSpeaker,
} from '../../../sdk/wire.ts';
import { speakerName } from '../../lib/speaker-names.ts';

/** The member of a condition. */
export type Kind = Exclude<keyof RuleConditionInput, 'not'>;

/** The conditions that can be added, with their words. The last two hold others. */
export const KINDS: readonly { kind: Kind; label: string; make: () => RuleConditionInput }[] = [
  { kind: 'said', label: 'What is said', make: () => ({ said: { phrases: [] } }) },
  { kind: 'moment', label: 'A moment', make: () => ({ moment: { categories: ['objection'] } }) },
  { kind: 'silence', label: 'Silence', make: () => ({ silence: { min_seconds: 10 } }) },
  { kind: 'interruption', label: 'Interruption', make: () => ({ interruption: { min_count: 1 } }) },
  { kind: 'sentiment', label: 'Sentiment', make: () => ({ sentiment: { is: ['negative'] } }) },
  { kind: 'transition', label: 'Change of emotion', make: () => ({ transition: { to: ['frustrated'] } }) },
  { kind: 'talk_share', label: 'Talk share', make: () => ({ talk_share: { who: { role: 'agent' }, min: 0.6 } }) },
  { kind: 'length', label: 'Length', make: () => ({ length: { min: 300 } }) },
  { kind: 'language', label: 'Language', make: () => ({ language: { is: ['en'] } }) },
  { kind: 'any', label: 'All or any of several', make: () => ({ any: [] }) },
  { kind: 'within', label: 'Close together in time', make: () => ({ within: { seconds: 60, all: [] } }) },
];

/** The kinds with a place in the conversation, which `within` can compare. */
export const PLACED: readonly Kind[] = ['said', 'moment', 'silence', 'interruption', 'sentiment', 'transition'];

export const kindOf = (condition: RuleConditionInput): Kind | 'not' =>
  Object.keys(condition)[0] as keyof RuleConditionInput;

/** A condition as a group, which the page shows at its top. */
export const groupOf = (when: RuleConditionInput): RuleConditionInput =>
  Array.isArray(when.all) || Array.isArray(when.any) ? when : { all: [when] };

/** The condition that a group stands for: its only member, or itself. */
export function whenOf(group: RuleConditionInput): RuleConditionInput {
  const [only, ...more] = group.all ?? group.any ?? [];
  return only && more.length === 0 ? only : group;
}

/** Seconds after an offer to which a bare phrase can be narrowed. */
export const AFTER_OFFER_S = 60;

/** The condition, narrowed to the time after an offer. Undefined: it is not a bare phrase. */
export function afterOfferOf({ said }: RuleConditionInput): RuleConditionInput | undefined {
  if (!said || said.where) return undefined;
  return { said: { ...said, where: { after: { categories: ['cta_offered'], within_seconds: AFTER_OFFER_S } } } };
}

/** Whether two conditions are written alike. */
export const isSame = (one: RuleConditionInput, other: RuleConditionInput): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The first part of a condition that is still empty, in words. Undefined: it can be tried. */
export function gapIn(condition: RuleConditionInput): string | undefined {
  const inner = condition.all ?? condition.any ?? condition.within?.all;
  if (inner) return inner.length === 0 ? 'Add a condition.' : inner.map(gapIn).find((gap) => gap !== undefined);
  if (condition.not) return gapIn(condition.not);
  const { said: words, moment, transition, sentiment, interruption, talk_share: share } = condition;
  const speakers = [words, moment, transition, sentiment, interruption, share].flatMap((one) => one?.who ?? []);
  if (speakers.some(({ role, speaker }) => (role ?? speaker) === '')) return 'Name the speaker.';
  if (words?.phrases.length === 0) return 'Add words that are said.';
  const lists = [moment?.categories, sentiment?.is, condition.language?.is];
  return lists.some((list) => list?.length === 0) ? 'Choose at least one.' : undefined;
}

/** How phrases are compared, before them in a sentence. */
const MANNER = { any_form: '', exact: 'exactly ', loose: 'loosely ' } as const;

/** Phrases that a sentence quotes before it counts the rest. */
const QUOTED = 3;

/** A condition as a sentence without its first capital and its full stop. */
export function sentenceOf(condition: RuleConditionInput): string {
  const { all, any, not, within, said, moment, transition, sentiment, silence, interruption } = condition;
  if (all) return all.map(partOf).join(' and ');
  if (any) return any.map(partOf).join(' or ');
  if (not) return `not ${partOf(not)}`;
  if (within) return `within ${within.seconds} s ${within.all.map(partOf).join(' and ')}`;
  if (said) {
    const quoted = said.phrases.slice(0, QUOTED).map((phrase) => `“${phrase}”`);
    const rest = said.phrases.length - quoted.length;
    const words = listed(rest > 0 ? [...quoted, `${rest} more`] : quoted);
    return `${whoIn(said.who)} says ${MANNER[said.words ?? 'any_form']}${words}${placeIn(said.where)}`;
  }
  if (moment)
    return `there is ${listed(moment.categories.map(nounOf))} by ${whoIn(moment.who)}${placeIn(moment.where)}`;
  if (transition) {
    const from = transition.from ? ` from ${listed(transition.from)}` : '';
    const to = transition.to ? ` to ${listed(transition.to)}` : '';
    return `the emotional state of ${whoIn(transition.who)} changes${from}${to}${placeIn(transition.where)}`;
  }
  if (sentiment) return `${whoIn(sentiment.who)} is ${listed(sentiment.is)}${placeIn(sentiment.where)}`;
  if (silence) return `nobody speaks for ${silence.min_seconds} s${placeIn(silence.where)}`;
  if (interruption) {
    const count = interruption.min_count ?? 1;
    return `${whoIn(interruption.who)} interrupts ${count > 1 ? `${count} times` : 'somebody'}${placeIn(interruption.where)}`;
  }
  const { talk_share: share, length, language } = condition;
  if (share) return `${whoIn(share.who)} has ${rangeOf(share, 100, '%')} of the speech`;
  if (length) return `the recording lasts ${rangeOf(length, 1 / 60, 'min')}`;
  return `the language is ${listed(language?.is ?? [])}`;
}

/** The step by which a rule would be wider, in words. @param path of the value in `when`, the wider rule */
export function widerIn({ path, when }: Pick<RuleLeftOut, 'path' | 'when'>): string {
  const members = path.split('.').slice(1);
  let value: unknown = when;
  for (const member of members) value = (value as Record<string, unknown> | undefined)?.[member];
  const isShare = members.includes('talk_share');
  const number = isShare ? `${Math.round(Number(value) * 100)} %` : `${value} s`;
  switch (members.at(-1)) {
    case 'words':
      return value === 'loose' ? 'with other words between those of a phrase' : 'in another form of the words';
    case 'who':
      return 'of other speakers';
    case 'where':
      return 'elsewhere in the conversation';
    case 'min_confidence':
      return Number(value) === 0 ? 'however unsure' : `from ${Math.round(Number(value) * 100)} % sure`;
    case 'min_seconds':
      return `from ${number}`;
    case 'min_count':
      return `from ${value} ${value === 1 ? 'time' : 'times'}`;
    case 'min':
      return `from ${number}`;
    case 'max':
      return `up to ${number}`;
    case 'seconds':
      return `within ${number}`;
    default:
      return 'without the exclusion';
  }
}

const partOf = (condition: RuleConditionInput): string =>
  condition.all || condition.any ? `(${sentenceOf(condition)})` : sentenceOf(condition);

const NOUNS: Readonly<Record<MomentCategory, string>> = {
  objection: 'an objection',
  cta_offered: 'an offer',
  cta_accepted: 'an acceptance',
  cta_rejected: 'a refusal',
  topic_shift: 'a change of subject',
};
const nounOf = (category: MomentCategory): string => NOUNS[category];

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? 'nothing yet') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

const whoIn = (who: RuleSpeaker | undefined): string =>
  who?.role !== undefined ? `the ${who.role}` : who ? speakerName(who.speaker ?? '') : 'somebody';

function rangeOf({ min, max }: { min?: number; max?: number }, factor: number, unit: string): string {
  const told = (value: number): string => `${Math.round(value * factor * 10) / 10} ${unit}`;
  if (min !== undefined && max !== undefined) return `${told(min)} to ${told(max)}`;
  return min !== undefined ? `${told(min)} or more` : `${told(max ?? 0)} or less`;
}

/** The parts of a conversation that a condition can be limited to, each with its words and a first value. */
export const PLACES = {
  first_seconds: { label: 'in the first seconds', value: 60 },
  last_seconds: { label: 'in the last seconds', value: 60 },
  between_seconds: { label: 'between two seconds', value: [0, 60] },
  first_share: { label: 'in the first share', value: 0.1 },
  last_share: { label: 'in the last share', value: 0.1 },
  between_share: { label: 'between two shares', value: [0, 0.5] },
  in_question: { label: 'in a question', value: true },
  after: { label: 'after a moment', value: { categories: ['cta_offered'], within_seconds: 60 } },
} as const satisfies { [P in keyof RulePlaceInput]-?: { label: string; value: unknown } };

function placeIn(where: RulePlaceInput | undefined): string {
  if (!where) return '';
  const { first_seconds, last_seconds, between_seconds, first_share, last_share, between_share, in_question, after } =
    where;
  const share = (value = 0): string => `${Math.round(value * 100)} %`;
  const parts = [
    first_seconds !== undefined && `in the first ${first_seconds} s`,
    last_seconds !== undefined && `in the last ${last_seconds} s`,
    between_seconds && `from ${between_seconds[0]} to ${between_seconds[1]} s`,
    first_share !== undefined && `in the first ${share(first_share)} of the conversation`,
    last_share !== undefined && `in the last ${share(last_share)} of the conversation`,
    between_share && `from ${share(between_share[0])} to ${share(between_share[1])} of the conversation`,
    in_question !== undefined && (in_question ? 'in a question' : 'not in a question'),
    after && `within ${after.within_seconds ?? 60} s after ${listed(after.categories.map(nounOf))}`,
  ];
  return parts
    .filter((part) => typeof part === 'string')
    .map((part) => `, ${part}`)
    .join('');
}

/** Quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959964;

/** The share of right hits with its interval (Wilson 1927). Null when none is judged. */
export function precisionOf(right: number, judged: number): { share: number; from: number; to: number } | null {
  if (judged === 0) return null;
  const share = right / judged;
  const spread = Z ** 2 / judged;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / judged + spread / (4 * judged));
  return { share, from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}
