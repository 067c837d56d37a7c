import type { Language, SmallTalkWordClass } from '../language.ts';
import { words } from '../text/tokens.ts';
import { BIAS, RATES, WEIGHTS } from './small-talk-weights.ts';

/** The kinds of words in the order of the weights. */
const CLASSES: readonly SmallTalkWordClass[] = ['self', 'together', 'told', 'planned', 'others', 'business'];
/** Number of words of average talk that every conversation is assumed to begin with, so that a few words decide nothing. */
const PRIOR_WORDS = 80;
/** Minimum number of words, without fillers, for a conversation to count as small talk. */
const MIN_WORDS = 40;
/** Chance from which a conversation counts as small talk. One in ten dialogues with proposals exceeds it. */
const IS_SMALL_TALK = 0.65;

/**
 * Guesses whether a conversation is small talk: talk in which nobody proposes anything, such as stories and opinions.
 * The guess depends on how often six kinds of words occur, and follows the conversation. A logistic regression that
 * `npm run train -- small-talk` fits.
 */
export class SmallTalkGuess {
  readonly #language: Language;
  readonly #counts = Object.fromEntries(CLASSES.map((name) => [name, 0])) as Record<SmallTalkWordClass, number>;
  #words = 0;

  constructor(language: Language) {
    this.#language = language;
  }

  add(text: string): void {
    const { classes, empty } = this.#language.smallTalk;
    for (const word of words(text)) {
      if (empty.test(word)) continue;
      this.#words++;
      for (const name of CLASSES) if (classes[name].test(word)) this.#counts[name]++;
    }
  }

  /** Logarithms of the frequencies of the kinds of words, in the order of `CLASSES`. */
  features(rates: readonly number[] = RATES): number[] {
    return CLASSES.map((name, i) =>
      Math.log((this.#counts[name] + rates[i]! * PRIOR_WORDS) / (this.#words + PRIOR_WORDS)),
    );
  }

  /** Probability that it is small talk, 0 to 1, if half of all conversations are. */
  get chance(): number {
    return 1 / (1 + Math.exp(-this.features().reduce((sum, value, i) => sum + value * WEIGHTS[i]!, BIAS)));
  }

  get isSmallTalk(): boolean {
    return this.#words >= MIN_WORDS && this.chance >= IS_SMALL_TALK;
  }
}
