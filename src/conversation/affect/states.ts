import type { AffectState } from '../../contract/findings.ts';
import { EMOTIONS, type EmotionMap, type Utterance } from '../../contract/timeline.ts';

/** Affect of one utterance, with each value from 0 to 1; `null` if it was not measured. */
export interface AffectMeasures {
  valence: number | null;
  arousal: number | null;
  engagement: number | null;
  /** Share of each of the seven emotions. Absent when not measured. */
  emotions: Partial<EmotionMap> | null;
  /** Reliability of the measures, 0 to 1. */
  confidence: number;
}

/** A level of affect with a value in every dimension. */
export interface AffectLevel {
  valence: number;
  arousal: number;
  engagement: number;
  emotions: EmotionMap;
}

/** Confidence assumed for an utterance that states none, as in a client's shortened timeline. */
const DEFAULT_CONFIDENCE = 0.5;

/** The level of a speaker before the first measure: the middle of every scale, with a neutral emotion. */
export const NEUTRAL_LEVEL: AffectLevel = {
  valence: 0.5,
  arousal: 0.5,
  engagement: 0.5,
  emotions: { joy: 0, sadness: 0, anger: 0, fear: 0, surprise: 0, disgust: 0, neutral: 1 },
};

const unit = (x: number): number => Math.min(1, Math.max(0, x));

/**
 * Whether the affect of an utterance is withheld. Withheld members are null; a shortened entry lacks them altogether.
 */
export const isWithheld = (u: Utterance): boolean => u.polarity === null;

/** From -1 to 1. Null when the utterance has neither polarity nor sentiment. */
export function polarityOf(u: Utterance): number | null {
  if (u.polarity !== undefined) return u.polarity;
  const { positive, negative } = u.sentiment ?? {};
  if (positive === undefined && negative === undefined) return null;
  return Math.min(1, Math.max(-1, (positive ?? 0) - (negative ?? 0)));
}

/** From 0 to 1. Null when the utterance has no measure of engagement. */
export function engagementOf(u: Utterance): number | null {
  if (u.engagement !== undefined) return u.engagement;
  const { engaged, disengaged } = u.cognitive_signals ?? {};
  if (engaged === undefined && disengaged === undefined) return null;
  return unit(0.5 + ((engaged ?? 0) - (disengaged ?? 0)) / 2);
}

/** Affect of one utterance. Measured scores come first, followed by what can be derived from sentiment. */
export function readAffect(u: Utterance): AffectMeasures {
  const pad = u.pad_scores ?? u.emotion?.scores;
  const polarity = polarityOf(u);
  return {
    valence: pad?.valence ?? (polarity === null ? null : (polarity + 1) / 2),
    arousal: pad?.arousal ?? null,
    engagement: engagementOf(u),
    emotions: u.emotions ?? null,
    confidence: u.confidence ?? u.emotion?.confidence ?? DEFAULT_CONFIDENCE,
  };
}

/**
 * One step of the exponentially weighted mean `level + alpha (reading - level)`. A dimension without a reading keeps
 * its value.
 */
export function smooth(level: AffectLevel, reading: AffectMeasures, alpha: number): AffectLevel {
  const step = (from: number, to: number | null | undefined): number => from + alpha * ((to ?? from) - from);
  const emotions = { ...level.emotions };
  if (reading.emotions) for (const e of EMOTIONS) emotions[e] = step(level.emotions[e], reading.emotions[e]);
  return {
    valence: step(level.valence, reading.valence),
    arousal: step(level.arousal, reading.arousal),
    engagement: step(level.engagement, reading.engagement),
    emotions,
  };
}

/** Half the width of the neutral band around the middle of valence. VADER's band, +-.05 on -1 to 1, would be .025 here. */
const VALENCE_BAND = 0.07;
/** Minimum arousal for a state to count as activated: the middle plus the same band. */
const HIGH_AROUSAL = 0.57;
/**
 * Minimum engagement for a speaker to count as engaged, and the value below which a speaker counts as disengaged. Among
 * the pipeline's values for the words of ordinary conversations (the author's dialogues in data/moments/fit.jsonl), the
 * first marks the top fifth and the second is well below the lowest twentieth (.59).
 */
const HIGH_ENGAGEMENT = 0.73;
const LOW_ENGAGEMENT = 0.45;
/** Minimum smoothed share at which a single emotion names the state. */
const NAMING_SHARE = 0.3;
/**
 * Distance by which a level must pass a border before the name changes. It keeps a level on the border from flickering.
 */
const HYSTERESIS = 0.02;

/**
 * Names a smoothed level by the quadrants of Russell's circumplex (1980). The negative side is divided by the
 * prevailing emotion, and the middle by engagement.
 * @param current the name so far, whose region is wider by `HYSTERESIS`
 */
export function nameState(level: AffectLevel, current?: AffectState): AffectState {
  const keep = (state: AffectState): number => (state === current ? HYSTERESIS : 0);
  const { valence, arousal, engagement, emotions } = level;
  if (emotions.surprise >= NAMING_SHARE + 0.1 - keep('surprised')) return 'surprised';
  const negative: AffectState[] = ['frustrated', 'anxious', 'sad', 'tense'];
  const held = current !== undefined && negative.includes(current) ? HYSTERESIS : 0;
  if (valence <= 0.5 - VALENCE_BAND + held) {
    const shares: [AffectState, number][] = [
      ['frustrated', emotions.anger + emotions.disgust],
      ['anxious', emotions.fear],
      ['sad', emotions.sadness],
    ];
    const [name, share] = shares.reduce((best, s) => (s[1] > best[1] ? s : best));
    if (share >= NAMING_SHARE / 2) return name;
    if (engagement <= LOW_ENGAGEMENT) return 'disengaged';
    return arousal >= HIGH_AROUSAL - keep('frustrated') ? 'frustrated' : 'tense';
  }
  if (valence >= 0.5 + VALENCE_BAND - Math.max(keep('content'), keep('enthusiastic'))) {
    return arousal >= HIGH_AROUSAL - keep('enthusiastic') ? 'enthusiastic' : 'content';
  }
  if (engagement <= LOW_ENGAGEMENT + keep('disengaged')) return 'disengaged';
  if (emotions.fear >= NAMING_SHARE - keep('anxious')) return 'anxious';
  if (emotions.sadness >= NAMING_SHARE - keep('sad')) return 'sad';
  if (emotions.anger + emotions.disgust >= NAMING_SHARE - keep('frustrated')) return 'frustrated';
  if (engagement >= HIGH_ENGAGEMENT - keep('engaged')) return 'engaged';
  return arousal >= HIGH_AROUSAL + 0.05 - keep('tense') && valence < 0.5 ? 'tense' : 'calm';
}
