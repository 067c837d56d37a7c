import type { CommitmentState } from '../../sdk/wire.ts';
import { clock, isUnsure, shortened } from '../lib/format.ts';
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

/** Words for the state of a promise that its owner made unasked. */
const STATES: Readonly<Record<CommitmentState, string>> = {
  ...{ open: '', offered: '', accepted: ' (agreed to)', declined: ' (declined)', done: ' (done)' },
};

type PromiseWords = Record<'owner' | 'deed' | 'when', string> & { to: string | undefined };

/** The words of a promise: its owner, to whom it is made, the deed and its time. */
export function promiseOf({ promise, request }: PromisePin, { labels }: ConversationView): PromiseWords {
  const name = (speaker: string): string => {
    const place = labels.indexOf(speaker);
    return speakerName(speaker, place < 0 ? undefined : place);
  };
  const { owner, to, deed, state, due, vague_due } = promise;
  // The owner's answer to a request is the promise itself.
  const told = request !== undefined && state === 'accepted' ? '' : STATES[state];
  const when = due?.said ?? vague_due;
  return {
    owner: owner === null ? 'Somebody' : name(owner),
    to: to === null ? undefined : name(to),
    deed: `${deed}${told}`,
    when: when ? `“${when}”` : '',
  };
}

/** "Speaker A promises Speaker B: send the contract". */
export function promiseWords(pin: PromisePin, conversation: ConversationView): string {
  const { owner, to, deed } = promiseOf(pin, conversation);
  const verb = pin.promise.state === 'offered' ? 'offers' : 'promises';
  return `${[owner, verb, to].filter(Boolean).join(' ')}: ${deed}`;
}

/** The same with its time: "Speaker A promises Speaker B: send the contract, “by Friday”". */
export const promiseWithTime = (pin: PromisePin, conversation: ConversationView): string =>
  [promiseWords(pin, conversation), promiseOf(pin, conversation).when].filter(Boolean).join(', ');

export const PromiseTip = ({ conversation, pin }: { conversation: ConversationView; pin: PromisePin }) => (
  <>
    <b>{promiseWithTime(pin, conversation)}</b> <span class="num">{clock(pin.at)}</span>
    {pin.request !== undefined && (
      <>
        <br />
        {conversation.names[conversation.lines[pin.request]!.speaker]} asked: “{pin.promise.quote}”
      </>
    )}
    <br />“{shortened(pin.quote, QUOTE_CHARS)}”<br />
    <Confidence value={pin.confidence} />
  </>
);

/** Characters of a quote in a tip or a list. */
export const QUOTE_CHARS = 96;
