import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { isEnded, type RemoteFileBody } from '../../contract/jobs.ts';
import type { MediaExtension } from '../../contract/media.ts';
import { underTenant } from '../../contract/options.ts';
import { unwrapped } from '../../contract/result.ts';
import { analyzeRecording, receiveRecording } from '../analysis/recording.ts';
import { fetchRecording, nameOfRemote } from '../analysis/remote-file.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { type AdmittedAnalysis, admitAnalysis } from '../keys/admit-analysis.ts';
import { untilRevoked } from '../keys/key-validity.ts';
import type { Tally } from '../metrics/metrics.ts';
import { ClientGone } from '../pipeline/pipeline.ts';
import { estimatedSeconds, FilePlace } from '../pool/place.ts';
import { conversationOf } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import {
  type AnalysisInput,
  type JobRequest,
  jobOfUpload,
  recordingOf,
  redacts,
  type Sent,
} from '../tenant/jobs/job.ts';
import { errorOf, isMachineFault, retainedError } from '../tenant/jobs/retained-upload.ts';
import { RENEW_MS } from '../tenant/jobs/tenant-jobs.ts';
import { tenantOf } from '../tenant/tenant.ts';

export interface RunContext {
  env: Env;
  /** Sent to the pipeline, so that its log entries can be matched with ours. */
  requestId: string;
  tally: Tally;
}

/** A recording in the store, and the job that records its analysis. */
interface NotedRecording {
  job: JobRequest;
  recording: AnalysisInput;
  bytes: number;
}

/** A request that waits for the analysis. */
interface Attendance {
  admitted: AdmittedAnalysis;
  mode: Sent['mode'];
}

/**
 * One analysis, from its admission to its end. A request that waits for the result goes through `admit`, `receive`,
 * `run` and `close`; a workflow takes over a recorded job with `ofJob`. One signal stops everything, and its reason is
 * the error with which the run ends.
 */
export class AnalysisRun {
  readonly #context: RunContext;
  readonly #attendance: Attendance | null;
  readonly #abort = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  #noted: NotedRecording | null = null;
  #phase: string | null = null;
  #progress = 0;
  #audioSeconds = 0;
  #askedAt: number | undefined;
  /** Whether the job has its outcome. */
  #isOver = false;
  /** Whether an event has been sent to the client. */
  #isAnnounced = false;

  private constructor(context: RunContext, caller: JobRequest['caller'], attendance: Attendance | null) {
    this.#context = context;
    this.#attendance = attendance;
    const code = attendance ? 'INVALID_KEY' : 'CANCELLED';
    whenAborted(untilRevoked(context.env, caller, this.#abort.signal), () => this.cancel(new ServiceError(code)));
  }

  /**
   * Admits the analysis for a request that waits for it.
   * @param left aborts when the client leaves
   * @throws ServiceError RATE_LIMITED, or INVALID_KEY for a token that was already used
   */
  static async admit(context: RunContext, caller: Caller, mode: Sent['mode'], left: AbortSignal): Promise<AnalysisRun> {
    const admitted = await admitAnalysis(context.env, caller);
    const run = new AnalysisRun(context, admitted.caller, { admitted, mode });
    whenAborted(left, () => run.cancel(new ClientGone()));
    return run;
  }

  /**
   * Takes over a job whose recording is already in the store.
   * @param askedAt when its slot was asked for, Unix time, ms; undefined if that is still to come
   */
  static ofJob(context: RunContext, job: JobRequest, { suffix, bytes }: StoredFile, askedAt?: number): AnalysisRun {
    const run = new AnalysisRun(context, job.caller, null);
    run.#askedAt = askedAt;
    run.#noted = { job, recording: recordingOf(job, suffix), bytes };
    return run;
  }

  /** Resolves when `close` has finished. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  /** Seconds of audio analysed so far. */
  get audioSeconds(): number {
    return this.#audioSeconds;
  }

  get id(): string {
    return this.#recording.recording.runId;
  }

  /** Stops the run. Only the first reason counts. */
  cancel(reason: ServiceError): void {
    this.#abort.abort(reason);
  }

  /**
   * Stores the recording, which is either the file of a form or the file at a URL.
   * @throws ServiceError the errors of `receiveRecording` or `fetchRecording`. In these cases nothing is stored.
   */
  async receive(source: Request | RemoteFileBody): Promise<void> {
    const { env, requestId } = this.#context;
    const { admitted, mode } = this.#attendance!;
    try {
      const received =
        source instanceof Request ? await receiveRecording(source, env, admitted) : await this.#fetch(source);
      const recording = underTenant(received.recording, admitted.settings);
      const { bytes, filename } = received;
      const job = jobOfUpload(recording, bytes, { caller: admitted.caller, requestId, sent: { mode, filename } });
      this.#noted = { job, recording, bytes };
    } catch (error) {
      throw this.#endOf(error);
    }
  }

  /**
   * Analyses the recording. A job records the run first, so that a workflow can finish it if this isolate dies.
   * Resolves when a pipeline has accepted the recording, or when the recording has to wait for a place.
   * @returns the events. The result is stored before the closing events. Nothing is kept if the media of a waiting
   * request is bad, its client leaves or it is cancelled. The upload is retained after an infrastructure fault.
   * @throws ServiceError OVERLOADED, or the pipeline's refusal, with the `conversationId` of a retained upload. The
   * events throw the same errors, and the reason of `cancel`.
   */
  async run(): Promise<AsyncGenerator<ServiceEvent, void>> {
    if (!this.#attendance) return this.#start();
    const { job, recording } = this.#recording;
    try {
      unwrapped(await this.#jobs.begin(job, true));
      // From here on, the job rather than the marker shows that the recording is in use.
      await mediaStore(this.#context.env).delete([recording.keys.pending]);
      return this.#recorded(await this.#start());
    } catch (error) {
      throw await this.#fail(error);
    }
  }

  /** Ends the admission and stops everything that is still running. May be called more than once; never rejects. */
  async close(): Promise<void> {
    this.#abort.abort(new ClientGone());
    await this.#attendance?.admitted.leave();
    this.#closed.resolve();
  }

  get #recording(): NotedRecording {
    if (!this.#noted) throw new Error('this run has not received its recording');
    return this.#noted;
  }

  get #jobs() {
    return tenantOf(this.#context.env, this.#recording.job.tenant).jobs;
  }

  async #fetch({ url, filename, ...options }: RemoteFileBody) {
    const { admitted } = this.#attendance!;
    const { conversationId: runId, caller } = admitted;
    const target = { tenant: caller.tenant, runId };
    const file = await fetchRecording({ url, filename }, target, this.#context.env, this.#abort.signal);
    admitted.received(true);
    const { keys, suffix, bytes } = file;
    return { recording: { ...options, runId, suffix, keys }, bytes, filename: nameOfRemote(url, filename) };
  }

  /** Requests a place and, if there is one, starts the analysis. This way, a refusal by the pipeline precedes the first event. */
  async #start(): Promise<AsyncGenerator<ServiceEvent, void>> {
    const { env } = this.#context;
    const { job, recording, bytes } = this.#recording;
    const seconds = estimatedSeconds(recording.suffix, bytes);
    const file = { id: recording.runId, tenant: job.tenant, seconds, isAttended: this.#attendance !== null };
    const asked = this.#askedAt ?? Date.now();
    const place = await FilePlace.request(env, file);
    try {
      return this.#inPlace(place, asked, place.isGranted ? await this.#analyze(place) : undefined);
    } catch (error) {
      await place.leave(false);
      throw this.#endOf(error);
    }
  }

  async #analyze(place: FilePlace): Promise<AsyncGenerator<ServiceEvent, void>> {
    const { env, tally, requestId } = this.#context;
    const { job, recording } = this.#recording;
    const written = job.isRedaction
      ? await tenantOf(env, job.tenant).conversations.writtenTexts(conversationOf(job.runId))
      : {};
    const analysed = (seconds: number): void => {
      this.#audioSeconds = Math.max(this.#audioSeconds, seconds);
      this.#attendance?.admitted.addAudio(seconds);
    };
    const { signal } = this.#abort;
    const hosts = (until: AbortSignal) => place.hosts(until);
    const context = { env, tally, analysed, hosts, headers: { 'X-Request-Id': requestId }, signal };
    const settings = redacts(job) ? unwrapped(await tenantOf(env, job.tenant).analysisSettings()) : undefined;
    return analyzeRecording({ ...recording, ...written, keepsOriginal: settings?.keepOriginal }, context);
  }

  /**
   * The events, for as long as the job's lease is renewed.
   * @param asked Unix time at which the place was requested, ms
   */
  async *#inPlace(
    place: FilePlace,
    asked: number,
    accepted: AsyncGenerator<ServiceEvent, void> | undefined,
  ): AsyncGenerator<ServiceEvent, void> {
    const { tally } = this.#context;
    let begun: number | undefined;
    let outcome = 'failed';
    // If a renewal fails, the next one makes up for it. When a job's lease ends, a workflow takes the job over.
    const renewal = setInterval(() => void this.#renew().catch(() => undefined), RENEW_MS);
    try {
      await place.granted(this.#abort.signal);
      begun = accepted ? asked : Date.now();
      tally.observe('queue_seconds', (begun - asked) / 1000);
      for await (const event of accepted ?? (await this.#analyze(place))) {
        if (event.event === 'status') {
          this.#phase = event.data.phase;
          this.#progress = event.data.progress;
        }
        if (event.event === 'done') outcome = 'completed';
        yield event;
      }
    } catch (error) {
      throw this.#endOf(error);
    } finally {
      clearInterval(renewal);
      if (outcome === 'failed' && this.#abort.signal.aborted) outcome = 'cancelled';
      if (begun !== undefined) tally.observe('pipeline_seconds', (Date.now() - begun) / 1000, outcome);
      await place.leave(outcome === 'completed');
    }
  }

  async #renew(): Promise<void> {
    const status = await this.#jobs.renew(this.id, this.#phase, this.#progress);
    // A waiting client still gets the events of a run that a workflow completed in the meantime.
    const isWanted = status !== null && (!isEnded(status) || (this.#attendance !== null && status === 'completed'));
    if (!isWanted) this.cancel(new ServiceError('CANCELLED'));
  }

  /**
   * The events of a run that a client waits for. The job ends before the closing events are sent, or when the run
   * fails.
   */
  async *#recorded(events: AsyncGenerator<ServiceEvent, void>): AsyncGenerator<ServiceEvent, void> {
    try {
      for await (const event of events) {
        if (event.event === 'status' && event.data.phase === 'completed') await this.#complete();
        this.#isAnnounced = true;
        yield event;
      }
    } catch (error) {
      throw await this.#fail(error);
    } finally {
      await this.#fail(new ClientGone());
    }
  }

  async #complete(): Promise<void> {
    // If recording the end fails, a workflow takes over the job and finds the result.
    const isFirst = await this.#jobs.end(this.id, { status: 'completed' }).catch(logJobFault);
    if (isFirst === false && (await this.#jobs.read(this.id))?.status !== 'completed')
      throw new ServiceError('CANCELLED');
    this.#isOver = true;
  }

  /**
   * Ends the job of a run that failed or whose client left. Only the first call has an effect.
   * @returns the error for the client
   */
  async #fail(error: unknown): Promise<ServiceError> {
    const known = asServiceError(this.#endOf(error));
    if (this.#isOver) return known;
    this.#isOver = true;
    const { env } = this.#context;
    const { id } = this;
    const job = await this.#jobs.read(id).catch(() => null);
    // A workflow that took over the same job has ended it. Its outcome counts, unless the key is no longer valid.
    if (job && isEnded(job.status) && job.status !== 'cancelled')
      return (known.code === 'INVALID_KEY' ? undefined : errorOf(env, job)) ?? known;
    const { code, detail: message, cause } = known;
    // All pipelines are busy and none has failed, so the client must send the recording again.
    const isRefused = code === 'OVERLOADED' && cause === undefined && !this.#isAnnounced;
    const isLeft = this.#isAbandoned || known instanceof ClientGone;
    // An upload that was to be redacted is not kept as it was sent.
    const isRetained = isMachineFault(code) && !isLeft && !isRefused && !redacts(this.#recording.job);
    if (!isRetained) await removeArtifacts(mediaStore(env), this.#recording.recording.keys);
    if (isLeft || isRefused) await this.#jobs.remove(id);
    else if (code !== 'CANCELLED') await this.#jobs.end(id, { status: 'failed', code, message });
    return isRetained ? retainedError(env, known, id) : known;
  }

  /** Whether the run was stopped because its result must not be delivered. */
  get #isAbandoned(): boolean {
    const { aborted, reason } = this.#abort.signal;
    return aborted && reason.code !== 'CANCELLED';
  }

  /** Replaces the error that `cancel` caused with its reason, except when the client left. */
  #endOf(error: unknown): unknown {
    const { aborted, reason } = this.#abort.signal;
    return aborted && !(reason instanceof ClientGone) ? reason : error;
  }
}

/** A recording in the store. */
export interface StoredFile {
  suffix: MediaExtension;
  bytes: number;
}

function whenAborted(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}

const logJobFault = (error: unknown): void => logFault(asServiceError(error), { task: 'jobs' });
