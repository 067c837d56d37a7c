import { oncePerLanguage, type PhaseLexicon } from '../language.ts';
import { type Genre, PHASE_KINDS } from '../lexicon/phase-kinds.ts';
import { PhraseMatcher } from '../text/phrases.ts';
import { asks } from '../text/questions.ts';
import type { Turns } from '../text/turns.ts';

/** Evidence for the kinds of phases in the words of a conversation. */
export interface PhaseEvidence {
  /** Number of utterances. */
  count: number;
  /** Row-major, utterance x kind: the weight of the cues that were found. */
  cues: Float32Array;
  genre: Genre;
}

/** Number of kinds: the number of columns of `PhaseEvidence.cues`. */
export const KINDS = PHASE_KINDS.length;
const GENRES: readonly Exclude<Genre, 'any'>[] = ['sales', 'support', 'interview', 'meeting'];
const TARGETS = KINDS + GENRES.length;

/**
 * Weights of a phrase that establishes a kind and of a phrase that only supports it, and the limit for one utterance.
 */
const CUE = 1.6;
const HINT = 0.6;
const MOST = 3;
/**
 * Minimum number of words of a long utterance. In a short utterance a cue is the whole message; in a long one it is one
 * of many.
 */
const LONG = 12;
/** Share of a question's cues that the other side's next turn inherits as its answer. */
const ANSWERED = 0.5;
/** Minimum number of utterances that must support a genre, and their minimum share of all utterances. */
const GENRE_NEEDED = 3;
const GENRE_SHARE = 0.06;

/** The kind or genre that a phrase supports, and its weight. */
interface Worth {
  target: number;
  weight: number;
}

/** Finds the phrases of all kinds and genres of a language. */
class PhaseCues {
  readonly #worth = new Map<string, Worth>();
  readonly #matcher: PhraseMatcher;

  constructor({ classes, phrases: phrasesOf, genres }: PhaseLexicon) {
    const phrases: Record<string, string[]> = {};
    const add = (lists: readonly string[], worth: Worth): void => {
      for (const phrase of lists.flatMap((list) => list.split(', '))) {
        const name = `${worth.target} ${worth.weight} ${phrase}`;
        phrases[name] = [phrase];
        this.#worth.set(name, worth);
      }
    };
    PHASE_KINDS.forEach(({ kind }, target) => {
      const { cues, hints = [] } = phrasesOf[kind];
      add(cues, { target, weight: CUE });
      add(hints, { target, weight: HINT });
    });
    GENRES.forEach((genre, g) => {
      add(genres[genre], { target: KINDS + g, weight: 1 });
    });
    this.#matcher = new PhraseMatcher(phrases, classes);
  }

  /** Adds the weights of the phrases found in these words to `sums`, counting each phrase once. */
  add(words: readonly string[], sums: Float32Array): void {
    for (const name of this.#matcher.match(words)) {
      const { target, weight } = this.#worth.get(name)!;
      sums[target]! += weight;
    }
  }
}

/** Built when a language is first needed. */
const phaseCues = oncePerLanguage(({ phases }) => new PhaseCues(phases));

/** Finds the phrases of every kind in every utterance. Takes time linear in the number of words. */
export function readEvidence(turns: Turns): PhaseEvidence {
  const { language, count, words, texts, speakers } = turns;
  const phrases = phaseCues(language);
  const cues = new Float32Array(count * KINDS);
  const row = new Float32Array(TARGETS);
  const genreTurns = new Float64Array(GENRES.length);
  for (let i = 0; i < count; i++) {
    row.fill(0);
    phrases.add(words[i]!, row);
    for (let g = 0; g < GENRES.length; g++) {
      if (row[KINDS + g]! > 0) genreTurns[g]!++;
    }
    const long = Math.sqrt(Math.max(1, words[i]!.length / LONG));
    for (let k = 0; k < KINDS; k++) cues[i * KINDS + k] = Math.min(MOST, row[k]! / long);
  }
  for (let i = count - 1; i > 0; i--)
    if (speakers[i] !== speakers[i - 1] && asks(texts[i - 1]!, language))
      for (let k = 0; k < KINDS; k++) {
        const inherited = ANSWERED * cues[(i - 1) * KINDS + k]!;
        if (inherited > cues[i * KINDS + k]!) cues[i * KINDS + k] = inherited;
      }
  return { count, cues, genre: genreOf(genreTurns, count) };
}

function genreOf(turns: Float64Array, count: number): Genre {
  let best: Genre = 'any';
  let most = Math.max(GENRE_NEEDED, GENRE_SHARE * count) - 0.5;
  for (let g = 0; g < GENRES.length; g++)
    if (turns[g]! > most) {
      most = turns[g]!;
      best = GENRES[g]!;
    }
  return best;
}
