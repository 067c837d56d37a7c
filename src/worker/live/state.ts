import type { ErrorCode } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { ChunkAccepted, ControlAnswer, LiveStatus } from '../../contract/live.ts';
import { fail, ok, type Result } from '../../contract/result.ts';

/**
 * A live session's state machine: one pure function, (state, command, now) -> answer, next state, effects.
 * Its tests are the rows of the specification's state table and the decisions' "Behaviour".
 *
 *   waiting_media --first chunk--> ingesting --finalize--> processing --concluded--> completed
 *        any open state --cancel, expiry--> aborted        processing --failed--> aborted
 */
export interface LiveState {
  status: LiveStatus;
  nextChunkSeq: number;
  receivedBytes: number;
  /** Most bytes the session takes. */
  maxBytes: number;
  ttlMs: number;
  /** How long a finished session waits for a consumer that was cut off in its last second. */
  graceMs: number;
  /** Unix time, ms: an open session aborts then, an ended one is removed then. */
  expiresAt: number;
}

/** What an earlier chunk was answered, for a repeat with the same `Idempotency-Key`. */
export interface EarlierChunk {
  idempotencyKey: string | null;
  receivedBytes: number;
}

/** What may happen to a session, by name, and what is told with it. */
interface Commands {
  chunk: { seq: number; bytes: number; idempotencyKey: string | null; earlier: EarlierChunk | null };
  finalize: object;
  cancel: { reason?: string | undefined };
  keepalive: object;
  /** A consumer wants the events. */
  attach: object;
  /** Final processing moved on; 0..1. */
  progressed: { progress: number };
  /** Everything is analysed and its artifacts are stored. */
  concluded: { conversationId: string; events: readonly ServiceEvent[] };
  /** `keptAs`: the conversation as which its media can be asked for again. */
  failed: { code: ErrorCode; message: string; keptAs?: string | undefined };
  /** The terminal event left for the consumer. */
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
  delivered: null;
  tick: null;
}

export type Effect =
  | { type: 'store_chunk' }
  | { type: 'emit'; event: ServiceEvent }
  /** The pipeline has something new to be told. */
  | { type: 'feed' }
  /** The pipeline's work on the session ends. */
  | { type: 'stop' }
  /** Nothing of the session stays stored. */
  | { type: 'remove' };

export interface Transition<T> {
  answer: Result<T>;
  state: LiveState;
  effects: Effect[];
}

type Move<T extends CommandName> = (state: LiveState, command: Command<T>, now: number) => Transition<Answers[T]>;

const emit = (event: ServiceEvent): Effect => ({ type: 'emit', event });
const status = (phase: 'starting' | Exclude<LiveStatus, 'aborted'>, progress: number): Effect =>
  emit({ event: 'status', data: { phase, progress } });
const error = (code: ErrorCode, message: string, keptAs?: string): Effect =>
  emit({ event: 'error', data: { code, message, ...(keptAs !== undefined && { conversation_id: keptAs }) } });

const isOpen = (state: LiveState): boolean => state.status === 'waiting_media' || state.status === 'ingesting';
const isEnded = (state: LiveState): boolean => state.status === 'completed' || state.status === 'aborted';

const stay = <T>(state: LiveState, answer: Result<T>): Transition<T> => ({ answer, state, effects: [] });
const extended = (state: LiveState, now: number): LiveState => ({ ...state, expiresAt: now + state.ttlMs });
const aborted = (state: LiveState, now: number): LiveState => ({ ...extended(state, now), status: 'aborted' });
const controlAnswer = (state: LiveState, detail: string, said: LiveStatus = state.status): Result<ControlAnswer> =>
  ok({ status: said, detail, expires_at: new Date(state.expiresAt).toISOString() });
const finalized = (): Result<never> => fail('SESSION_FINALIZED');

const chunk: Move<'chunk'> = (state, { seq, bytes, idempotencyKey, earlier }, now) => {
  // With an `Idempotency-Key` header equal to that of the accepted chunk, the first answer is repeated instead.
  if (earlier && idempotencyKey !== null && earlier.idempotencyKey === idempotencyKey) {
    return stay(state, ok({ received_bytes: earlier.receivedBytes, next_chunk_seq: seq + 1 }));
  }
  if (!isOpen(state)) return stay(state, finalized());
  if (seq !== state.nextChunkSeq)
    return stay(state, fail('WRONG_CHUNK_SEQ', `Expected chunk_seq=${state.nextChunkSeq}`));
  if (bytes === 0) return stay(state, fail('EMPTY_CHUNK'));
  const receivedBytes = state.receivedBytes + bytes;
  if (receivedBytes > state.maxBytes) {
    return stay(state, fail('FILE_TOO_LARGE', `A live session takes at most ${state.maxBytes} bytes`));
  }
  const effects: Effect[] = [{ type: 'store_chunk' }, { type: 'feed' }];
  if (state.status === 'waiting_media') effects.push(status('ingesting', 0));
  return {
    answer: ok({ received_bytes: receivedBytes, next_chunk_seq: seq + 1 }),
    // An accepted chunk and a keepalive both extend the expiry.
    state: { ...extended(state, now), status: 'ingesting', nextChunkSeq: seq + 1, receivedBytes },
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
  const said = reason || 'Session cancelled by client';
  const next = aborted(state, now);
  return { answer: controlAnswer(next, said), state: next, effects: [error('STREAM_FAILURE', said), { type: 'stop' }] };
};

const attach: Move<'attach'> = (state) => stay(state, ok(null));

const progressed: Move<'progressed'> = (state, { progress }) =>
  // `completed` alone says 1.
  state.status === 'processing'
    ? { answer: ok(null), state, effects: [status('processing', Math.min(progress, 0.99))] }
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

const tick: Move<'tick'> = (state, _, now) => {
  if (now < state.expiresAt) return stay(state, ok(null));
  // Final processing has nobody to wait for: it ends by itself, with an answer or a failure.
  if (state.status === 'processing') return stay(extended(state, now), ok(null));
  if (isEnded(state)) return { answer: ok(null), state, effects: [{ type: 'remove' }] };
  return {
    answer: ok(null),
    state: { ...state, status: 'aborted' },
    effects: [error('STREAM_FAILURE', 'Session expired'), { type: 'stop' }, { type: 'remove' }],
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
  delivered,
  tick,
};

/** What a new session is, and the events it opens with. */
export function open(
  options: Pick<LiveState, 'maxBytes' | 'ttlMs' | 'graceMs'>,
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
  };
  return { state, effects: [status('starting', 0), status('waiting_media', 0)] };
}

/** What happens whether or not the time has run out. */
const TIMELESS: readonly CommandName[] = ['tick', 'delivered'];

/** One step. Time that ran out before the command came counts first: the command then meets no session. */
export function step<T extends CommandName>(
  state: LiveState,
  command: Command<T>,
  now: number,
): Transition<Answers[T]> {
  const expired = now >= state.expiresAt && state.status !== 'processing';
  if (!expired || TIMELESS.includes(command.type)) return MOVES[command.type](state, command, now);
  return { ...tick(state, { type: 'tick' }, now), answer: fail('UNKNOWN_SESSION') };
}

/** Whether the pipeline has work to do for a session in this state. */
export const needsPipeline = (state: LiveState): boolean =>
  state.status === 'ingesting' || state.status === 'processing';
