import { DurableObject } from 'cloudflare:workers';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { ChunkAccepted, Control, ControlAnswer, LiveSessionBody } from '../../contract/live.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { languageModel } from '../analysis/language-model.ts';
import { pipelineOptions } from '../analysis/options.ts';
import { Refinement } from '../analysis/refinement.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { SSE_HEADERS } from '../http/sse.ts';
import type { CallerName } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { checkIntervalMs, isStillValid } from '../keys/key-validity.ts';
import { Tally } from '../metrics/metrics.ts';
import { settingsOf } from '../settings/settings.ts';
import { mediaStore } from '../storage/media-store.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import { redacts } from '../tenant/jobs/job.ts';
import { retainedError } from '../tenant/jobs/retained-upload.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { type LiveListener, readLive } from './analysis.ts';
import { Consumer } from './consumer.ts';
import { PipelineFeed } from './feed.ts';
import { SessionLog, type SessionOptions, type StoredSession } from './log.ts';
import { SessionObjects } from './session-objects.ts';
import { SessionPlace } from './session-place.ts';
import { conversationOfSession, keysOf, outcomeOf, sessionBody } from './session-records.ts';
import { SessionRules } from './session-rules.ts';
import {
  type Answers,
  type Command,
  type CommandName,
  type Effect,
  type LiveState,
  needsPipeline,
  open,
  step,
} from './state.ts';

/** Interval of alarms while the pipeline works, ms. After an eviction, an alarm resumes the work. */
const WATCH_MS = 15_000;

const UNKNOWN: Result<never> = fail('UNKNOWN_SESSION');

/** A chunk with the parameters of its request. */
export interface ChunkUpload {
  seq: number;
  bytes: Uint8Array;
  idempotencyKey: string | null;
}

declare module '../identity/env.ts' {
  interface Env {
    LIVE: DurableObjectNamespace<LiveSession>;
  }
}

/** `Retry-After` for a session that is about to end, s. */
const RETRY_AFTER_S = 1;

/**
 * A live session. It wraps the state machine: it loads and stores the state and performs the effects. Its methods
 * return a `Result`, since an error thrown across RPC loses its code. They check and write without awaiting in between.
 * The rules of a session are in `state.ts`, its stored rows in `log.ts`; only effects are here.
 */
export class LiveSession extends DurableObject<Env> {
  readonly #log: SessionLog;
  readonly #consumer: Consumer;
  readonly #objects: SessionObjects;
  #session: StoredSession | null;
  #feed: PipelineFeed | null = null;
  #place: SessionPlace | null = null;
  /** The rules of the tenant, once they are loaded. */
  #rules: SessionRules | null = null;
  #alarmAt = Number.POSITIVE_INFINITY;
  /** The key of the consumer. */
  #reader: CallerName | null = null;
  /**
   * Whether the result or the media is being stored. During this time chunks are refused, and only the client can end
   * the session.
   */
  #isStoring = false;
  /** When the keys were last checked, Unix time, ms. */
  #checkedAt = Date.now();
  /** Length of the audio, seconds; null until all of it has been analysed. */
  #audioSeconds: number | null = null;
  /** How far the pipeline is behind the audio that it has received, s. */
  #behindSeconds = 0;
  #tally = new Tally();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new SessionLog(ctx.storage);
    this.#objects = new SessionObjects(env, this.#log);
    this.#session = this.#log.load();
    this.#consumer = new Consumer(
      (cursor, limit) => (this.#session ? this.#log.eventsAfter(cursor, limit) : null),
      () => this.#apply({ type: 'delivered' }),
    );
    this.#feedPipeline();
  }

  /**
   * Starts the session. A session that the same request has already started is left unchanged. So is a session that has
   * ended, because its conversation may have been deleted and must not reappear.
   */
  async start(
    options: SessionOptions,
    limits: Pick<LiveState, 'maxBytes' | 'ttlMs' | 'graceMs'>,
  ): Promise<Result<LiveSessionBody>> {
    if (this.#session && !(this.#belongsTo(options.tenant) && this.isOpen())) return this.read(options.tenant);
    if (!this.#session) {
      const { conversationId } = options;
      const { state, effects } = open({ ...limits, conversationId }, Date.now());
      this.#session = { options, state };
      this.#log.create(this.#session);
      this.#perform(effects);
    }
    const started = this.#session;
    // The session is listed before its client learns its id.
    await this.#conversations.begin(conversationOfSession(started.options));
    return ok(this.#body(started));
  }

  /** The current state, in the form of the response to a start. */
  read(tenant: string): Result<LiveSessionBody> {
    if (!this.#session || !this.#belongsTo(tenant)) return UNKNOWN;
    return ok(this.#body(this.#session));
  }

  chunk(tenant: string, upload: ChunkUpload): Result<ChunkAccepted> {
    const { seq, bytes, idempotencyKey } = upload;
    if (!this.#belongsTo(tenant)) return UNKNOWN;
    if (Date.now() - this.#checkedAt >= checkIntervalMs(this.env)) this.ctx.waitUntil(this.#checkKeys());
    const earlier = idempotencyKey === null ? null : this.#log.earlierChunk(seq);
    // A chunk accepted now would be missing from the stored recording.
    if (this.#isStoring && this.#session?.state.status === 'ingesting' && !earlier)
      return { ...fail('OVERLOADED', 'The session is closing; try again'), retryAfter: RETRY_AFTER_S };
    return this.#apply({ type: 'chunk', seq, bytes: bytes.length, idempotencyKey, earlier }, upload);
  }

  control(tenant: string, { action, reason }: Control): Result<ControlAnswer> {
    if (!this.#belongsTo(tenant)) return UNKNOWN;
    if (action === 'finalize') this.#observeLag();
    const answer = this.#apply({ type: action, reason });
    if (action === 'finalize' && answer.ok && this.#place) this.ctx.waitUntil(this.#place.concludes());
    return answer;
  }

  /** Whether the session counts towards its tenant's limit. */
  isOpen(): boolean {
    const status = this.#session?.state.status;
    return status !== undefined && status !== 'completed' && status !== 'aborted';
  }

  /**
   * Streams the events. It is called through `fetch`, because streams are unreliable over RPC. A refusal is a Result as
   * JSON. With `X-Method: HEAD`, the response has the headers of a GET and no consumer is attached.
   */
  override async fetch(request: Request): Promise<Response> {
    const reader: CallerName = JSON.parse(request.headers.get('X-Caller') ?? '{}');
    const { tenant } = reader;
    if (!this.#belongsTo(tenant)) return Response.json(UNKNOWN);
    const cursor = cursorOf(request.headers.get('Last-Event-ID') ?? '');
    if (cursor === null)
      return Response.json(fail('INVALID_REQUEST', 'Last-Event-ID: must be the id of an event, in decimal digits'));
    if (!(await this.#consumer.isFree())) {
      return Response.json(fail('CONSUMER_ATTACHED'));
    }
    // The session may have ended during the wait. From here on, nothing is awaited.
    if (!this.#belongsTo(tenant)) return Response.json(UNKNOWN);
    const result = this.#apply({ type: 'attach' });
    if (!result.ok) return Response.json(result);
    // 204 stops an EventSource from reconnecting.
    if (this.#log.isPastTheEnd(cursor)) return new Response(null, { status: 204 });
    const last = this.#log.lastEvent();
    if (cursor > last) return Response.json(fail('INVALID_REQUEST', `Last-Event-ID: the latest event is ${last}`));
    if (request.headers.get('X-Method') === 'HEAD') return new Response(null, { headers: SSE_HEADERS });
    this.#reader = reader;
    this.#setAlarm();
    const response = this.#consumer.attach(cursor, request.signal);
    response.headers.set('X-Conversation', this.#session?.options.conversationId ?? '');
    return response;
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    if (!this.#session) return;
    this.#apply({ type: 'tick' });
    this.#feedPipeline();
    this.#observeLag();
    await this.#checkKeys();
    this.#setAlarm();
    await this.#flushTally();
  }

  #listener(): LiveListener {
    return {
      event: (event) => {
        const matches = this.#rules?.take(event) ?? [];
        this.#perform([event, ...matches].map((one) => ({ type: 'emit', event: one })));
      },
      moving: () => this.#feed?.move(),
      behind: (seconds) => {
        this.#behindSeconds = seconds;
      },
      transcription: (line) => this.#log.addTranscription(line),
      utterance: (latencyMs) => {
        this.#tally.utterance(latencyMs);
        this.#tally.observe('live_final_seconds', latencyMs / 1000);
      },
      progress: (progress, expectedS) => void this.#apply({ type: 'progressed', progress, expectedS }),
      store: async (result, reader, refined, last) => {
        const session = this.#session!;
        const { conversationId } = session.options;
        this.#isStoring = true;
        try {
          await this.#objects.storeResult(session, result, reader, refined, last);
          this.#audioSeconds = result.audio_seconds;
          // The result is listed before `completed` is sent. A session that was ended or deleted in the meantime is not
          // listed.
          const isListed = this.isOpen() && (await this.#conversations.end(conversationId, { status: 'completed' }));
          if (!isListed) {
            await removeArtifacts(mediaStore(this.env), keysOf(session.options));
            throw new ServiceError('CANCELLED');
          }
        } finally {
          this.#isStoring = false;
        }
      },
      concluded: (last) => {
        const { conversationId } = this.#session!.options;
        this.#apply({ type: 'concluded', conversationId, events: last });
        this.#log.forgetTranscriptions();
        if (redacts({ options: this.#session!.options })) this.#log.forgetMedia();
      },
    };
  }

  #body({ options, state }: StoredSession): LiveSessionBody {
    return sessionBody(options, state, settingsOf(this.env).liveChunkMs);
  }

  #belongsTo(tenant: string): boolean {
    return this.#session?.options.tenant === tenant;
  }

  /** @param chunk the chunk of a `chunk` command */
  #apply<T extends CommandName>(command: Command<T>, chunk?: ChunkUpload): Result<Answers[T]> {
    if (!this.#session) return UNKNOWN;
    const { answer, state, effects } = step(this.#session.state, command, Date.now());
    const stored = effects.find((effect) => effect.type === 'store_chunk');
    if (chunk && stored) this.#log.addChunk(stored.accepted, chunk.bytes, chunk.idempotencyKey);
    else if (state !== this.#session.state) this.#log.saveState(state);
    this.#session = { ...this.#session, state };
    this.#perform(effects);
    return answer;
  }

  #perform(effects: Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'emit') this.#emit(effect.event);
      else if (effect.type === 'feed') this.#feedPipeline();
      else if (effect.type === 'stop') this.#stop();
      else if (effect.type === 'hand_on') this.ctx.waitUntil(this.#handOn());
      else if (effect.type === 'remove') this.#remove();
    }
    this.#setAlarm();
  }

  #emit(event: ServiceEvent): void {
    this.#log.addEvent(event);
    this.#tally.event(event);
    this.#consumer.notify();
  }

  /** Wakes the feed to the pipeline, or starts one. */
  #feedPipeline(): void {
    if (!this.#session || !needsPipeline(this.#session.state)) return;
    if (this.#feed) {
      this.#feed.wake();
      return;
    }
    const { options } = this.#session;
    const refinement = new Refinement(languageModel(this.env, options.goal));
    const place = this.#placeOf(options);
    const analysis = pipelineOptions(
      { ...options, runId: options.conversationId, keys: keysOf(options) },
      refinement.isWanted,
    );
    const feed = new PipelineFeed(place, options, analysis, {
      chunk: (seq) => this.#log.chunk(seq),
      acceptedAt: (seq) => this.#log.acceptedAt(seq),
      isFinalized: () => this.#session?.state.status === 'processing',
      transcriptionsAfter: (key) => this.#log.transcriptionsAfter(key),
    });
    this.#feed = feed;
    this.#place = place;
    const reading = feed.run(async (reader) => {
      this.#rules ??= await SessionRules.load(this.env, options, this.#log);
      await readLive(reader, this.#log.lastingEvents(), refinement, this.#listener());
    });
    this.ctx.waitUntil(reading.catch((error: unknown) => this.#fail(error)));
  }

  /** Observes how far the words are behind the stored audio. */
  #observeLag(): void {
    if (this.#feed && this.#session?.state.status === 'ingesting')
      this.#tally.observe('live_lag_seconds', this.#feed.unsentSeconds + this.#behindSeconds);
  }

  #placeOf({ sessionId: id, tenant, region }: SessionOptions): SessionPlace {
    const isProcessing = (): boolean => this.#session?.state.status === 'processing';
    return new SessionPlace(this.env, {
      id,
      tenant,
      region,
      kind: () => (isProcessing() ? 'conclude' : 'live'),
      weight: () => (isProcessing() ? this.#log.analysedSeconds() : 0),
      backlogS: () => (Date.now() - (this.#log.acceptedAt(0) || Date.now())) / 1000,
      onWait: () => void this.#apply({ type: 'displaced' }),
      onPlaced: () => void this.#apply({ type: 'placed' }),
    });
  }

  async #fail(error: unknown): Promise<void> {
    if (!this.#session) return;
    const known = asServiceError(error);
    const { options } = this.#session;
    const { conversationId, sessionId, requestId } = options;
    logFault(known, { request_id: requestId, session_id: sessionId, conversation_id: conversationId });
    // The media is stored first. If the object dies in between, it restarts and fails again in the same way.
    const reported = known.status >= 500 ? await this.#retainMedia(known) : known;
    if (reported.conversationId === undefined || !this.isOpen()) await this.#objects.remove(options);
    const { code, detail: message, conversationId: keptAs } = reported;
    this.#apply({ type: 'failed', code, message, keptAs });
  }

  /**
   * Retains the media after an infrastructure fault.
   * @returns the error, which contains the conversation's id if the media was stored
   */
  async #retainMedia(error: ServiceError): Promise<ServiceError> {
    const session = this.#session!;
    const { caller, conversationId } = session.options;
    if (caller) this.#isStoring = true;
    const isRetained = await this.#objects.retainMedia(session, error, () => this.isOpen());
    return isRetained ? retainedError(this.env, error, conversationId) : error;
  }

  /**
   * Disconnects the consumer if the consumer's key is no longer valid, and ends the session if the session's own key is
   * not.
   */
  async #checkKeys(): Promise<void> {
    this.#checkedAt = Date.now();
    const [reader, opener] = [this.#reader, this.#session?.options.caller];
    const [isReading, isOpener] = await Promise.all(
      [reader, opener].map((key) => !key || isStillValid(this.env, key).catch(() => true)),
    );
    if (!isReading && this.#reader === reader) this.#consumer.drop();
    if (isOpener || !this.#session || !this.isOpen() || this.#isStoring) return;
    const { options } = this.#session;
    this.#apply({
      type: 'failed',
      code: 'INVALID_KEY',
      message: 'The key that opened this session is no longer valid',
    });
    await this.#objects.remove(options);
  }

  get #conversations() {
    return tenantOf(this.env, this.#session!.options.tenant).conversations;
  }

  /** Stops the pipeline, and ends the session's admission. */
  #stop(): void {
    const { tenant, sessionId, caller } = this.#session!.options;
    // The analysis of an expired session's file counts all of its audio.
    const isCounted = !this.#session!.state.isExpired;
    const seconds = isCounted ? (this.#audioSeconds ?? this.#log.analysedSeconds()) : 0;
    const released = tenantOf(this.env, tenant).admission.leaveSession(sessionId, caller?.keyId, seconds);
    const isDone = this.#session!.state.status === 'completed';
    const left = (this.#place ?? this.#placeOf(this.#session!.options)).leave(isDone);
    this.ctx.waitUntil(Promise.allSettled([this.#feed?.stop(), left, released, this.#flushTally(), this.#reportEnd()]));
    this.#feed = null;
    this.#place = null;
  }

  /**
   * Reports the end to the catalogue and the webhooks, when the session ends and again before it is removed. A repeated
   * report has no effect.
   */
  async #reportEnd(): Promise<void> {
    const ending = this.#log.ending();
    // The analysis of an expired session's file reports its own end.
    if (!ending || !this.#session || this.#session.state.isExpired) return;
    const { options, state } = this.#session;
    const { tenant, conversationId: conversation_id } = options;
    const { webhooks, conversations } = tenantOf(this.env, tenant);
    const outcome = outcomeOf(ending);
    // A session without media is not listed.
    if (state.receivedBytes === 0) await conversations.drop(conversation_id);
    else await conversations.end(conversation_id, outcome);
    const error = outcome.status === 'failed' && { code: outcome.code, message: outcome.message };
    await webhooks.sendOnce(`analysis.${outcome.status}`, { conversation_id, ...(error && { error }) });
  }

  /** Hands the media of an expired session over to a separate analysis. An alarm repeats this until it succeeds. */
  async #handOn(): Promise<void> {
    const session = this.#session;
    if (!session || this.#isStoring) return;
    this.#isStoring = true;
    try {
      if (await this.#objects.handOn(session)) this.#remove();
    } finally {
      this.#isStoring = false;
    }
  }

  #remove(): void {
    this.ctx.waitUntil(this.#reportEnd().catch(() => undefined));
    this.#consumer.drain();
    this.#session = null;
    this.ctx.waitUntil(this.#log.remove());
  }

  async #flushTally(): Promise<void> {
    const tally = this.#tally;
    this.#tally = new Tally();
    await tally.flush(this.env);
  }

  /** Sets the alarm if this time is earlier than the current alarm. An early alarm does no harm. */
  #setAlarm(): void {
    if (!this.#session) return;
    const { state, options } = this.#session;
    const now = Date.now();
    const watch = needsPipeline(state) ? now + WATCH_MS : Number.POSITIVE_INFINITY;
    const isIssued = [options.caller, this.#reader].some((key) => key?.kind === 'issued');
    const look = isIssued && this.isOpen() ? now + checkIntervalMs(this.env) : Number.POSITIVE_INFINITY;
    const due = Math.min(state.expiresAt, watch, look);
    if (due >= this.#alarmAt) return;
    this.#alarmAt = due;
    this.ctx.waitUntil(this.ctx.storage.setAlarm(due));
  }
}

/** Number of the last event that a client has: -1 for none, null for a malformed header. */
const cursorOf = (lastEventId: string): number | null => {
  if (lastEventId === '') return -1;
  const number = /^\d+$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
};
