import type { MomentHit, PlaylistItem } from '../../../sdk/wire.ts';
import { clamp, isUnsure, type RecordingDate } from '../../lib/format.ts';
import { isAnswer, isAnswerable, MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { speakerName } from '../../lib/speaker-names.ts';

/** Seconds that are heard before and after a piece of the patterns. */
const AROUND_S = 5;

/** Speech in a piece. */
interface Spoken {
  from: number;
  to: number;
  /** Whether the speaker of the quote speaks. */
  isOwn: boolean;
  /** Whether it is the quote. */
  isQuote: boolean;
}

/** A quote that can be heard. Times are in seconds. */
export interface ShelfPiece {
  key: string;
  conversation: string;
  /** Finds the address of the sound, where it is not that of the conversation. */
  sound?: () => Promise<string>;
  title: string;
  recorded: RecordingDate;
  speaker: string | null;
  role: string | null;
  quote: string;
  /** The beginning of the quote. */
  at: number;
  /** The seconds that are heard. */
  from: number;
  to: number;
  before: string | null;
  after: string | null;
  /** Speech while it plays. Empty if that is not known. */
  around: readonly Spoken[];
  /** The moment that the quote is, for its mark and its thumbs. */
  moment: Pick<MomentHit, 'moment_id' | 'category' | 'confidence' | 'thumb'> | null;
  /** The outcome, in words. */
  outcome: string | null;
  note: string;
}

export const isUnsurePiece = ({ moment }: ShelfPiece): boolean => moment !== null && isUnsure(moment.confidence);

export function pieceOfMoment(hit: MomentHit): ShelfPiece {
  const { moment_id, category, confidence, conversation, conversation_id, t_start, t_end, before, after } = hit;
  const line = (near: MomentHit['before']): string | null =>
    near ? `${speakerName(near.speaker)}: ${near.text}` : null;
  return {
    key: moment_id,
    conversation: conversation_id,
    title: conversation.title,
    recorded: conversation,
    speaker: speakerName(hit.speaker),
    role: hit.role,
    quote: hit.quote,
    at: t_start,
    from: Math.max(0, t_start - AROUND_S),
    to: t_end + AROUND_S,
    before: line(before),
    after: line(after),
    around: hit.around.map(({ speaker, t_start: from, t_end: to }) => {
      const isOwn = speaker === hit.speaker;
      return { from, to, isOwn, isQuote: isOwn && from < t_end && to > t_start };
    }),
    moment: { moment_id, category, confidence, ...(hit.thumb && { thumb: hit.thumb }) },
    outcome: isAnswerable(category) ? outcomeOf(hit) : null,
    note: '',
  };
}

/** A quote with its place. */
interface QuotedPlace extends RecordingDate {
  conversation_id: string;
  title: string;
  quote: string;
  t_start: number;
  t_end: number;
}

export const pieceOfPlace = (place: QuotedPlace, key: string, speaker: string | null): ShelfPiece => ({
  key,
  conversation: place.conversation_id,
  title: place.title,
  recorded: place,
  speaker: speaker && speakerName(speaker),
  role: null,
  quote: place.quote,
  at: place.t_start,
  from: Math.max(0, place.t_start - AROUND_S),
  to: place.t_end + AROUND_S,
  before: null,
  after: null,
  around: [],
  moment: null,
  outcome: null,
  note: '',
});

/** The place of a time in a piece, per cent of its length. */
export const placeIn = ({ from, to }: Pick<ShelfPiece, 'from' | 'to'>, time: number): number =>
  clamp((time - from) / (to - from), 0, 1) * 100;

/** The answer to an offer. Nothing else that follows it is called an answer. */
function outcomeOf({ followed_by: followed }: MomentHit): string {
  if (!followed) return 'no answer found';
  const unsure = isUnsure(followed.confidence) ? ', unsure' : '';
  const next = `${MOMENT_NAMES[followed.category].toLowerCase()} after ${Math.round(followed.after_s)} s${unsure}`;
  return isAnswer(followed.category) ? next : `no answer found; ${next}`;
}

export const pieceOfItem = (item: PlaylistItem): ShelfPiece => ({
  key: item.id,
  conversation: item.conversation_id,
  title: item.conversation.title,
  recorded: item.conversation,
  speaker: item.speaker && speakerName(item.speaker),
  role: null,
  quote: item.quote ?? 'Nobody begins to speak in this piece.',
  at: item.from,
  from: item.from,
  to: item.to,
  before: null,
  after: null,
  around: [],
  moment: null,
  outcome: null,
  note: item.note,
});
