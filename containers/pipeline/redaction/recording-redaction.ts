import type { Redaction, RedactionKind } from '../../../src/contract/redaction.ts';
import type { Interval } from '../audio/interval.ts';
import type { RecognitionOptions } from '../recognition/recogniser.ts';
import type { RecordingStages } from '../stages/recording.ts';
import { mutedFor, notesOf, type Redacted, type Secret, unknownNumbersIn, valuesIn } from './redaction.ts';
import { muteIntervals } from './tone.ts';

/** Sound before and after a muted interval that is transcribed with it, s. */
const CONTEXT_S = 1;

/** A recording whose redacted sound is muted, and how well that is proved. */
export interface MutedRecording {
  muted: Interval[];
  isVerified: boolean;
  notes: string[];
}

type Recogniser = { id: string; longestS: number; options: RecognitionOptions };

/**
 * Mutes what was redacted in the sound of a recording, and transcribes the muted places again. Where a value is heard
 * again, its whole utterance is muted.
 */
export async function muteRecording(
  recording: Pick<RecordingStages, 'spool' | 'duration' | 'read' | 'run'>,
  { secrets, spans, left, doubts }: Pick<Redacted, 'secrets' | 'spans' | 'left' | 'doubts'>,
  recogniser: Recogniser,
): Promise<MutedRecording> {
  const { spool, duration } = recording;
  const places: Interval[] = spans.map(({ t_start: start, t_end: end }) => ({ start, end }));
  const notes = notesOf(doubts);
  const mute = async (): Promise<Interval[]> => {
    const muted = mutedFor(places, duration);
    await muteIntervals(spool, muted);
    return muted;
  };
  let muted = await mute();
  let heard = await heardAgain(recording, muted, { secrets, left }, recogniser);
  if (heard.length > 0) {
    places.push(...heard.map(({ utterance }) => utterance));
    muted = await mute();
    const count = new Set(heard.map(({ utterance }) => utterance.start)).size;
    notes.push(
      `${count} utterance${count === 1 ? ' was' : 's were'} muted as a whole, because a value could still be heard beside its tone.`,
    );
    heard = await heardAgain(recording, muted, { secrets: heard, left }, recogniser);
    if (heard.length > 0)
      notes.push(`${heard.length} value${heard.length === 1 ? ' was' : 's were'} heard again in the muted recording.`);
  }
  const isComplete = secrets.length === spans.length;
  if (!isComplete) notes.push(`Only the first ${secrets.length} of ${spans.length} values were searched for.`);
  return { muted, isVerified: heard.length === 0 && doubts.length === 0 && isComplete, notes };
}

/**
 * The values that are heard in or beside muted intervals. A number that is not in the text there is a part of the values
 * beside it.
 */
async function heardAgain(
  recording: Pick<RecordingStages, 'duration' | 'read' | 'run'>,
  muted: readonly Interval[],
  { secrets, left }: Pick<Redacted, 'secrets' | 'left'>,
  { id, longestS, options }: Recogniser,
): Promise<Secret[]> {
  const heard = new Set<Secret>();
  for (const interval of muted) {
    const own = secrets.filter(({ start, end }) => start < interval.end && end > interval.start);
    if (own.length === 0) continue;
    for (const piece of piecesOf(interval, recording.duration, longestS)) {
      const samples = await recording.read(piece, 'mix');
      const task = { samples, segment: { ...piece, speech: [piece] }, recogniser: id, options };
      const { words } = await recording.run('transcribe', task);
      const said = words.map(({ word }) => word);
      for (const secret of valuesIn(said, own)) heard.add(secret);
      const near = left.filter(({ start, end }) => start < piece.end && end > piece.start);
      const beside = near.flatMap((one) => one.words);
      if (unknownNumbersIn(said, beside).length > 0) for (const secret of own) heard.add(secret);
    }
  }
  return [...heard];
}

function piecesOf({ start, end }: Interval, duration: number, longestS: number): Interval[] {
  const pieces: Interval[] = [];
  const last = Math.min(duration, end + CONTEXT_S);
  for (let at = Math.max(0, start - CONTEXT_S); at < last; at += longestS - CONTEXT_S) {
    pieces.push({ start: at, end: Math.min(last, at + longestS) });
    if (at + longestS >= last) break;
  }
  return pieces;
}

const roundedInterval = ({ start, end }: Interval) => ({ t_start: rounded(start), t_end: rounded(end) });
const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The report in the result. */
export const redactionOf = (
  kinds: readonly RedactionKind[],
  { spans, counts }: Redacted,
  { muted, isVerified, notes }: MutedRecording,
): Redaction => ({
  kinds: [...kinds],
  counts,
  spans: spans.toSorted((a, b) => a.t_start - b.t_start),
  muted: muted.map(roundedInterval),
  verified: isVerified,
  notes,
});
