import type { Interval } from '../audio/interval.ts';
import type { Channel } from '../audio/pcm-spool.ts';
import { FRAME_S } from '../audio/speech.ts';
import type { SpeakerTurn } from '../diarization/turns.ts';

/**
 * A region that is recognised as a whole. Times are in seconds. `start` and `end` include some silence around the
 * speech.
 */
export interface SegmentToTranscribe extends Interval {
  /** Its speech as the detector cut it, without padding. */
  speech: Interval[];
}

/** A segment of a recording, with its speaker. */
export interface RecognitionSegment extends SegmentToTranscribe {
  channel: Channel;
  /**
   * Its only speaker. Null when several people speak without a pause, so that words have to be assigned to speakers
   * afterwards.
   */
  speaker: number | null;
}

/**
 * Short fragments are recognised badly, so speech of one person with gaps of up to one second forms one segment
 * (bench/asr.ts).
 */
export const JOIN_GAP_S = 1;
/**
 * Speech that is too long for the recogniser is cut at the frame that is least likely to be speech, at least this far
 * from either end, s.
 */
export const LEAST_PART_S = 4;
/**
 * Silence around a segment, s. .3 is better than .1 to .2 and .5 (bench/asr.ts, all clips: WER 11.8 % compared with
 * 13.5 to 12.0).
 */
export const PAD_S = 0.3;
/** A change of speaker becomes a cut if speech dips within this distance of it, s. */
const CHANGE_REACH_S = 0.4;
/** A dip is a run of frames below Silero's threshold that is at least this long, s. */
const DIP_BELOW = 0.5;
const DIP_S = 0.09;
/** Less speech of one speaker in a piece than this is diarization jitter, s. */
const LEAST_SHARE_S = 0.2;

interface Piece extends Interval {
  speaker: number | null;
  speech: Interval[];
}

/**
 * The segments of a recording, by start.
 * @param speech regions in order, without padding.
 * @param probabilities of speech in each 32 ms frame of the same channel.
 * @param turns of the recording, ordered by start.
 * @param longestS limit on the speech in one segment (`RecogniserEngine`).
 */
export function recognitionSegments(
  speech: Interval[],
  probabilities: Float32Array,
  turns: SpeakerTurn[],
  longestS: number,
  channel: Channel = 'mix',
): RecognitionSegment[] {
  const pieces = speech
    .flatMap((region) => cutAtChanges(region, probabilities, turns))
    .map((piece): Piece => ({ ...piece, speaker: onlySpeaker(piece, turns), speech: [piece] }));
  const split = joined(pieces, longestS).flatMap((piece) => splitLong(piece, probabilities, longestS));
  return split.map(({ speaker, speech, start, end }, i) => ({
    channel,
    speaker,
    speech,
    start: Math.max(0, start - PAD_S, i > 0 ? (split[i - 1]!.end + start) / 2 : 0),
    end: Math.min(
      probabilities.length * FRAME_S,
      end + PAD_S,
      i + 1 < split.length ? (split[i + 1]!.start + end) / 2 : Number.POSITIVE_INFINITY,
    ),
  }));
}

/** A region that is cut where the speaker changes during a short pause. */
function cutAtChanges(region: Interval, probabilities: Float32Array, turns: SpeakerTurn[]): Interval[] {
  const inside = turns.filter(({ start, end }) => end > region.start && start < region.end);
  const cuts: number[] = [];
  for (let i = 1; i < inside.length; i++) {
    const [before, after] = [inside[i - 1]!, inside[i]!];
    if (before.speaker === after.speaker) continue;
    const dip = widestDip(
      Math.max(region.start, Math.min(before.end, after.start) - CHANGE_REACH_S),
      Math.min(region.end, Math.max(before.end, after.start) + CHANGE_REACH_S),
      probabilities,
    );
    if (dip !== null && dip > (cuts.at(-1) ?? region.start)) cuts.push(dip);
  }
  const edges = [region.start, ...cuts, region.end];
  return edges.slice(1).map((end, i) => ({ start: edges[i]!, end }));
}

/** Middle of the longest run of frames below the threshold, s. Null when none is long enough. */
function widestDip(from: number, to: number, probabilities: Float32Array): number | null {
  let best = 0;
  let middle: number | null = null;
  let run = 0;
  const last = Math.min(probabilities.length, Math.floor(to / FRAME_S));
  for (let frame = Math.ceil(from / FRAME_S); frame < last; frame++) {
    run = probabilities[frame]! < DIP_BELOW ? run + 1 : 0;
    if (run > best) {
      best = run;
      middle = (frame + 1 - run / 2) * FRAME_S;
    }
  }
  return best * FRAME_S >= DIP_S ? middle : null;
}

function onlySpeaker(piece: Interval, turns: SpeakerTurn[]): number | null {
  const seconds = new Map<number, number>();
  for (const { start, end, speaker } of turns) {
    const shared = Math.min(end, piece.end) - Math.max(start, piece.start);
    if (shared > 0) seconds.set(speaker, (seconds.get(speaker) ?? 0) + shared);
  }
  const ranked = [...seconds].sort((a, b) => b[1] - a[1]);
  if (ranked.length === 0 || (ranked[1]?.[1] ?? 0) >= LEAST_SHARE_S) return null;
  return ranked[0]![0];
}

function joined(pieces: Piece[], longestS: number): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    const fits =
      last &&
      last.speaker !== null &&
      last.speaker === piece.speaker &&
      piece.start - last.end < JOIN_GAP_S &&
      piece.end - last.start <= longestS;
    if (!fits) out.push({ ...piece });
    else {
      last.end = piece.end;
      last.speech = [...last.speech, ...piece.speech];
    }
  }
  return out;
}

/** Parts of a piece, each at most the longest length, cut where speech is least likely. */
function splitLong(piece: Piece, probabilities: Float32Array, longestS: number): Piece[] {
  if (piece.end - piece.start <= longestS) return [piece];
  const first = Math.ceil((piece.start + LEAST_PART_S) / FRAME_S);
  // The cut is in the middle of a frame.
  const last = Math.floor(Math.min(piece.start + longestS, piece.end - LEAST_PART_S) / FRAME_S - 0.5);
  let cut = last;
  let least = Number.POSITIVE_INFINITY;
  for (let frame = first; frame <= last; frame++) {
    const around = probabilities[frame - 1]! + probabilities[frame]! + (probabilities[frame + 1] ?? 0);
    if (around <= least) {
      least = around;
      cut = frame;
    }
  }
  const at = (cut + 0.5) * FRAME_S;
  const part = (start: number, end: number): Piece => ({
    start,
    end,
    speaker: piece.speaker,
    speech: piece.speech
      .map((region) => ({ start: Math.max(start, region.start), end: Math.min(end, region.end) }))
      .filter((region) => region.end > region.start),
  });
  return [part(piece.start, at), ...splitLong(part(at, piece.end), probabilities, longestS)];
}
