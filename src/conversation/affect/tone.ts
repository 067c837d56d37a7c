import type { Utterance } from '../../contract/timeline.ts';
import { isWithheld, readAffect } from './states.ts';

/** Mean affect of a range of utterances, weighted by their durations. Null where nothing was measured. */
export type Tone =
  | { valence: number | null; arousal: number | null; word: ToneName }
  /** The affect of every utterance is withheld. */
  | { valence: null; arousal: null; word: null };

/** Half the width of the neutral band around the middle of valence and arousal. */
const BAND = 0.06;
const STRONG = 0.16;

/**
 * Names of tones. Each language has its own words for them. Rows are low, middle and high arousal; columns are valence.
 */
const NAMES = [
  ['dejected', 'subdued', 'calm', 'relaxed', 'content'],
  ['unhappy', 'slightly negative', 'neutral', 'friendly', 'warm'],
  ['heated', 'tense', 'animated', 'upbeat', 'enthusiastic'],
] as const;
export type ToneName = (typeof NAMES)[number][number] | 'not measured';

/** The duration-weighted tone of the utterances from `from` up to but not including `to`. */
export function toneOf(utterances: Utterance[], from = 0, to = utterances.length): Tone {
  let [valenceSum, valenceWeight, arousalSum, arousalWeight] = [0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const u = utterances[i]!;
    const read = readAffect(u);
    const duration = Math.max(0.1, u.t_end - u.t_start);
    if (read.valence !== null) {
      valenceSum += read.valence * duration;
      valenceWeight += duration;
    }
    if (read.arousal !== null) {
      arousalSum += read.arousal * duration;
      arousalWeight += duration;
    }
  }
  const valence = valenceWeight > 0 ? valenceSum / valenceWeight : null;
  const arousal = arousalWeight > 0 ? arousalSum / arousalWeight : null;
  if (valence === null && arousal === null) {
    const part = utterances.slice(from, to);
    return { valence, arousal, word: part.every(isWithheld) ? null : 'not measured' };
  }
  const v = (valence ?? 0.5) - 0.5;
  const a = (arousal ?? 0.5) - 0.5;
  const row = a < -BAND ? 0 : a > BAND ? 2 : 1;
  const column = v < -STRONG ? 0 : v < -BAND ? 1 : v > STRONG ? 4 : v > BAND ? 3 : 2;
  return { valence, arousal, word: NAMES[row]![column]! };
}
