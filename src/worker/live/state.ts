import type { ErrorCode } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { ChunkAccepted, ControlAnswer, LiveStatus } from '../../contract/live.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { errorEvent } from '../analysis/closing.ts';

/**
 * The state machine of a live session: one pure function, (state, command, now) -> answer, next state, effects. Its
 * tests cover each row of the specification's state table and of the decisions' "Behaviour".
 *
 *   waiting_media --first chunk--> ingesting --finalize--> processing --concluded--> completed
 *        any open state --cancel, expiry--> aborted processing --failed--> aborted
 *
 * When a session expires, its media is analysed as a file.
 */
export interface LiveState {
  status: LiveStatus;
  nextChunkSeq: number;
  receivedBytes: number;
  /** Limit on the session's media, bytes. */
  maxBytes: number;
  ttlMs: number;
  /** How long an ended session waits for a consumer whose connection broke just before the end, ms. */
  graceMs: number;
  /** Unix time in ms at which an open session is aborted or an ended one is removed. */
  expiresAt: number;
  /**
   * The conversation that keeps the media when the session expires. Undefined in sessions stored by an earlier version.
   */
  conversationId?: string | undefined;
  /** Whether the session has lost its pipeline and waits for another one. */
  isDisplaced?: boolean | undefined;
  /** Whether the session has expired with media that still has to be handed over. */
  isExpired?: boolean | undefined;
}

/** The response to the latest accepted chunk, for a request that repeats it with the same `Idempotency-Key`. */
export interface EarlierChunk {
  idempotencyKey: string | null;
  receivedBytes: number;
}

/** The commands of the state machine, with their parameters. */
interface Commands {
  chunk: { seq: number; bytes: number; idempotencyKey: string | null; earlier: EarlierChunk | null };
  finalize: object;
  cancel: { reason?: string | undefined };
  keepalive: object;
  /** A consumer asks for the events. */
  attach: object;
  /** Final processing has progressed to a value from 0 to 1. `expectedS`: estimated time until its end, s. */
  progressed: { progress: number; expectedS?: number | undefined };
  /** The analysis is complete and its documents are stored. */
  concluded: { conversationId: string; events: readonly ServiceEvent[] };
  /** `keptAs`: the conversation in which the media can be analysed again. */
  failed: { code: ErrorCode; message: string; keptAs?: string | undefined };
  /** The session has no pipeline, and waits for one. */
  displaced: object;
  /** The session has a pipeline again. */
  placed: object;
  /** The terminal event was sent to the consumer. */
  delivered: object;
  /** Time has passed. */
  tick: object;
}
export type CommandName = keyof Commands;
export type Command<T extends CommandName = CommandName> = { [N in T]: { type: N } & Commands[N] }[T];

export interface Answers {
  chunk: ChunkAccepted;
  finalize: ControlAnswer;
  cancel: ControlAnswer;
  keepalive: ControlAnswer;
  attach: null;
  progressed: null;
  concluded: null;
  failed: null;
  displaced: null;
  placed: null;
  delivered: null;
  tick: null;
}

export type Effect =
  /** Stores the chunk together with its changes to the state. */
  | { type: 'store_chunk'; accepted: AcceptedChunk }
  | { type: 'emit'; event: ServiceEvent }
  /** Sends the pipeline new chunks or the end of the media. */
  | { type: 'feed' }
  /** Makes the pipeline stop working on the session. */
  | { type: 'stop' }
  /** Turns the media into a file to analyse, and then removes everything stored for the session. */
  | { type: 'hand_on' }
  /** Removes everything stored for the session. */
  | { type: 'remove' };

/** Wait before another attempt to hand over the media, ms. */
const AGAIN_MS = 5_000;

export interface Transition<T> {
  answer: Result<T>;
  state: LiveState;
  effects: Effect[];
}

type Move<T extends CommandName> = (state: LiveState, command: Command<T>, now: number) => Transition<Answers[T]>;

const emit = (event: ServiceEvent): Effect => ({ type: 'emit', event });
type Phase = 'starting' | 'waiting_capacity' | Exclude<LiveStatus, 'aborted'>;
const status = (phase: Phase, progress: number, expectedS?: number): Effect =>
  emit({ event: 'status', data: { phase, progress, ...(expectedS !== undefined && { expected_s: expectedS }) } });
const error = (code: ErrorCode, detail: string, keptAs?: string): Effect =>
  emit(errorEvent({ code, detail, conversationId: keptAs }));

const isOpen = (state: LiveState): boolean => state.status === 'waiting_media' || state.status === 'ingesting';
const isEnded = (state: LiveState): boolean => state.status === 'completed' || state.status === 'aborted';

const stay = <T>(state: LiveState, answer: Result<T>): Transition<T> => ({ answer, state, effects: [] });
const extended = (state: LiveState, now: number): LiveState => ({ ...state, expiresAt: now + state.ttlMs });
const aborted = (state: LiveState, now: number): LiveState => ({ ...extended(state, now), status: 'aborted' });
const controlAnswer = (state: LiveState, detail: string, status: LiveStatus = state.status): Result<ControlAnswer> =>
  ok({ status, detail, expires_at: new Date(state.expiresAt).toISOString() });
const finalized = (): Result<never> => fail('SESSION_FINALIZED');

/**
 * An accepted chunk. It contains everything that the chunk changes in the state, so the state itself is not stored
 * again.
 */
export interface AcceptedChunk {
  seq: number;
  /** Bytes of the session so far, including this chunk. */
  receivedBytes: number;
  /** Unix time, ms. */
  acceptedAt: number;
}

/** The state after an accepted chunk. An accepted chunk and a keepalive both extend the expiry. */
export const afterChunk = (state: LiveState, { seq, receivedBytes, acceptedAt }: AcceptedChunk): LiveState => ({
  ...extended(state, acceptedAt),
  status: 'ingesting',
  nextChunkSeq: seq + 1,
  receivedBytes,
});

const chunk: Move<'chunk'> = (state, { seq, bytes, idempotencyKey, earlier }, now) => {
  // A chunk with the `Idempotency-Key` of the accepted chunk gets the first response again.
  if (earlier && idempotencyKey !== null && earlier.idempotencyKey === idempotencyKey) {
    return stay(state, ok({ received_bytes: earlier.receivedBytes, next_chunk_seq: seq + 1 }));
  }
  if (!isOpen(state)) return stay(state, finalized());
  if (seq !== state.nextChunkSeq)
    return stay(state, fail('WRONG_CHUNK_SEQ', `Expected chunk_seq=${state.nextChunkSeq}`));
  if (bytes === 0) return stay(state, fail('EMPTY_CHUNK'));
  const receivedBytes = state.receivedBytes + bytes;
  if (receivedBytes > state.maxBytes) {
    return stay(
      state,
      fail('FILE_TOO_LARGE', `The media of this session exceeds its limit of ${state.maxBytes} bytes`),
    );
  }
  const accepted = { seq, receivedBytes, acceptedAt: now };
  const effects: Effect[] = [{ type: 'store_chunk', accepted }, { type: 'feed' }];
  if (state.status === 'waiting_media') effects.push(status('ingesting', 0));
  return {
    answer: ok({ received_bytes: receivedBytes, next_chunk_seq: seq + 1 }),
    state: afterChunk(state, accepted),
    effects,
  };
};

const keepalive: Move<'keepalive'> = (state, _, now) => {
  if (!isOpen(state)) return stay(state, finalized());
  const next = extended(state, now);
  return stay(next, controlAnswer(next, 'Expiry extended'));
};

const finalize: Move<'finalize'> = (state, _, now) => {
  if (!isOpen(state)) return stay(state, finalized());
  const empty = state.nextChunkSeq === 0;
  const next: LiveState = empty ? aborted(state, now) : { ...extended(state, now), status: 'processing' };
  const end = error('NO_UTTERANCES', 'No utterances detected in uploaded media');
  return {
    answer: controlAnswer(next, 'Ingest stopped, final processing started', 'processing'),
    state: next,
    effects: [status('processing', 0), ...(empty ? [end, { type: 'stop' } as const] : [{ type: 'feed' } as const])],
  };
};

const cancel: Move<'cancel'> = (state, { reason }, now) => {
  if (!isOpen(state)) return stay(state, finalized());
  const message = reason || 'Session cancelled by client';
  const next = aborted(state, now);
  return {
    answer: controlAnswer(next, message),
    state: next,
    effects: [error('STREAM_FAILURE', message), { type: 'stop' }],
  };
};

const attach: Move<'attach'> = (state) => stay(state, ok(null));

const progressed: Move<'progressed'> = (state, { progress, expectedS }) =>
  // Only `completed` reports 1.
  state.status === 'processing'
    ? { answer: ok(null), state, effects: [status('processing', Math.min(progress, 0.99), expectedS)] }
    : stay(state, ok(null));

const concluded: Move<'concluded'> = (state, { conversationId, events }, now) => {
  if (state.status !== 'processing') return stay(state, finalized());
  const done: ServiceEvent = { event: 'done', data: { conversation_id: conversationId } };
  return {
    answer: ok(null),
    state: { ...extended(state, now), status: 'completed' },
    effects: [...events.map(emit), status('completed', 1), emit(done), { type: 'stop' }],
  };
};

const failed: Move<'failed'> = (state, { code, message, keptAs }, now) => {
  if (isEnded(state)) return stay(state, finalized());
  return { answer: ok(null), state: aborted(state, now), effects: [error(code, message, keptAs), { type: 'stop' }] };
};

const delivered: Move<'delivered'> = (state, _, now) =>
  isEnded(state)
    ? stay({ ...state, expiresAt: Math.min(state.expiresAt, now + state.graceMs) }, ok(null))
    : stay(state, ok(null));

const displaced: Move<'displaced'> = (state) =>
  needsPipeline(state) && !state.isDisplaced
    ? { answer: ok(null), state: { ...state, isDisplaced: true }, effects: [status('waiting_capacity', 0)] }
    : stay(state, ok(null));

const placed: Move<'placed'> = (state) => {
  if (!state.isDisplaced) return stay(state, ok(null));
  const next = { ...state, isDisplaced: false };
  const { status: phase } = state;
  const isOn = phase === 'ingesting' || phase === 'processing';
  return { answer: ok(null), state: next, effects: isOn ? [status(phase, 0)] : [] };
};

const tick: Move<'tick'> = (state, _, now) => {
  if (now < state.expiresAt) return stay(state, ok(null));
  const { conversationId, isExpired, receivedBytes } = state;
  const handedOn = { ...state, status: 'aborted', isExpired: true, expiresAt: now + AGAIN_MS } as const;
  if (isExpired) return { answer: ok(null), state: handedOn, effects: [{ type: 'hand_on' }] };
  // Final processing does not expire: it ends with a result or a failure.
  if (state.status === 'processing') return stay(extended(state, now), ok(null));
  if (isEnded(state)) return { answer: ok(null), state, effects: [{ type: 'remove' }] };
  const isRetained = receivedBytes > 0 && conversationId !== undefined;
  const expired: ServiceEvent = { event: 'status', data: { phase: 'expired', progress: 0, retained: isRetained } };
  const told = [emit(expired), error('STREAM_FAILURE', 'Session expired', isRetained ? conversationId : undefined)];
  return isRetained
    ? { answer: ok(null), state: handedOn, effects: [...told, { type: 'stop' }, { type: 'hand_on' }] }
    : {
        answer: ok(null),
        state: { ...state, status: 'aborted' },
        effects: [...told, { type: 'stop' }, { type: 'remove' }],
      };
};

const MOVES: { [T in CommandName]: Move<T> } = {
  chunk,
  keepalive,
  finalize,
  cancel,
  attach,
  progressed,
  concluded,
  failed,
  displaced,
  placed,
  delivered,
  tick,
};

/** The state of a new session, and its first events. */
export function open(
  options: Pick<LiveState, 'maxBytes' | 'ttlMs' | 'graceMs' | 'conversationId'>,
  now: number,
): { state: LiveState; effects: Effect[] } {
  const state: LiveState = {
    status: 'waiting_media',
    nextChunkSeq: 0,
    receivedBytes: 0,
    maxBytes: options.maxBytes,
    ttlMs: options.ttlMs,
    graceMs: options.graceMs,
    expiresAt: now + options.ttlMs,
    conversationId: options.conversationId,
  };
  return { state, effects: [status('starting', 0), status('waiting_media', 0)] };
}

/** Commands that also apply to an expired session. */
const TIMELESS: readonly CommandName[] = ['tick', 'delivered'];

/**
 * Performs one step. If the session expires before the command, the expiry is applied first, and the command then finds
 * no session.
 */
export function step<T extends CommandName>(
  state: LiveState,
  command: Command<T>,
  now: number,
): Transition<Answers[T]> {
  const expired = state.isExpired || (now >= state.expiresAt && state.status !== 'processing');
  if (!expired || TIMELESS.includes(command.type)) return MOVES[command.type](state, command, now);
  return { ...tick(state, { type: 'tick' }, now), answer: fail('UNKNOWN_SESSION') };
}

/** Whether the pipeline has work to do for a session in this state. */
export const needsPipeline = (state: LiveState): boolean =>
  state.status === 'ingesting' || state.status === 'processing';
