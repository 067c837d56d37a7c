import type { Prosody } from '../../../sdk/wire.ts';
import { type ConversationView, isWellMeasured, LEAST_FOR_USUAL, type UtteranceLine } from '../model.ts';

/** Plain words for measures of a voice, compared with what is usual for its speaker in the recording. */

/** The words for less and more of a measure, such as `['lower', 'higher']`. */
export type Directions = readonly [less: string, more: string];

/** Deviation from which a measure is described as different, in standard deviations. */
const NOTABLE = 1;

/** "higher than usual", "as usual". @param z the deviation, in standard deviations */
export const comparedWords = (z: number, [less, more]: Directions): string =>
  Math.abs(z) < NOTABLE ? 'as usual' : `${z < 0 ? less : more} than usual`;

type Measure = { [K in keyof Prosody]-?: Prosody[K] extends number ? K : never }[keyof Prosody];

/**
 * The words for one measure of an utterance against all well measured utterances of its speaker. Undefined if there are
 * too few of them, or if the utterance itself was measured poorly.
 */
export function wordsForMeasure(
  { lines }: Pick<ConversationView, 'lines'>,
  line: UtteranceLine,
  measure: Measure,
  directions: Directions,
): string | undefined {
  if (!line.voice || !isWellMeasured(line)) return undefined;
  const own = lines.flatMap((other) =>
    other.speaker === line.speaker && other.voice && isWellMeasured(other) ? other.voice[measure] : [],
  );
  if (own.length < LEAST_FOR_USUAL) return undefined;
  const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
  const deviation = Math.sqrt(own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (own.length - 1));
  return comparedWords(deviation === 0 ? 0 : (line.voice[measure] - mean) / deviation, directions);
}
