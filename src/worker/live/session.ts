import { DurableObject } from 'cloudflare:workers';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { ChunkAccepted, Control, ControlAnswer, LiveSessionBody } from '../../contract/live.ts';
import { ndjsonLine } from '../../contract/ndjson.ts';
import { AnalysisOptionsSchema } from '../../contract/options.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { closingEvents } from '../analysis/closing.ts';
import { languageModel } from '../analysis/language-model.ts';
import { pipelineOptions } from '../analysis/options.ts';
import { Refinement } from '../analysis/refinement.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { SSE_HEADERS } from '../http/sse.ts';
import type { CallerName } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { checkIntervalMs, isStillValid } from '../keys/key-validity.ts';
import { Tally } from '../metrics/metrics.ts';
import { pipelineHosts } from '../pipeline/hosts.ts';
import { storeDocuments } from '../pipeline/store-documents.ts';
import { type ArtifactKeys, CONTENT_TYPES, removeArtifacts } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { uploadedSource } from '../tenant/jobs/job.ts';
import { keptError } from '../tenant/jobs/retained-upload.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { carryLive, type LiveListener } from './analysis.ts';
import { Consumer } from './consumer.ts';
import { PipelineFeed } from './feed.ts';
import { SessionLog, type SessionOptions, type StoredSession } from './log.ts';
import { begunBy, keysOf, outcomeOf, sessionBody } from './session-records.ts';
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

/** While the pipeline works, an alarm wakes the object so often: whoever evicted it, the work goes on. */
const WATCH_MS = 15_000;

const UNKNOWN: Result<never> = fail('UNKNOWN_SESSION');

/** One chunk as it came. */
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

/** A session that is about to end is asked again after so long, s. */
const RETRY_AFTER_S = 1;

/**
 * A live session: loads, asks the state machine, performs what it says, stores. Methods return a `Result`, since an
 * error thrown across RPC loses its code. What they check and what they write happens without a wait in between.
 */
export class LiveSession extends DurableObject<Env> {
  readonly #log: SessionLog;
  readonly #consumer: Consumer;
  readonly #store: ObjectStore;
  #session: StoredSession | null;
  #feed: PipelineFeed | null = null;
  #alarmAt = Number.POSITIVE_INFINITY;
  /** Whose key the consumer's is. */
  #reader: CallerName | null = null;
  /** Its result, or what is left of it, is being stored: nothing more comes in, and nobody but its client ends it. */
  #isKeeping = false;
  /** When the keys were last looked at, Unix time, ms. */
  #lookedAt = Date.now();
  /** Length of the sound, once all of it is analysed. */
  #audioSeconds: number | null = null;
  #tally = new Tally();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#log = new SessionLog(ctx.storage);
    this.#store = mediaStore(env);
    this.#session = this.#log.load();
    this.#consumer = new Consumer(
      (cursor, limit) => (this.#session ? this.#log.eventsAfter(cursor, limit) : null),
      () => this.#apply({ type: 'delivered' }),
    );
    this.#work();
  }

  /** One that was started already, by the same request sent twice, stays as it is. */
  async start(
    options: SessionOptions,
    limits: Pick<LiveState, 'maxBytes' | 'ttlMs' | 'graceMs'>,
  ): Promise<LiveSessionBody> {
    if (!this.#session) {
      const { state, effects } = open(limits, Date.now());
      this.#session = { options, state };
      this.#log.create(this.#session);
      this.#perform(effects);
    }
    const started = this.#session;
    // Whoever has the session finds it listed.
    await this.#conversations.begin(begunBy(started.options));
    return sessionBody(started.options, started.state);
  }

  /** The session as its start answered it, as it stands now. */
  read(tenant: string): Result<LiveSessionBody> {
    if (!this.#session || !this.#belongsTo(tenant)) return UNKNOWN;
    return ok(sessionBody(this.#session.options, this.#session.state));
  }

  chunk(tenant: string, upload: ChunkUpload): Result<ChunkAccepted> {
    const { seq, bytes, idempotencyKey } = upload;
    if (!this.#belongsTo(tenant)) return UNKNOWN;
    if (Date.now() - this.#lookedAt >= checkIntervalMs(this.env)) this.ctx.waitUntil(this.#lookAtKeys());
    const earlier = idempotencyKey === null ? null : this.#log.earlierChunk(seq);
    // What is acknowledged now would not be in it.
    if (this.#isKeeping && this.#session?.state.status === 'ingesting' && !earlier)
      return { ...fail('OVERLOADED', 'The session is about to end'), retryAfter: RETRY_AFTER_S };
    return this.#apply({ type: 'chunk', seq, bytes: bytes.length, idempotencyKey, earlier }, upload);
  }

  control(tenant: string, { action, reason }: Control): Result<ControlAnswer> {
    if (!this.#belongsTo(tenant)) return UNKNOWN;
    return this.#apply({ type: action, reason });
  }

  /** Whether the session still counts against its tenant's limit. */
  isOpen(): boolean {
    const status = this.#session?.state.status;
    return status !== undefined && status !== 'completed' && status !== 'aborted';
  }

  /**
   * The events: a stream cannot cross RPC without trouble, so they are fetched. A refusal is a Result as JSON. For a client
   * whose `X-Method` is HEAD the headers are answered as for GET, and nobody is attached.
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
    // The wait may have outlived the session; from here on there is none.
    if (!this.#belongsTo(tenant)) return Response.json(UNKNOWN);
    const answer = this.#apply({ type: 'attach' });
    if (!answer.ok) return Response.json(answer);
    // 204 is how a server tells an EventSource that there is nothing more to come back for.
    if (this.#log.isPastTheEnd(cursor)) return new Response(null, { status: 204 });
    const last = this.#log.lastEvent();
    if (cursor > last) return Response.json(fail('INVALID_REQUEST', `Last-Event-ID: the last event so far is ${last}`));
    if (request.headers.get('X-Method') === 'HEAD') return new Response(null, { headers: SSE_HEADERS });
    this.#reader = reader;
    this.#arm();
    return this.#consumer.attach(cursor, request.signal);
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    if (!this.#session) return;
    this.#apply({ type: 'tick' });
    this.#work();
    await this.#lookAtKeys();
    this.#arm();
    await this.#count();
  }

  /** Who hears what the pipeline's lines come to. */
  #listener(): LiveListener {
    return {
      tell: (event) => this.#perform([{ type: 'emit', event }]),
      utterance: (latencyMs) => this.#tally.utterance(latencyMs),
      progress: (progress) => void this.#apply({ type: 'progressed', progress }),
      keep: async (result, reader, refined, last) => {
        const { options, state } = this.#session!;
        const keys = keysOf(options);
        this.#isKeeping = true;
        try {
          await this.#store.put(keys.upload, this.#log.media(state.receivedBytes));
          await this.#storeEvents(keys, [...last, ...closingEvents(options.conversationId)]);
          await storeDocuments(this.#store, keys, result, reader, refined);
          this.#audioSeconds = result.audio_seconds;
          // Whoever hears the end finds it listed. It was ended meanwhile, or deleted: what it left was taken away before this came.
          const isListed =
            this.isOpen() && (await this.#conversations.end(options.conversationId, { status: 'completed' }));
          if (!isListed) {
            await removeArtifacts(this.#store, keys);
            throw new ServiceError('CANCELLED');
          }
        } finally {
          this.#isKeeping = false;
        }
      },
      concluded: (last) => {
        const { conversationId } = this.#session!.options;
        this.#apply({ type: 'concluded', conversationId, events: last });
      },
    };
  }

  /** Writes what was told and is about to be, numbered as the consumer gets it. */
  async #storeEvents({ events }: ArtifactKeys, last: readonly ServiceEvent[]): Promise<void> {
    const next = this.#log.lastEvent() + 1;
    const ending = last.map(({ event, data }, i) => ndjsonLine({ id: next + i, event, data }));
    await this.#store.put(events, this.#log.eventLines() + ending.join(''), {
      contentType: CONTENT_TYPES['events.ndjson'],
    });
  }

  #belongsTo(tenant: string): boolean {
    return this.#session?.options.tenant === tenant;
  }

  /** @param chunk what a chunk's command is about */
  #apply<T extends CommandName>(command: Command<T>, chunk?: ChunkUpload): Result<Answers[T]> {
    if (!this.#session) return UNKNOWN;
    const { answer, state, effects } = step(this.#session.state, command, Date.now());
    if (state !== this.#session.state) {
      this.#session = { ...this.#session, state };
      this.#log.saveState(state);
    }
    if (chunk && effects.some((effect) => effect.type === 'store_chunk')) {
      this.#log.addChunk(chunk.seq, chunk.bytes, state.receivedBytes, chunk.idempotencyKey);
    }
    this.#perform(effects);
    return answer;
  }

  #perform(effects: Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'emit') this.#emit(effect.event);
      else if (effect.type === 'feed') this.#work();
      else if (effect.type === 'stop') this.#stop();
      else if (effect.type === 'remove') this.#remove();
    }
    this.#arm();
  }

  #emit(event: ServiceEvent): void {
    this.#log.addEvent(event);
    this.#tally.event(event);
    this.#consumer.notify();
  }

  /** Tells the pipeline what is new; begins to, when nobody does. */
  #work(): void {
    if (!this.#session || !needsPipeline(this.#session.state)) return;
    if (this.#feed) {
      this.#feed.wake();
      return;
    }
    const { options } = this.#session;
    const refinement = new Refinement(languageModel(this.env, options.goal));
    const hosts = pipelineHosts(this.env, options.sessionId);
    const asked = pipelineOptions(
      { ...options, runId: options.conversationId, keys: keysOf(options) },
      refinement.isWanted,
    );
    const feed = new PipelineFeed(hosts, options, asked, {
      chunk: (seq) => this.#log.chunk(seq),
      isFinalized: () => this.#session?.state.status === 'processing',
    });
    this.#feed = feed;
    const reading = feed.run((reader) => carryLive(reader, this.#log.lastingEvents(), refinement, this.#listener()));
    this.ctx.waitUntil(reading.catch((error: unknown) => this.#fail(error)));
  }

  async #fail(error: unknown): Promise<void> {
    if (!this.#session) return;
    const known = asServiceError(error);
    const { options } = this.#session;
    const { conversationId, sessionId, requestId } = options;
    logFault(known, { request_id: requestId, session_id: sessionId, conversation_id: conversationId });
    // Before the session ends: an object that dies in between wakes, goes on, and comes here again.
    const told = known.status >= 500 ? await this.#keepMedia(known) : known;
    if (told.conversationId === undefined || !this.isOpen()) await this.#removeArtifacts(options);
    const { code, detail: message, conversationId: keptAs } = told;
    this.#apply({ type: 'failed', code, message, keptAs });
  }

  /** What a machine failed can be asked for again, as an upload. @returns the error that tells so, if it was stored */
  async #keepMedia(error: ServiceError): Promise<ServiceError> {
    const { options, state } = this.#session!;
    const { tenant, caller, conversationId, suffix, requestId = '' } = options;
    if (!caller) return error;
    this.#isKeeping = true;
    const source = uploadedSource(suffix, state.receivedBytes);
    const request = {
      tenant,
      caller,
      runId: conversationId,
      requestId,
      sent: { mode: 'batch', filename: '' } as const,
      source,
      options: AnalysisOptionsSchema.parse(options),
    };
    try {
      await this.#store.put(keysOf(options).upload, this.#log.media(state.receivedBytes));
      const jobs = () => tenantOf(this.env, tenant).jobs;
      if (!(await jobs().keepFailed(request, { code: error.code, message: error.detail }))) return error;
      // It was ended meanwhile by its client, who wants nothing to stay.
      if (!this.isOpen()) await jobs().remove(conversationId);
    } catch (cause) {
      logFault(asServiceError(cause), { session_id: options.sessionId, conversation_id: conversationId });
      return error;
    }
    return keptError(this.env, error, conversationId);
  }

  async #removeArtifacts(options: SessionOptions): Promise<void> {
    const { conversationId, sessionId } = options;
    await removeArtifacts(this.#store, keysOf(options)).catch((cause: unknown) =>
      logFault(asServiceError(cause), { session_id: sessionId, conversation_id: conversationId }),
    );
  }

  /** A key that is revoked or expired ends what was begun with it, whoever goes on with it. */
  async #lookAtKeys(): Promise<void> {
    this.#lookedAt = Date.now();
    const [reader, opener] = [this.#reader, this.#session?.options.caller];
    const [isReading, isOpener] = await Promise.all(
      [reader, opener].map((key) => !key || isStillValid(this.env, key).catch(() => true)),
    );
    if (!isReading && this.#reader === reader) this.#consumer.drop();
    if (isOpener || !this.#session || !this.isOpen() || this.#isKeeping) return;
    const { options } = this.#session;
    this.#apply({ type: 'failed', code: 'INVALID_KEY', message: 'The key of this session stands no more' });
    await this.#removeArtifacts(options);
  }

  get #conversations() {
    return tenantOf(this.env, this.#session!.options.tenant).conversations;
  }

  /** The work ends, and the session no longer counts. */
  #stop(): void {
    const { tenant, sessionId, caller } = this.#session!.options;
    const seconds = this.#audioSeconds ?? this.#log.heardSeconds();
    const left = tenantOf(this.env, tenant).leaveSession(sessionId, caller?.keyId, seconds);
    this.ctx.waitUntil(Promise.allSettled([this.#feed?.stop(), left, this.#count(), this.#tellEnd()]));
    this.#feed = null;
  }

  /** The catalogue and webhooks hear of the end, once, however often they are told: when it comes, and before it is forgotten. */
  async #tellEnd(): Promise<void> {
    const ending = this.#log.ending();
    if (!ending || !this.#session) return;
    const { options, state } = this.#session;
    const { tenant, conversationId: conversation_id } = options;
    const { webhooks, conversations } = tenantOf(this.env, tenant);
    const outcome = outcomeOf(ending);
    // A session in which nothing was said never was.
    if (state.receivedBytes === 0) await conversations.drop(conversation_id);
    else await conversations.end(conversation_id, outcome);
    const error = outcome.status === 'failed' && { code: outcome.code, message: outcome.message };
    await webhooks.sendOnce(`analysis.${outcome.status}`, { conversation_id, ...(error && { error }) });
  }

  #remove(): void {
    this.ctx.waitUntil(this.#tellEnd().catch(() => undefined));
    this.#consumer.drain();
    this.#session = null;
    this.ctx.waitUntil(this.#log.remove());
  }

  async #count(): Promise<void> {
    const tally = this.#tally;
    this.#tally = new Tally();
    await tally.flush(this.env);
  }

  /** An alarm that is early only looks again; so it is set anew only when it must come sooner. */
  #arm(): void {
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

/** The number of the last event a client has; -1 for a client that has none, null for what is no number of an event. */
const cursorOf = (lastEventId: string): number | null => {
  if (lastEventId === '') return -1;
  const number = /^\d+$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
};
