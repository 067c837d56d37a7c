import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';
import type { RecognisedWord, Recognition } from '../recogniser.ts';
import { combinePasses } from './combine-passes.ts';

/** A sound as it is heard once more. */
interface Pass {
  sound(samples: Float32Array): Float32Array;
  /** A time in it, as one of the sound itself, s. */
  time(seconds: number): number;
}

/** Half of the encoder's frame of 24 ms. */
const LATER_S = 0.012;
const FASTER = 1.1;

export const LATER: Pass = {
  sound: (samples) => samples.subarray(Math.round(LATER_S * SAMPLE_RATE_HZ)),
  time: (seconds) => seconds + LATER_S,
};

/** Played a tenth faster, by linear interpolation. */
export const PLAYED_FASTER: Pass = {
  sound(samples) {
    const out = new Float32Array(Math.max(0, Math.floor((samples.length - 1) / FASTER)));
    for (let i = 0; i < out.length; i++) {
      const at = i * FASTER;
      const before = Math.floor(at);
      const share = at - before;
      out[i] = samples[before]! * (1 - share) + samples[before + 1]! * share;
    }
    return out;
  },
  time: (seconds) => seconds * FASTER,
};

/**
 * A reading less sure than this is made again of the sound heard otherwise: the errors of the hearings differ (bench/asr.ts). It keeps
 * 95 % of what hearing all of it several times would give.
 */
const SURE = 0.85;

/**
 * Recognises once, and where that is not sure again, each hearing by itself; the hearings are combined stretch by stretch.
 * @param recognise one reading
 * @param again how it is heard then
 */
export async function recogniseInPasses(
  samples: Float32Array,
  recognise: (samples: Float32Array) => Promise<Recognition>,
  again: readonly Pass[],
): Promise<Recognition> {
  const first = await recognise(samples);
  if (first.confidence >= SURE || first.words.length === 0) return first;
  const heard = [first];
  for (const hearing of again) {
    const one = await recognise(hearing.sound(samples));
    heard.push({ ...one, words: one.words.map((word) => inTime(word, hearing, samples.length / SAMPLE_RATE_HZ)) });
  }
  return combinePasses(heard);
}

function inTime(word: RecognisedWord, hearing: Pass, seconds: number): RecognisedWord {
  const time = (at: number) => Math.min(seconds, hearing.time(at));
  return { ...word, start: time(word.start), end: time(word.end) };
}
