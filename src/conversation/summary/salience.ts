import { trust } from '../text/asr-confidence.ts';
import { isCutOff, roughPlaces } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import type { Turns } from '../text/turns.ts';

/** Minimum and maximum length of a quoted sentence that stands well alone, words. */
const GOOD_LENGTH = { from: 5, to: 30 } as const;
/** Bonus for a sentence about a decision, a commitment, a need or a number, as a fraction of its score. */
const INFORMATIVE = 0.35;
/** Cost of a question, because the matter is settled only by its answer. */
const QUESTION = 0.3;
/** Bonus for the first turns: its size, and the number of turns over which it falls off. */
interface Early {
  more: number;
  turns: number;
  /** Bonus for a sentence that states what its speaker wants, as a fraction of its score. */
  wanted?: number;
}
/** Bonuses for sentences that say what a conversation is for, and for all others. */
export const AT_THE_HEAD: Early = { more: 3, turns: 3, wanted: 0.3 };
const THROUGHOUT: Early = { more: 2, turns: 6 };
/** Bonus for each stem of the goal, as a fraction of the best score. */
const GOAL = 0.5;
/** Maximal marginal relevance: the share of relevance against novelty (Carbonell & Goldstein 1998). */
const RELEVANCE = 0.7;

/** Cost of a courtesy or of a procedural sentence. */
const COURTESY_COST = 0.8;
/** Cost of a sentence that depends on the one before. */
const LEANING_COST = 0.2;
/** Cost of a sentence that breaks off, which a phase may quote where it has no other. */
const CUT_OFF_COST = 0.5;
/** Cost of each false start and hesitation of a sentence, and the limit of their total. A reader stumbles over them. */
const ROUGH_COST = 0.35;
const MOST_ROUGH_COST = 0.8;

/**
 * The salience of each of the given sentences, 0 to 1 plus the goal's bonus. It is lower if the sentence was recognised
 * poorly.
 * @param focus stems of the caller's context or goal
 */
export function salience(
  sentences: SpokenSentence[],
  turns: Turns,
  focus: ReadonlySet<string>,
  { more, turns: over, wanted = 0 }: Early = THROUGHOUT,
): Float64Array {
  const {
    courtesy: isCourtesy,
    procedure,
    informativeCue,
    wanted: isWanted,
    leaningStart,
  } = turns.language.summaryCues;
  const weight = new Float64Array(turns.vocabulary);
  const focused = new Set<number>();
  for (const name of focus) {
    const id = turns.stemIds.get(name);
    if (id !== undefined) focused.add(id);
  }
  const counts = new Float64Array(turns.vocabulary);
  for (const s of sentences) for (const id of s.stems) counts[id]!++;
  for (const s of sentences)
    for (const id of s.stems) weight[id] = Math.log1p(counts[id]! - (counts[id]! > 1 ? 0 : 0.6));
  const scores = Float64Array.from(sentences, (s) => {
    let sum = 0;
    for (const id of s.stems) sum += weight[id]!;
    const length = s.length < GOOD_LENGTH.from ? s.length / GOOD_LENGTH.from / 2 : s.length > GOOD_LENGTH.to ? 0.8 : 1;
    const courtesy = isCourtesy.test(s.text) || procedure.test(s.text);
    const early = courtesy ? 1 : 1 + more * Math.exp(-s.turn / over);
    const density = sum / Math.sqrt(s.length + 4);
    const bonus =
      1 +
      (informativeCue.test(s.text) ? INFORMATIVE : 0) +
      (wanted > 0 && isWanted.test(s.text) ? wanted : 0) -
      (s.asks ? QUESTION : 0) -
      (leaningStart.test(s.text) ? LEANING_COST : 0) -
      (courtesy ? COURTESY_COST : 0) -
      (isCutOff(s.text, turns.language) ? CUT_OFF_COST : 0) -
      Math.min(MOST_ROUGH_COST, ROUGH_COST * roughPlaces(s.text, turns.language));
    return density * length * bonus * early * trust(s.asrConfidence);
  });
  const top = scores.reduce((a, b) => Math.max(a, b), 1e-9);
  return scores.map((score, i) => score / top + GOAL * sentences[i]!.stems.filter((id) => focused.has(id)).length);
}

/** The similarity of two sentences, 0 to 1: the number of shared stems divided by the smaller of their stem counts. */
function overlap(a: SpokenSentence, b: SpokenSentence): number {
  const own = new Set(a.stems);
  const shared = b.stems.filter((id) => own.has(id)).length;
  return shared / Math.max(1, Math.min(a.stems.length, b.stems.length));
}

/** Limit on the candidates that marginal relevance compares. It bounds the work in long conversations. */
const MAX_CANDIDATES = 200;

/**
 * Selects up to `count` salient sentences that repeat little, by maximal marginal relevance, in spoken order.
 * @param value see `salience`; sentences below `minimum` are left out
 */
export function pickSentences(
  sentences: SpokenSentence[],
  value: Float64Array,
  count: number,
  minimum = 0,
): SpokenSentence[] {
  const order = sentences
    .map((_, i) => i)
    .filter((i) => value[i]! > minimum && sentences[i]!.length >= GOOD_LENGTH.from - 1)
    .sort((a, b) => value[b]! - value[a]! || a - b)
    .slice(0, MAX_CANDIDATES);
  const picked: number[] = [];
  while (picked.length < count && order.length > picked.length) {
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (const i of order) {
      if (picked.includes(i)) continue;
      const repeated = picked.reduce((worst, p) => Math.max(worst, overlap(sentences[i]!, sentences[p]!)), 0);
      const gain = RELEVANCE * value[i]! - (1 - RELEVANCE) * repeated;
      if (gain > most) {
        most = gain;
        best = i;
      }
    }
    if (best < 0) break;
    picked.push(best);
  }
  return picked.sort((a, b) => a - b).map((i) => sentences[i]!);
}

/** Limit on the turns of one phase whose sentences are compared. */
const SALIENT_TURNS = 160;

/**
 * The turns from `from` up to but not including `to` whose words recur most in that range, in order. All turns of a
 * short phase are returned.
 */
export function salientTurns(turns: Turns, from: number, to: number): number[] {
  const all = Array.from({ length: to - from }, (_, k) => from + k);
  if (all.length <= SALIENT_TURNS) return all;
  const counts = new Float64Array(turns.vocabulary);
  for (const turn of all) for (const id of turns.stems[turn]!) counts[id]!++;
  const worth = Float64Array.from(all, (turn) => {
    let sum = 0;
    for (const id of turns.stems[turn]!) sum += Math.log1p(counts[id]!);
    return sum / Math.sqrt(turns.words[turn]!.length + 4);
  });
  return all
    .sort((a, b) => worth[b - from]! - worth[a - from]! || a - b)
    .slice(0, SALIENT_TURNS)
    .sort((a, b) => a - b);
}
