import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RatedWordRules } from '../../../../src/conversation/affect-lexicon.ts';
import type { Language } from '../../../../src/conversation/language.ts';
import { plainPunctuation } from '../../../../src/conversation/text/tokens.ts';

/**
 * VADER (Hutto & Gilbert 2014, MIT): a lexicon of rated words and rules for boosters, negation, "but" and punctuation.
 * The constants are those of the authors' published program. The word lists depend on the language.
 */
const LEXICON = new Map(
  readFileSync(join(import.meta.dirname, '../../models/text-affect/vader-lexicon.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split('\t'))
    .map(([token = '', tenths]) => [token, Number(tenths) / 10] as const),
);

const BOOST = 0.293;
const CAPITALS = 0.733;
const NEGATED = -0.74;
const ALPHA = 15;
/** Share of the weight of a booster or negation at a distance of 1, 2 or 3 words. */
const DISTANCE_DECAY = [1, 0.95, 0.9];

const isNegation = (word = '', { negations, negationPart }: RatedWordRules) =>
  negations.has(word) || word.includes(negationPart);

/** Weight that a booster adds to a positive word that follows it. */
const boostOf = (word: string, { boosters, dampeners }: RatedWordRules): number =>
  dampeners.has(word) ? -BOOST : boosters.has(word) ? BOOST : 0;
const isCapitals = (word: string) => word.toUpperCase() === word && word.toLowerCase() !== word;

/** Tokens separated by white space, without surrounding punctuation. Short tokens (emoticons) are left whole. */
function tokens(text: string): string[] {
  return plainPunctuation(text)
    .split(/\s+/)
    .filter((token) => token !== '')
    .map((token) => {
      const stripped = token.replace(/^[!-/:-@[-`{-~]+|(?<![!-/:-@[-`{-~])[!-/:-@[-`{-~]+$/g, '');
      return stripped.length <= 2 ? token : stripped;
    });
}

function negationFactor(lower: string[], distance: number, at: number, rules: RatedWordRules): number {
  const before = (n: number) => lower[at - n];
  const [without, doubt] = rules.withoutDoubt;
  const isNegated = (n: number) => isNegation(before(n), rules);
  if (distance === 0) return isNegated(1) ? NEGATED : 1;
  const intensified = before(distance + 1) === rules.never && rules.afterNever.test(before(1) ?? '');
  if (distance === 1) {
    if (intensified) return 1.25;
    return before(2) === without && before(1) === doubt ? 1 : isNegated(2) ? NEGATED : 1;
  }
  if (before(3) === rules.never && (rules.afterNever.test(before(2) ?? '') || intensified)) return 1.25;
  return before(3) === without && (before(2) === doubt || before(1) === doubt) ? 1 : isNegated(3) ? NEGATED : 1;
}

function idiom(lower: string[], at: number, valence: number, { idioms }: RatedWordRules): number {
  for (const [from, to] of [
    [1, 0],
    [2, 0],
    [2, 1],
    [3, 1],
    [3, 2],
    [0, -1],
    [0, -2],
  ] as const) {
    const value = at - from >= 0 ? idioms.get(lower.slice(at - from, at - to + 1).join(' ')) : undefined;
    if (value !== undefined) return value;
  }
  return valence;
}

/** Valence of the word at `at`, adjusted for the boosters, negation and idioms before it. 0 for an unrated word. */
function valenceAt(words: string[], lower: string[], at: number, mixedCase: boolean, rules: RatedWordRules): number {
  const word = lower[at]!;
  const rating = LEXICON.get(word);
  const [kind, of] = rules.kind;
  if (rating === undefined || boostOf(word, rules) !== 0 || (word === kind && lower[at + 1] === of)) return 0;
  let valence = word === rules.no && LEXICON.has(lower[at + 1] ?? '') ? 0 : rating;
  const noBefore =
    lower[at - 1] === rules.no ||
    lower[at - 2] === rules.no ||
    (lower[at - 3] === rules.no && rules.nor.test(lower[at - 1] ?? ''));
  if (noBefore) valence = rating * NEGATED;
  if (mixedCase && isCapitals(words[at]!)) valence += Math.sign(valence) * CAPITALS;
  for (let distance = 0; distance < 3; distance++) {
    const before = lower[at - distance - 1];
    if (before === undefined || LEXICON.has(before)) continue;
    let boost = boostOf(before, rules);
    if (valence < 0) boost = -boost;
    if (boost !== 0 && mixedCase && isCapitals(words[at - distance - 1]!)) boost += Math.sign(valence) * CAPITALS;
    valence += boost * DISTANCE_DECAY[distance]!;
    valence *= negationFactor(lower, distance, at, rules);
    if (distance === 2) {
      valence = idiom(lower, at, valence, rules);
      if (rules.kindOf.test(lower.slice(at - 2, at).join(' '))) valence -= BOOST;
    }
  }
  const least =
    lower[at - 1] === rules.least && !rules.beforeLeast.test(lower[at - 2] ?? '') && !LEXICON.has(rules.least);
  return least ? valence * NEGATED : valence;
}

/** One result of VADER. `compound` is from -1 to 1, the shares sum to 1, and `rated` is the number of rated words. */
export interface VaderReading {
  compound: number;
  positive: number;
  negative: number;
  neutral: number;
  rated: number;
}

/** Reads a text with VADER. A text without words is fully neutral. */
export function readVader(text: string, { affect }: Language): VaderReading {
  const rules = affect.ratedWords;
  const words = tokens(text);
  const lower = words.map((word) => word.toLowerCase());
  const capitals = words.filter(isCapitals).length;
  const valences = words.map((_, at) => valenceAt(words, lower, at, capitals > 0 && capitals < words.length, rules));
  const rated = valences.filter((valence) => valence !== 0).length;
  const but = lower.indexOf(rules.but);
  const weighted = but < 0 ? valences : valences.map((v, at) => (at < but ? v * 0.5 : at > but ? v * 1.5 : v));
  const exclamations = Math.min(4, text.split('!').length - 1) * 0.292;
  const questions = text.split('?').length - 1;
  const emphasis = exclamations + (questions > 1 ? (questions <= 3 ? questions * 0.18 : 0.96) : 0);
  let sum = weighted.reduce((total, v) => total + v, 0);
  sum += Math.sign(sum) * emphasis;
  let positive = weighted.reduce((total, v) => total + (v > 0 ? v + 1 : 0), 0);
  let negative = weighted.reduce((total, v) => total + (v < 0 ? v - 1 : 0), 0);
  const neutral = weighted.filter((v) => v === 0).length;
  if (positive > -negative) positive += emphasis;
  else if (positive < -negative) negative -= emphasis;
  const total = positive - negative + neutral;
  if (total === 0) return { compound: 0, positive: 0, negative: 0, neutral: 1, rated: 0 };
  const compound = sum / Math.sqrt(sum * sum + ALPHA);
  return { compound, positive: positive / total, negative: -negative / total, neutral: neutral / total, rated };
}
