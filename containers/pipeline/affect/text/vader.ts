import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainPunctuation } from '../tokens.ts';

/**
 * VADER (Hutto & Gilbert 2014, MIT): a lexicon of rated words and rules for boosters, negation, "but" and punctuation.
 * Constants are those of the authors' published program.
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
/** Share of a booster's or negation's weight by its distance in words: 1, 2, 3. */
const DISTANCE_DECAY = [1, 0.95, 0.9];

const BOOSTERS = new Map<string, number>([
  ...'absolutely amazingly awfully completely considerable considerably decidedly deeply effing enormous enormously entirely especially exceptional exceptionally extreme extremely fabulously flipping flippin frackin fracking fricking frickin frigging friggin fully fuckin fucking fuggin fugging greatly hella highly hugely incredible incredibly intensely major majorly more most particularly purely quite really remarkably so substantially thoroughly total totally tremendous tremendously uber unbelievably unusually utter utterly very'
    .split(' ')
    .map((word) => [word, BOOST] as const),
  ...'almost barely hardly kinda kindof less little marginal marginally occasional occasionally partly scarce scarcely slight slightly somewhat sorta sortof'
    .split(' ')
    .map((word) => [word, -BOOST] as const),
]);
const NEGATIONS = new Set(
  "aint arent cannot cant couldnt darent didnt doesnt ain't aren't can't couldn't daren't didn't doesn't dont hadnt hasnt havent isnt mightnt mustnt neither don't hadn't hasn't haven't isn't mightn't mustn't neednt needn't never none nope nor not nothing nowhere oughtnt shant shouldnt uhuh wasnt werent oughtn't shan't shouldn't uh-uh wasn't weren't without wont wouldnt won't wouldn't rarely seldom despite".split(
    ' ',
  ),
);
const IDIOMS = new Map<string, number>([
  ['the shit', 3],
  ['the bomb', 3],
  ['bad ass', 1.5],
  ['badass', 1.5],
  ['bus stop', 0],
  ['yeah right', -2],
  ['kiss of death', -1.5],
  ['to die for', 3],
  ['beating heart', 3.1],
  ['broken heart', -2.9],
]);

const isNegation = (word = '') => NEGATIONS.has(word) || word.includes("n't");
const isCapitals = (word: string) => word.toUpperCase() === word && word.toLowerCase() !== word;

/** Whitespace tokens without surrounding punctuation, short ones (emoticons) left whole. */
function tokens(text: string): string[] {
  return plainPunctuation(text)
    .split(/\s+/)
    .filter((token) => token !== '')
    .map((token) => {
      const stripped = token.replace(/^[!-/:-@[-`{-~]+|(?<![!-/:-@[-`{-~])[!-/:-@[-`{-~]+$/g, '');
      return stripped.length <= 2 ? token : stripped;
    });
}

function negationFactor(lower: string[], distance: number, at: number): number {
  const before = (n: number) => lower[at - n];
  if (distance === 0) return isNegation(before(1)) ? NEGATED : 1;
  const intensified = before(distance + 1) === 'never' && /^(so|this)$/.test(before(1) ?? '');
  if (distance === 1) {
    if (intensified) return 1.25;
    return before(2) === 'without' && before(1) === 'doubt' ? 1 : isNegation(before(2)) ? NEGATED : 1;
  }
  if (before(3) === 'never' && (/^(so|this)$/.test(before(2) ?? '') || intensified)) return 1.25;
  return before(3) === 'without' && (before(2) === 'doubt' || before(1) === 'doubt')
    ? 1
    : isNegation(before(3))
      ? NEGATED
      : 1;
}

function idiom(lower: string[], at: number, valence: number): number {
  for (const [from, to] of [
    [1, 0],
    [2, 0],
    [2, 1],
    [3, 1],
    [3, 2],
    [0, -1],
    [0, -2],
  ] as const) {
    const value = at - from >= 0 ? IDIOMS.get(lower.slice(at - from, at - to + 1).join(' ')) : undefined;
    if (value !== undefined) return value;
  }
  return valence;
}

/** Valence of the word at `at` after boosters, negation and idioms before it; 0 for a word without a rating. */
function valenceAt(words: string[], lower: string[], at: number, mixedCase: boolean): number {
  const word = lower[at]!;
  const rating = LEXICON.get(word);
  if (rating === undefined || BOOSTERS.has(word) || (word === 'kind' && lower[at + 1] === 'of')) return 0;
  let valence = word === 'no' && LEXICON.has(lower[at + 1] ?? '') ? 0 : rating;
  const noBefore =
    lower[at - 1] === 'no' || lower[at - 2] === 'no' || (lower[at - 3] === 'no' && /^n?or$/.test(lower[at - 1] ?? ''));
  if (noBefore) valence = rating * NEGATED;
  if (mixedCase && isCapitals(words[at]!)) valence += Math.sign(valence) * CAPITALS;
  for (let distance = 0; distance < 3; distance++) {
    const before = lower[at - distance - 1];
    if (before === undefined || LEXICON.has(before)) continue;
    let boost = BOOSTERS.get(before) ?? 0;
    if (valence < 0) boost = -boost;
    if (boost !== 0 && mixedCase && isCapitals(words[at - distance - 1]!)) boost += Math.sign(valence) * CAPITALS;
    valence += boost * DISTANCE_DECAY[distance]!;
    valence *= negationFactor(lower, distance, at);
    if (distance === 2) {
      valence = idiom(lower, at, valence);
      if (/^(kind|sort) of$/.test(lower.slice(at - 2, at).join(' '))) valence -= BOOST;
    }
  }
  const least = lower[at - 1] === 'least' && !/^(at|very)$/.test(lower[at - 2] ?? '') && !LEXICON.has('least');
  return least ? valence * NEGATED : valence;
}

/** One reading of VADER. `compound` -1..1; the shares sum to 1; `rated` = words that carry a rating. */
export interface VaderReading {
  compound: number;
  positive: number;
  negative: number;
  neutral: number;
  rated: number;
}

/** Reads a text with VADER. A text without words is wholly neutral. */
export function readVader(text: string): VaderReading {
  const words = tokens(text);
  const lower = words.map((word) => word.toLowerCase());
  const capitals = words.filter(isCapitals).length;
  const valences = words.map((_, at) => valenceAt(words, lower, at, capitals > 0 && capitals < words.length));
  const rated = valences.filter((valence) => valence !== 0).length;
  const but = lower.indexOf('but');
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
