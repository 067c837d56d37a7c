import type { SpeakerCount } from '../../../src/contract/media.ts';
import type { Interval } from '../audio/interval.ts';
import { numbersOf } from './numbering.ts';
import { MOST_SPEAKERS } from './speaker-count.ts';
import type { Diarization } from './turns.ts';

/** Shortest pause at which a beginning ends, s. Recognition also cuts at it. */
const LEAST_PAUSE_S = 0.5;
/** Confidence from which on the number of speakers in a beginning is final. */
const SURE = 0.6;

/**
 * The end of a recording's beginning: the middle of its longest late pause, s.
 * @param speech regions in order, with those of diarization (`DIARIZATION_SPEECH`)
 * @param from earliest end, s
 * @returns null without a pause
 */
export function endOfBeginning(speech: readonly Interval[], from: number): number | null {
  let longest = LEAST_PAUSE_S;
  let end: number | null = null;
  for (let i = 1; i < speech.length; i++) {
    const [before, after] = [speech[i - 1]!.end, speech[i]!.start];
    if (before < from || after - before < longest) continue;
    longest = after - before;
    end = (before + after) / 2;
  }
  return end;
}

/** Whether the speakers of a beginning are sure enough for labels that the rest of the recording cannot change. */
export const isSure = ({ speakers }: Diarization): boolean => speakers.confidence >= SURE;

/**
 * The turns of a beginning, followed by those of the whole recording after it. Speakers of the whole recording have the
 * numbers of those with whom they share the most time in the beginning, and others the next ones.
 * @param end of the beginning, s, in a pause
 * @param given number of speakers, if it is known
 */
export function extended(beginning: Diarization, whole: Diarization, end: number, given?: number): Diarization {
  const used = Math.max(-1, ...beginning.turns.map(({ speaker }) => speaker)) + 1;
  const numbers = numbersOf(whole.turns, beginning.turns, used, given ?? MOST_SPEAKERS);
  const late = whole.turns
    .filter(({ start }) => start >= end)
    .map((turn) => ({ ...turn, speaker: numbers[turn.speaker]! }));
  const turns = [...beginning.turns, ...late];
  return { turns, speakers: countOf(new Set(turns.map(({ speaker }) => speaker)).size, whole.speakers) };
}

/** @param whole what the whole recording suggests */
function countOf(count: number, whole: SpeakerCount): SpeakerCount {
  if (whole.source === 'given' || count === whole.count) return whole;
  const confidence = Math.min(whole.confidence, 1 - SURE);
  const note = `The number of speakers is uncertain: ${count} found, ${whole.count} possible. Send "speakers" if you know the number.`;
  return { count, confidence, source: 'estimated', note };
}
