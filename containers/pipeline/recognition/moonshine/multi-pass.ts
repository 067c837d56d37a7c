import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';
import type { RecognisedWord, Recognition } from '../recogniser.ts';
import { combinePasses } from './combine-passes.ts';

/** A variant of the audio for another pass. */
interface Pass {
  sound(samples: Float32Array): Float32Array;
  /** Converts a time in the variant to a time in the original audio, s. */
  time(seconds: number): number;
}

/** Half of the encoder's 24 ms frame, s. */
const LATER_S = 0.012;
const FASTER = 1.1;

export const LATER: Pass = {
  sound: (samples) => samples.subarray(Math.round(LATER_S * SAMPLE_RATE_HZ)),
  time: (seconds) => seconds + LATER_S,
};

/** Played a tenth faster by linear interpolation. */
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
 * A recognition below this confidence is repeated on variants of the audio, because different passes make different
 * errors (bench/asr.ts). This keeps 95 % of the gain from always repeating it.
 */
const CONFIDENT = 0.85;

/**
 * Recognises once and, if the confidence is low, again in several independent passes that are then combined.
 * @param passes.first the first pass
 * @param passes.again every additional pass
 * @param passes.variants one variant of the audio for each additional pass
 */
export async function recogniseInPasses(
  samples: Float32Array,
  passes: {
    first(samples: Float32Array): Promise<Recognition>;
    again(samples: Float32Array): Promise<Recognition>;
    variants: readonly Pass[];
  },
): Promise<Recognition> {
  const first = await passes.first(samples);
  if (first.confidence >= CONFIDENT || first.words.length === 0) return first;
  const recognised = [first];
  for (const variant of passes.variants) {
    const pass = await passes.again(variant.sound(samples));
    recognised.push({
      ...pass,
      words: pass.words.map((word) => inTime(word, variant, samples.length / SAMPLE_RATE_HZ)),
    });
  }
  return combinePasses(recognised);
}

function inTime(word: RecognisedWord, variant: Pass, seconds: number): RecognisedWord {
  const time = (at: number) => Math.min(seconds, variant.time(at));
  return { ...word, start: time(word.start), end: time(word.end) };
}
