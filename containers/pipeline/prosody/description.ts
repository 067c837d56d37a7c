import type { LexicalMarkers, Word } from '../../../src/contract/timeline.ts';
import type { Prosody } from '../../../src/contract/timeline-entry.ts';
import {
  type DeliveryManner,
  isCompared,
  joined,
  mannerOf,
  oneOf,
  REMARKABLE_SILENCE_MS,
  times,
  unremarkable,
} from './manner.ts';

/** What an utterance is described from: its wire fields, and where its words lie. */
export interface DeliveryFacts {
  prosody: Prosody;
  /** Length of the utterance; `prosody.duration` is the sound's that was measured. */
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

/** Below this confidence the delivery is not judged. */
const LEAST_CONFIDENCE = 0.4;
/** A silence before speaking this long is a late start: planning an answer takes some 600 ms (Levinson & Torreira 2015); doubled. */
const LATE_START_MS = 1200;

/**
 * Describes how something was said. Every number in the texts is a field of `prosody` (or of `lexical`), rounded as printed;
 * milliseconds may be told in seconds, shares in per cent. Deterministic; says little when little stands out.
 */
export function describeDelivery(facts: DeliveryFacts): DeliveryDescription {
  const { prosody, lexical } = facts;
  const why = whyUnheard(prosody, facts.seconds ?? prosody.duration);
  if (why !== null)
    return {
      prosody_desc: `${why}.`,
      acoustic_insights: [],
      hesitation_patterns: hesitations({ ...prosody, pause_count: 0 }, lexical),
      emphasis_points: [],
    };
  const manner = mannerOf(prosody);
  return {
    prosody_desc: sentence(prosody, manner),
    acoustic_insights: insights(prosody, manner),
    hesitation_patterns: hesitations(prosody, lexical),
    emphasis_points: emphasis(facts),
  };
}

/** Why a delivery cannot be told, null when it can. @param seconds length of the utterance */
export function whyUnheard(prosody: Prosody, seconds: number): string | null {
  if (prosody.confidence >= LEAST_CONFIDENCE) return null;
  if (prosody.voiced_ratio === 0) return 'No voice could be made out';
  if (prosody.confidence_reason === 'noisy') return 'The voice drowns in noise';
  return `Too short to judge, ${seconds.toFixed(1)} s`;
}

/** How it was said, in one or two sentences: what differs from the speaker's usual first, the rest only when it stands out. */
function sentence(prosody: Prosody, manner: DeliveryManner): string {
  const pauses = pausing(prosody, manner);
  const end = ending(prosody);
  if (!isCompared(prosody)) {
    const first = `Pitch about ${prosody.pitch_hz.toFixed(0)} Hz, ${prosody.speech_rate.toFixed(1)} syllables a second`;
    return `${joined(
      [first, pauses, end].filter((part) => part !== ''),
      ', ',
    )}; nothing yet to compare this speaker with.`;
  }
  if (unremarkable(manner) && pauses === '' && end === '')
    return oneOf(prosody, [
      'An even delivery, as usual for this speaker.',
      'Spoken in the usual way; nothing stands out.',
      'Close to how this speaker normally talks.',
    ]);
  const how = manner.differences.map(({ word, z }) => `${word} (${z})`);
  const start =
    how.length === 0
      ? oneOf(prosody, ['Spoken as usual', 'In the usual voice', 'Pitch, loudness and pace as usual'])
      : oneOf(prosody, [
          `${capital(joined(how))} than usual for this speaker`,
          `${capital(joined(how))} than this speaker otherwise talks`,
          `This time ${joined(how)}`,
        ]);
  return `${[start, pauses, end].filter((part) => part !== '').join(', ')}.`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function pausing(prosody: Prosody, manner: DeliveryManner): string {
  if (!manner.pausing) return '';
  return prosody.pause_count === 1
    ? `with one pause of ${prosody.pause_mean_ms.toFixed(0)} ms`
    : oneOf(prosody, [
        `broken by ${prosody.pause_count} pauses of ${prosody.pause_mean_ms.toFixed(0)} ms on average`,
        `with ${prosody.pause_count} pauses that take ${(100 * prosody.pause_ratio).toFixed(0)} % of the time`,
      ]);
}

function ending(prosody: Prosody): string {
  const st = Math.abs(prosody.final_slope_st).toFixed(1);
  if (prosody.final_contour === 'rising') return `ending on a rise of ${st} semitones`;
  return prosody.final_contour === 'falling' ? `closing with a fall of ${st} semitones` : '';
}

function hesitations(prosody: Prosody, lexical: LexicalMarkers): string[] {
  const found: string[] = [];
  if (prosody.pause_before_ms >= LATE_START_MS)
    found.push(`started after ${times(prosody.pause_before_ms)} of silence`);
  if (prosody.pause_count > 0)
    found.push(
      prosody.pause_count === 1
        ? `one pause of ${prosody.pause_mean_ms.toFixed(0)} ms`
        : `${prosody.pause_count} pauses, ${prosody.pause_mean_ms.toFixed(0)} ms on average`,
    );
  if (lexical.disfluency_rate > 0)
    found.push(`fillers, repeats or repairs in ${(100 * lexical.disfluency_rate).toFixed(0)} % of the words`);
  if (lexical.self_repair) found.push('corrects itself in mid-sentence');
  return found;
}

/** Nearest word this close, s, when a peak falls between two recognised words. */
const WORD_REACH_S = 0.12;

/** The words under the syllables that stand out. */
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

/** Single findings in a few words each; none when nothing stands out. */
function insights(prosody: Prosody, manner: DeliveryManner): string[] {
  const found = manner.differences.map(({ word, z }) => `${word} than usual by ${z}`);
  if (manner.pausing) found.push(`pauses take ${(100 * prosody.pause_ratio).toFixed(0)} % of the utterance`);
  const st = Math.abs(prosody.final_slope_st).toFixed(1);
  if (prosody.final_contour === 'rising') found.push(`rises by ${st} semitones at the end`);
  if (prosody.final_contour === 'falling' && !unremarkable(manner)) found.push(`falls by ${st} semitones at the end`);
  if (prosody.pause_before_ms >= REMARKABLE_SILENCE_MS)
    found.push(`began after ${times(prosody.pause_before_ms)} of silence`);
  return found;
}
