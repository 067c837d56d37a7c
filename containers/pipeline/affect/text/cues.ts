import type { AffectCues } from '../../../../src/conversation/affect-lexicon.ts';
import { type Language, oncePerLanguage } from '../../../../src/conversation/language.ts';
import { PhraseMatcher } from '../../../../src/conversation/text/phrases.ts';
import { type BaselineMeasure, type SpeakerBaseline, zScore } from '../../prosody/baseline.ts';
import type { Delivery } from '../../prosody/delivery.ts';
import type { LexicalReading } from './lexical.ts';

/**
 * Cues for or against a cognitive state in one utterance, on a common scale. Shares and yes/no cues are from 0 to 1.
 * Comparisons with the speaker's own baseline are from -2 to 2 (in standard deviations). A vocal cue that was not
 * measured is 0.
 */
export interface Cues {
  /** Saturating share of hedges among the words. */
  hedging: number;
  /** Saturating share of fillers, repeats and repairs. */
  stumbling: number;
  repairing: number;
  question: number;
  /** "I don't understand", "what do you mean", "can't figure out". */
  confusion: number;
  /** "let me think", "on the other hand", "because". */
  reflection: number;
  /** "tell me more", "exactly", "interesting". */
  interest: number;
  /** "whatever", "I don't care", "if you say so". */
  disinterest: number;
  /** "if", "as long as", "would". */
  condition: number;
  /** Saturating share of boosters ("definitely", "of course"). */
  certainty: number;
  /** How much was said, saturating with the number of words. */
  substance: number;
  /** Whether the utterance is only a listener's signal ("okay", "mm-hm"). */
  backchannel: number;
  /** Delay before an answer to another speaker. */
  onset: number;
  pausing: number;
  slowness: number;
  liveliness: number;
  /**
   * Measured only against the speaker's own baseline, because the levels of different recordings are not comparable.
   */
  loudness: number;
  /** Rising pitch at the end of an utterance that is not a question. */
  rising: number;
}

const cueMatcher = oncePerLanguage(({ affect }) => new PhraseMatcher({ ...affect.cues.phrases }, {}));
const boosterMatcher = oncePerLanguage(({ affect }) => new PhraseMatcher({ booster: affect.cues.boosters }, {}));

/** Most words in a back-channel. A longer sequence of such words has content. */
const BACKCHANNEL_WORDS = 4;

/** Whether an utterance is only a listener's signal, a greeting or thanks: "okay", "right, yeah", "oh I see". */
export const isBackchannel = (words: string[], { affect }: Language): boolean =>
  words.length > 0 && words.length <= BACKCHANNEL_WORDS && words.every((word) => affect.cues.listening.test(word));

/**
 * Half-saturation points of the shares: hedges and disfluencies per word (6 to 10 disfluencies per 100 words are
 * typical, Bortfeld et al. 2001).
 */
const HEDGE_SCALE = 0.06;
const DISFLUENCY_SCALE = 0.08;
const BOOSTER_SCALE = 0.08;
/** Number of words at which an utterance counts as two thirds of a full statement. */
const SUBSTANCE_WORDS = 8;
/**
 * Gaps up to this length need no planning (Levinson & Torreira 2015: 200 ms is typical, planning takes over 600 ms).
 * The cue saturates over the next constant.
 */
const ONSET_FREE_MS = 600;
const ONSET_SCALE_MS = 1500;
/** Longest gap that counts as time to think of an answer. After a longer one, the conversation had paused. */
const ONSET_LONGEST_MS = 10_000;

const saturating = (value: number, scale: number) => 1 - Math.exp(-Math.max(0, value) / scale);

/** Largest comparison with the speaker's own baseline, standard deviations. */
const FARTHEST_Z = 2;

/** Inputs to the cues, apart from the words. */
export interface Situation {
  delivery: Delivery | null;
  baseline: SpeakerBaseline;
  pauseBeforeMs: number;
  /** Whether another speaker spoke last, so that the preceding pause comes before an answer. */
  answering: boolean;
}

/** Computes all cues of one utterance. Vocal comparisons are weighted by how far the measures can be trusted. */
export function cuesOf(
  lexical: LexicalReading,
  { delivery, baseline, pauseBeforeMs, answering }: Situation,
  language: Language,
): Cues {
  const { words, hedges, disfluencies, markers } = lexical;
  const found = cueMatcher(language).match(words);
  const present = (cue: keyof AffectCues['phrases']): 0 | 1 => (found.has(cue) ? 1 : 0);
  const share = (n: number) => (words.length === 0 ? 0 : n / words.length);
  const trust = delivery?.confidence ?? 0;
  const z = (measure: BaselineMeasure) =>
    delivery === null ? 0 : trust * Math.max(-FARTHEST_Z, Math.min(FARTHEST_Z, zScore(delivery, baseline, measure)));
  const onset = answering && pauseBeforeMs <= ONSET_LONGEST_MS ? pauseBeforeMs - ONSET_FREE_MS : 0;
  return {
    hedging: saturating(share(hedges.length), HEDGE_SCALE),
    stumbling: saturating(markers.disfluency_rate, DISFLUENCY_SCALE),
    repairing: saturating(share(disfluencies.repairs.length), DISFLUENCY_SCALE),
    question: markers.is_question ? 1 : 0,
    confusion: present('confusion'),
    reflection: present('reflection'),
    interest: present('interest'),
    disinterest: present('disinterest'),
    condition: present('condition'),
    certainty: saturating(share(boosterMatcher(language).find(words).length), BOOSTER_SCALE),
    substance: saturating(words.length, SUBSTANCE_WORDS),
    backchannel: isBackchannel(words, language) ? 1 : 0,
    onset: saturating(onset, ONSET_SCALE_MS),
    pausing: z('pauseRatio'),
    slowness: -z('articulationRate'),
    liveliness: (z('pitchSdSt') + z('intensitySdDb')) / 2,
    loudness: baseline.n > 0 ? z('intensityDb') : 0,
    rising: delivery?.finalContour === 'rising' && !markers.is_question ? trust : 0,
  };
}
