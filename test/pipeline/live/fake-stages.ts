import { measureVoice } from '../../../containers/pipeline/affect/voice-measurement.ts';
import type { LiveStages } from '../../../containers/pipeline/live/stages.ts';
import { VAD_FRAME } from '../../../containers/pipeline/models/silero.ts';
import { moonshineTiny } from '../../../containers/pipeline/recognition/moonshine/moonshine.ts';
import type { Recognition } from '../../../containers/pipeline/recognition/recogniser.ts';
import type { StageLine } from '../../../containers/pipeline/stage-lines.ts';
import { echoEntry } from '../../../support/echo-pipeline.ts';

/** A recognition of the text. */
export const recognition = (text: string): Recognition => {
  const words = text.split(' ').filter((word) => word !== '');
  return {
    text,
    confidence: words.length > 0 ? 0.9 : 0,
    words: words.map((word, i) => ({ word, start: 0.2 + i * 0.3, end: 0.4 + i * 0.3, confidence: 0.9, tokens: 1 })),
    cut: false,
  };
};

/** Stages without models: loud frames are speech, and the test supplies the recogniser. */
export function fakeStages(recognise: (samples: Float32Array) => string, isBusy = () => false): LiveStages {
  return {
    openDetector: () => {
      let held: number[] = [];
      return {
        push: async (samples) => {
          held.push(...samples);
          const probabilities: number[] = [];
          for (; held.length >= VAD_FRAME; held = held.slice(VAD_FRAME)) {
            probabilities.push(held.slice(0, VAD_FRAME).some((sample) => sample > 0.1) ? 0.9 : 0.05);
          }
          return probabilities;
        },
      };
    },
    openSpeakers: () => ({ push: () => undefined, label: async () => [], close: () => undefined }),
    openRecogniser: () => ({
      engine: { ...moonshineTiny, mishearsOtherLanguages: false },
      longestS: 15,
      transcribe: async (samples, segment) => ({
        words: recognition(recognise(samples)).words.map(({ word, start, end, confidence, tokens }) => ({
          word,
          t_start: segment.start + start,
          t_end: segment.start + end,
          confidence,
          logProbability: Math.log(confidence),
          tokens,
        })),
        workMs: 0,
        transcribedBy: moonshineTiny.id,
      }),
      settle: () => undefined,
      interim: async (samples) => recognition(recognise(samples)),
      pass: async (samples) => recognition(recognise(samples)),
      recalledS: () => 0,
    }),
    encode: async () => null,
    measureVoice: async (task) => ({ voice: await measureVoice(task), workMs: 0 }),
    isBusy,
    hasTimeForInterim: () => !isBusy(),
    async *analyse({ options: { conversation_id: conversationId } }): AsyncGenerator<StageLine> {
      yield { type: 'utterance', entry: echoEntry(conversationId, 0, 'the whole session'), latency_ms: 1 };
      yield {
        type: 'end',
        utterances: 1,
        media: { duration_s: 1, channels: 1, speaker_per_channel: false },
        speakers: { count: 1, confidence: 0.5, source: 'estimated' },
        warnings: [],
      };
    },
  };
}

/** Seconds of a tone, or of silence, at 16 kHz. */
export function sound(...parts: [amplitude: number, seconds: number][]): Float32Array<ArrayBuffer> {
  const samples = parts.flatMap(([amplitude, seconds]) =>
    Array.from({ length: Math.round(seconds * 16_000) }, (_, i) => amplitude * Math.sin(i / 12)),
  );
  return Float32Array.from(samples);
}
