import type { Commitment, CommitmentState } from '../../sdk/wire.ts';
import { clock, isUnsure } from '../lib/format.ts';
import { Confidence, Glyph, MOMENT_NAMES } from '../lib/speaker-marks.tsx';
import { speakerName } from '../lib/speaker-names.ts';
import type { ConversationView, Pin, PromisePin } from './model.ts';

/** The signs of the timeline and the transcript: those of moments, which all pages share, and that of a promise. */

export type SignKind = Pin['category'];

export const SIGN_NAMES: Readonly<Record<SignKind, string>> = { ...MOMENT_NAMES, promise: 'Promise' };
const KINDS = Object.keys(SIGN_NAMES) as SignKind[];

/** The kinds that a conversation has, in their usual order. */
export const kindsOf = ({ signs }: ConversationView): SignKind[] =>
  KINDS.filter((kind) => signs.some(({ category }) => category === kind));

export const isUnsurePin = ({ confidence }: Pin): boolean => isUnsure(confidence);

interface SignGlyphProps {
  kind: SignKind;
  size: number;
  /** Whether all that the glyph stands for is unsure. It is then hollow and dashed. */
  isUnsure?: boolean;
}

export const SignGlyph = ({ kind, size, isUnsure: isHollow = false }: SignGlyphProps) =>
  kind === 'promise' ? (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d="M4 15V2" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
      <path
        d="M4 2.200h9L10.800 5.600 13 9H4Z"
        fill={isHollow ? 'var(--glyph, var(--surface))' : 'currentColor'}
        stroke="currentColor"
        stroke-width="1.200"
        stroke-dasharray={isHollow ? '2.2 1.5' : undefined}
      />
    </svg>
  ) : (
    <Glyph kind={kind} size={size} isUnsure={isHollow} />
  );

/** Words for a promise that is no longer, or not yet, only promised. */
const STATES: Readonly<Record<CommitmentState, string>> = {
  ...{ open: '', offered: ' (offered)', accepted: ' (agreed to)', declined: ' (declined)', done: ' (done)' },
};
export const promiseName = ({ state }: Commitment): string => `${SIGN_NAMES.promise}${STATES[state]}`;

/** A promise in words: "Speaker A to Speaker B: send the contract, “by Friday”". */
export function promiseWords({ owner, to, deed, due, vague_due }: Commitment, { labels }: ConversationView): string {
  const name = (speaker: string): string => {
    const place = labels.indexOf(speaker);
    return speakerName(speaker, place < 0 ? undefined : place);
  };
  const when = due?.said ?? vague_due;
  return `${owner === null ? 'Who was not said' : name(owner)}${to === null ? '' : ` to ${name(to)}`}: ${deed}${when ? `, “${when}”` : ''}`;
}

export const PromiseTip = ({ conversation, pin }: { conversation: ConversationView; pin: PromisePin }) => (
  <>
    <b>{promiseName(pin.promise)}</b> <span class="num">{clock(pin.at)}</span>
    <br />
    {promiseWords(pin.promise, conversation)}
    <br />“{pin.quote}”<br />
    <Confidence value={pin.confidence} />
  </>
);
