import type { RuleConditionInput } from '../../../sdk/wire.ts';
import { type HitThumbs, type ScaleHit, wordsOf } from './hit-scale.ts';

/** A hit with its quote. */
export interface QuotedHit extends ScaleHit {
  quote: string;
}

/** A change of a rule against its wrong hits, in words. */
export interface Remedy {
  label: string;
  when: RuleConditionInput;
}

/** Words by which the hits judged wrong differ from the right ones, and changes that would leave the wrong ones out. */
export interface WrongHits {
  count: number;
  /** The matched words that at least two of them share and few right ones have, the most frequent first. */
  shared: [words: string, count: number][];
  remedies: Remedy[];
}

/** Wrong hits from which their words are compared. */
const WRONG_FROM = 3;
/** Words tell wrong hits from right ones if they are at least this many times as frequent among the wrong ones. */
const APART_FROM = 2;
/** Words that are named. */
const NAMED = 3;

/** Null while too few hits are judged wrong. */
export function wrongHitsOf(when: RuleConditionInput, hits: readonly QuotedHit[], thumbs: HitThumbs): WrongHits | null {
  const judged = (thumb: 'up' | 'down') => hits.filter(({ utterance }) => thumbs.get(utterance) === thumb);
  const [wrong, right] = [judged('down'), judged('up')];
  if (wrong.length < WRONG_FROM) return null;
  const among = countsOf(right);
  const tellsApart = (words: string, count: number): boolean =>
    count * right.length >= APART_FROM * (among.get(words) ?? 0) * wrong.length;
  const shared = [...countsOf(wrong)]
    .filter(([words, count]) => count > 1 && tellsApart(words, count))
    .sort((a, b) => b[1] - a[1])
    .slice(0, NAMED);
  const asking = right.filter(isQuestion).length;
  const remedies = [
    ...shared.map(([words]): Remedy => ({ label: `Without “${words}”`, when: withoutPhrase(when, words) })),
    ...(!wrong.some(isQuestion) && asking > 0 && 2 * asking >= right.length
      ? [{ label: 'Only in a question', when: onlyInQuestions(when) }]
      : []),
  ];
  const written = JSON.stringify(when);
  return {
    count: wrong.length,
    shared,
    remedies: remedies.filter((one) => JSON.stringify(one.when) !== written),
  };
}

/** The number of hits that have the same matched words. */
function countsOf(hits: readonly QuotedHit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { matched } of hits) for (const words of new Set(matched)) counts.set(words, (counts.get(words) ?? 0) + 1);
  return counts;
}

const isQuestion = ({ quote }: QuotedHit): boolean => quote.includes('?');

type Said = NonNullable<RuleConditionInput['said']>;

/** A rule whose conditions about what is said are changed, but for those in a `not`. */
function withSaid(when: RuleConditionInput, change: (said: Said) => Said): RuleConditionInput {
  const { all, any, within, said } = when;
  if (said) return { said: change(said) };
  if (all) return { all: all.map((one) => withSaid(one, change)) };
  if (any) return { any: any.map((one) => withSaid(one, change)) };
  if (within) return { within: { ...within, all: within.all.map((one) => withSaid(one, change)) } };
  return when;
}

/** The only phrase of a condition stays. */
function withoutPhrase(when: RuleConditionInput, words: string): RuleConditionInput {
  const dropped = wordsOf(words).join(' ');
  return withSaid(when, (said) => {
    const phrases = said.phrases.filter((phrase) => wordsOf(phrase).join(' ') !== dropped);
    return phrases.length === 0 || phrases.length === said.phrases.length ? said : { ...said, phrases };
  });
}

const onlyInQuestions = (when: RuleConditionInput): RuleConditionInput =>
  withSaid(when, (said) => ({ ...said, where: { ...said.where, in_question: true } }));
