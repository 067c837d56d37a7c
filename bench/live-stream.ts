import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EVAL_DATA } from '../scripts/eval-data.ts';
import type { FinalTranscript, Undertone } from '../src/sdk/index.ts';
import { paced } from '../support/recording-chunks.ts';

// One live session as a client runs it, and the time from the end-of-speech decision to the arrival of each final text.

const RATE_HZ = 16_000;
export const BYTES_PER_SECOND = 2 * RATE_HZ;
/** Bytes in a quarter of a second, a common setting of MediaRecorder. */
const CHUNK_BYTES = BYTES_PER_SECOND / 4;
/** Large chunks that advance a session to its late minutes. */
const BULK_BYTES = 262_144;
/**
 * An utterance ends this long after its speech. The decision comes 0.6 s after the speech
 * (containers/pipeline/live/endpointer.ts).
 */
const PAD_S = 0.3;
const DECISION_S = 0.6;
/** Finals that arrive this close together belong to one speech segment, which ends with the last of them. */
const SAME_SEGMENT_MS = 20;
/** An utterance that continues without a gap was cut and not ended by silence, so it has no end-of-speech decision. */
const NO_GAP_S = 0.02;
/** The call as raw PCM, repeated. */
export function speech(seconds: number): Uint8Array<ArrayBuffer> {
  const call = join(EVAL_DATA, 'diarization/audio/aws_call40_mono.flac');
  const source = existsSync(call) ? call : join(import.meta.dirname, '../test/fixtures/call.wav');
  const format = ['-t', String(seconds), '-ac', '1', '-ar', String(RATE_HZ), '-f', 's16le', '-'];
  const options = { maxBuffer: 2 ** 31 - 1 };
  return new Uint8Array(
    execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', '-1', '-i', source, ...format], options),
  );
}

/** The same as a WAV file. */
export function wav(pcm: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(44);
  header.write('RIFF');
  header.writeUInt32LE(36 + pcm.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(BYTES_PER_SECOND / 2, 24);
  header.writeUInt32LE(BYTES_PER_SECOND, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(pcm.length, 40);
  return new Uint8Array(Buffer.concat([header, pcm]));
}

export interface Sample {
  /** Time from the decision in the audio (when its bytes were sent) to the final's arrival. */
  finalMs: number;
  /** Seconds since the session's start. */
  at: number;
}

interface Final {
  data: FinalTranscript;
  /** Arrival time: milliseconds of `performance.now()`. */
  at: number;
}

/** Streams `live` seconds in real time, after `before` seconds that are sent as fast as they are accepted. */
export async function stream(
  undertone: Undertone,
  audio: Uint8Array<ArrayBuffer>,
  before = 0,
  chunkBytes = CHUNK_BYTES,
): Promise<Sample[]> {
  const capture = await undertone.live.start({ suffix: '.pcm', ttl_seconds: 3600 });
  const finals: Final[] = [];
  const reading = (async () => {
    for await (const { event, data } of capture)
      if (event === 'final_transcript') finals.push({ data, at: performance.now() });
  })();
  const history = audio.subarray(0, before * BYTES_PER_SECOND);
  for await (const chunk of paced(history, BULK_BYTES, Number.POSITIVE_INFINITY)) await capture.send(chunk);
  await capture.flush();
  if (before > 0) await caughtUp(finals);
  const begun = performance.now();
  for await (const chunk of paced(audio.subarray(history.length), chunkBytes, BYTES_PER_SECOND))
    await capture.send(chunk);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await capture.cancel();
  await reading;
  return samplesOf(finals, begun, before, audio.length / BYTES_PER_SECOND);
}

/** Waits until no final has arrived for some seconds. */
async function caughtUp(finals: Final[]): Promise<void> {
  for (let seen = -1; seen !== finals.length; ) {
    seen = finals.length;
    await new Promise((resolve) => setTimeout(resolve, 10_000));
  }
}

function samplesOf(finals: Final[], begun: number, from: number, to: number): Sample[] {
  return finals.flatMap(({ at, data }, i): Sample[] => {
    const next = finals[i + 1];
    const decided = data.t_end - PAD_S + DECISION_S;
    if (data.t_start < from || decided > to) return [];
    if (next && next.at - at < SAME_SEGMENT_MS) return [];
    if (next && next.data.t_start - data.t_end < NO_GAP_S) return [];
    return [{ finalMs: at - (begun + (decided - from) * 1000), at: data.t_end }];
  });
}

export const quantile = (values: number[], share: number): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? null;

/** The same audio, rotated so that it starts at another place. */
export function rotated(audio: Uint8Array<ArrayBuffer>, share: number): Uint8Array<ArrayBuffer> {
  const at = 2 * Math.floor((share * audio.length) / 2);
  const out = new Uint8Array(audio.length);
  out.set(audio.subarray(at));
  out.set(audio.subarray(0, at), audio.length - at);
  return out;
}
