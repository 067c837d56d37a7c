import { type Interval, SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { speechRegions } from '../../containers/pipeline/audio/speech.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import { decodeAudio, evalPath, readEvalJson } from '../../scripts/eval-data.ts';
import { seeded, shuffled } from '../../support/random.ts';
import { entries, nameOf } from './recordings.ts';

/** One person per channel. */
export type StereoCall = { name: string; channels: [Float32Array, Float32Array] };

interface Clip {
  speaker: string;
  file: string;
  phone: string;
}

/** Callers for each side of a call. */
const CALLERS_EACH = 2;
/** Clips of a caller with short utterances of their own, at least this many. */
const LEAST_CLIPS = 3;
/** Lengths of the caller's short replies, and the gap that separates the caller's phrases, s. */
const REPLY_S: readonly [number, number] = [0.2, 1.1];
const PAUSE_S = 0.25;
/** The reply begins this long after the end of a phrase of the other voice, s: mostly before it has ended. */
const OFFSETS_S = [-0.6, -0.4, -0.2, -0.1, 0, 0.1];
/** Level of the caller relative to the other side, dB. */
const LEVELS_DB = [0, -6, 6];
/** Space around a whole sentence in a silence of the other side, s. */
const MARGIN_S = 0.3;
/** Time between two inserted replies, s. */
const APART_S = 4;

const seconds = ({ length }: Float32Array): number => length / SAMPLE_RATE_HZ;
const cut = (samples: Float32Array, { start, end }: Interval): Float32Array =>
  samples.slice(Math.round(start * SAMPLE_RATE_HZ), Math.round(end * SAMPLE_RATE_HZ));

async function regionsOf(samples: Float32Array, detector: SpeechDetector): Promise<Interval[]> {
  const probabilities = await detector.probabilities(samples);
  return speechRegions(probabilities, { duration: seconds(samples), minSilence: PAUSE_S, pad: 0.05 });
}

function levelOf(samples: Float32Array, regions: readonly Interval[]): number {
  let energy = 0;
  let n = 0;
  for (const region of regions)
    for (const value of cut(samples, region)) {
      energy += value ** 2;
      n++;
    }
  return Math.sqrt(energy / Math.max(1, n));
}

/**
 * Calls made of real telephone voices: one side of a real call, in whose silences a caller of the telephone set says
 * whole sentences, and short pieces of the same caller's speech at the ends of the other's phrases, most of them before
 * the phrase has ended.
 */
export async function* madeCalls(detector: SpeechDetector): AsyncGenerator<StereoCall> {
  const random = seeded(30);
  const draw = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const { files: clips } = readEvalJson<{ files: Clip[] }>('telephone', 'manifest.json');
  const speakers = [...new Set(clips.map(({ speaker }) => speaker))].sort();
  const order = Array.from(shuffled(speakers.length, random), (i) => speakers[i]!);
  const sides = entries().filter(({ file }) => nameOf(file).startsWith('aws_demo_agent'));
  for (const side of sides) {
    const agent = decodeAudio(evalPath('diarization', side.file));
    const phrases = await regionsOf(agent, detector);
    for (let made = 0; made < CALLERS_EACH && order.length > 0; ) {
      const speaker = order.shift()!;
      const own = clips.filter((clip) => clip.speaker === speaker);
      if (own.length < LEAST_CLIPS) continue;
      const said = await Promise.all(
        own.map(async ({ file }) => {
          const samples = decodeAudio(evalPath('telephone', file));
          return { samples, regions: await regionsOf(samples, detector) };
        }),
      );
      const pieces = said.flatMap(({ samples, regions }) =>
        regions
          .filter(({ start, end }) => end - start >= REPLY_S[0] && end - start <= REPLY_S[1])
          .map((region) => cut(samples, region)),
      );
      const sentences = said.flatMap(({ samples, regions }) =>
        regions.length === 0 ? [] : [cut(samples, { start: regions[0]!.start, end: regions.at(-1)!.end })],
      );
      if (pieces.length === 0) continue;
      made++;
      const loudness = levelOf(agent, phrases) / levelOf(said[0]!.samples, said[0]!.regions);
      const gain = loudness * 10 ** (draw(LEVELS_DB) / 20);
      const caller = new Float32Array(agent.length);
      const put = (sound: Float32Array, at: number): void => {
        const first = Math.max(0, Math.round(at * SAMPLE_RATE_HZ));
        for (let i = 0; i < sound.length && first + i < caller.length; i++) caller[first + i]! += gain * sound[i]!;
      };
      let next = 0;
      let free = 0;
      for (const [i, phrase] of phrases.entries()) {
        const until = phrases[i + 1]?.start ?? seconds(agent);
        const sentence = sentences[next % sentences.length]!;
        if (until - phrase.end > seconds(sentence) + 2 * MARGIN_S && phrase.end >= free) {
          put(sentence, phrase.end + MARGIN_S);
          next++;
          free = phrase.end + MARGIN_S + seconds(sentence);
        } else if (phrase.end >= free && phrase.end - phrase.start > 1) {
          put(draw(pieces), phrase.end + draw(OFFSETS_S));
          free = phrase.end + APART_S;
        }
      }
      yield { name: `${nameOf(side.file)} + ${speaker}`, channels: [agent, caller] };
    }
  }
}
