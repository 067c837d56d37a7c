import type { LexicalMarkers, Word } from '../../../src/contract/timeline.ts';
import type { Prosody } from '../../../src/contract/timeline-entry.ts';
import type { Language } from '../../../src/conversation/language.ts';
import type {
  DeliveryInsight,
  FinalGlide,
  Hesitation,
  UnjudgedReason,
} from '../../../src/conversation/sentences/delivery.ts';
import { type DeliveryManner, isCompared, mannerOf, REMARKABLE_SILENCE_MS, unremarkable, variantOf } from './manner.ts';

/** The facts behind the description of an utterance: its wire fields, and the times of its words. */
export interface DeliveryFacts {
  prosody: Prosody;
  /** Length of the utterance. `prosody.duration` is that of the measured audio. */
  seconds?: number;
  words: Word[];
  lexical: LexicalMarkers;
  /** Seconds in the recording at which a syllable stands out (`Delivery.emphasisAt` plus the utterance's start). */
  emphasisAt?: number[];
}

export interface DeliveryDescription {
  prosody_desc: string;
  acoustic_insights: string[];
  hesitation_patterns: string[];
  emphasis_points: string[];
}

/** Confidence below which the delivery is not judged. */
const LEAST_CONFIDENCE = 0.4;
/**
 * A silence of this length before speaking is a late start. Twice the 600 ms or so that planning an answer takes
 * (Levinson & Torreira 2015).
 */
const LATE_START_MS = 1200;

/**
 * Describes the delivery of an utterance in a given language. Every number in the texts is a field of `prosody` (or of
 * `lexical`), rounded as printed. Milliseconds can be printed as seconds, and fractions as percentages. Deterministic.
 * The texts are short when little stands out.
 */
export function describeDelivery(facts: DeliveryFacts, { delivery }: Pick<Language, 'delivery'>): DeliveryDescription {
  const { prosody, lexical } = facts;
  const reason = unjudgedReason(prosody, facts.seconds ?? prosody.duration);
  if (reason !== null)
    return {
      prosody_desc: `${delivery.unjudged(reason)}.`,
      acoustic_insights: [],
      hesitation_patterns: hesitations({ ...prosody, pause_count: 0 }, lexical).map(delivery.hesitation),
      emphasis_points: [],
    };
  const manner = mannerOf(prosody);
  const { pause_count, pause_mean_ms, pause_ratio } = prosody;
  return {
    prosody_desc: delivery.description({
      differences: isCompared(prosody) ? manner.differences : null,
      pitchHz: prosody.pitch_hz,
      syllablesPerSecond: prosody.speech_rate,
      pauses: manner.pausing ? { count: pause_count, meanMs: pause_mean_ms, ratio: pause_ratio } : null,
      glide: glideOf(prosody),
      variant: variantOf(prosody),
    }),
    acoustic_insights: insights(prosody, manner).map(delivery.insight),
    hesitation_patterns: hesitations(prosody, lexical).map(delivery.hesitation),
    emphasis_points: emphasis(facts),
  };
}

/** The reason why a delivery cannot be judged. Null when it can. @param seconds length of the utterance */
export function unjudgedReason(prosody: Prosody, seconds: number): UnjudgedReason | null {
  if (prosody.confidence >= LEAST_CONFIDENCE) return null;
  if (prosody.voiced_ratio === 0) return { kind: 'voiceless' };
  return prosody.confidence_reason === 'noisy' ? { kind: 'noisy' } : { kind: 'short', seconds };
}

const glideOf = ({ final_contour, final_slope_st }: Prosody): FinalGlide | null =>
  final_contour === 'rising' || final_contour === 'falling'
    ? { direction: final_contour, semitones: Math.abs(final_slope_st) }
    : null;

function hesitations(prosody: Prosody, lexical: LexicalMarkers): Hesitation[] {
  const found: Hesitation[] = [];
  if (prosody.pause_before_ms >= LATE_START_MS) found.push({ kind: 'late', silenceMs: prosody.pause_before_ms });
  if (prosody.pause_count > 0)
    found.push({ kind: 'pauses', count: prosody.pause_count, meanMs: prosody.pause_mean_ms });
  if (lexical.disfluency_rate > 0) found.push({ kind: 'disfluency', share: lexical.disfluency_rate });
  if (lexical.self_repair) found.push({ kind: 'self-repair' });
  return found;
}

/** Largest distance from a peak between two recognised words to the nearest word, s. */
const WORD_REACH_S = 0.12;

/** Words with the syllables that stand out. */
function emphasis({ words, emphasisAt = [] }: DeliveryFacts): string[] {
  const found = emphasisAt.flatMap((at) => {
    const off = (word: Word) => Math.max(0, word.t_start - at, at - word.t_end);
    const nearest = words.reduce<Word | null>(
      (best, word) => (best === null || off(word) < off(best) ? word : best),
      null,
    );
    return nearest && off(nearest) <= WORD_REACH_S ? [nearest.word] : [];
  });
  return [...new Set(found)];
}

/** Individual findings. Empty when nothing stands out. */
function insights(prosody: Prosody, manner: DeliveryManner): DeliveryInsight[] {
  const found: DeliveryInsight[] = manner.differences.map((difference) => ({ kind: 'difference', ...difference }));
  if (manner.pausing) found.push({ kind: 'pauses', ratio: prosody.pause_ratio });
  const glide = glideOf(prosody);
  if (glide && (glide.direction === 'rising' || !unremarkable(manner))) found.push({ kind: 'glide', ...glide });
  if (prosody.pause_before_ms >= REMARKABLE_SILENCE_MS)
    found.push({ kind: 'late', silenceMs: prosody.pause_before_ms });
  return found;
}
