import { type Signal, signal } from '@preact/signals';
import { Undertone } from '../../sdk/client.ts';
import { UndertoneError } from '../../sdk/error.ts';
import type { AnalysisOptionsInput } from '../../sdk/wire.ts';
import { type AnalysisEvents, createAnalysisEvents } from '../lib/analysis-events.ts';
import { progressiveFetch } from '../lib/progressive-fetch.ts';
import { key, optionsFor, outage, service } from '../lib/session.ts';

/** Number of files analysed at a time. The rest wait in the page. */
const AT_ONCE = 3;
/** How often the state of a lost analysis is checked, ms. */
const AGAIN_MS = 2_000;
/** Delay before retrying a file that a busy service refused, s. It applies unless the service states a time. */
const BUSY_S = 10;

/** Extensions of files that the service reads. */
export const KINDS = ['mp3', 'wav', 'm4a', 'aac', 'flac', 'ogg', 'opus', 'mp4', 'mov', 'webm'];
/** Errors that the same file would have again. */
const OF_THE_FILE = ['UNSUPPORTED_MEDIA', 'INVALID_MEDIA', 'NO_UTTERANCES', 'FILE_TOO_LARGE'];

export type RunStatus = 'waiting' | 'running' | 'done' | 'failed' | 'stopped';

/** A file on its way to becoming a conversation. */
export interface RunningAnalysis {
  id: number;
  file: File;
  options: AnalysisOptionsInput;
  events: AnalysisEvents;
  /** Fraction of the file that has been sent, 0 to 1. */
  sent: Signal<number>;
  status: Signal<RunStatus>;
  /** Whether the connection was lost. The analysis may still be continuing. */
  isLost: Signal<boolean>;
  error: Signal<unknown>;
  /** In seconds. 0 when the browser cannot determine it. */
  duration: Signal<number>;
  startedAt: number;
  /** Whether the service was busy, so that the file must wait before it is sent again. */
  isHeld: boolean;
  leave: AbortController;
}

/** All files of this visit, newest last. Their analyses continue while other pages are open. */
export const runs = signal<readonly RunningAnalysis[]>([]);
let count = 0;

export function analyse(files: readonly File[], options: AnalysisOptionsInput): void {
  const added = files.map((file): RunningAnalysis => {
    const run: RunningAnalysis = {
      id: count++,
      file,
      options,
      events: createAnalysisEvents(),
      sent: signal(0),
      status: signal<RunStatus>('waiting'),
      isLost: signal(false),
      error: signal<unknown>(undefined),
      duration: signal(0),
      startedAt: 0,
      isHeld: false,
      leave: new AbortController(),
    };
    if (isUnknownKind(file)) fail(run, new UndertoneError('UNSUPPORTED_MEDIA', 'This kind of file is not supported'));
    else measure(run);
    return run;
  });
  runs.value = [...runs.value, ...added];
  startNext();
}

/** Whether a file is refused before it is sent. The service reads one without an extension by its first bytes. */
function isUnknownKind({ name, type }: File): boolean {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase();
  return extension !== undefined && !KINDS.includes(extension) && !/^(audio|video)\//.test(type);
}

/** Whether sending the file of a failed run again can help. */
export const canHelp = ({ error }: RunningAnalysis): boolean =>
  !(error.value instanceof UndertoneError && OF_THE_FILE.includes(error.value.code));

/** Starts a failed analysis again whose recording the service has kept. Its end is not waited for. */
export const continueKept = (id: string): Promise<unknown> =>
  new Undertone(optionsFor(key.peek())).start({ conversation_id: id });

export function stop(run: RunningAnalysis): void {
  run.status.value = 'stopped';
  run.leave.abort();
  startNext();
}

export function again(run: RunningAnalysis): void {
  runs.value = runs.value.filter((other) => other !== run);
  analyse([run.file], run.options);
}

// Files that were chosen while the service did not respond start when it does.
outage.subscribe((error) => {
  if (error === undefined) startNext();
});

function startNext(): void {
  if (outage.peek() !== undefined) return;
  const free = AT_ONCE - runs.peek().filter(({ status: standing }) => standing.peek() === 'running').length;
  for (const run of runs
    .peek()
    .filter(({ status: standing, isHeld }) => standing.peek() === 'waiting' && !isHeld)
    .slice(0, Math.max(0, free))) {
    run.status.value = 'running';
    void carry(run);
  }
}

async function carry(run: RunningAnalysis): Promise<void> {
  const { events: heard, leave, sent, status: standing } = run;
  run.startedAt = Date.now();
  try {
    const told = progressiveFetch((share) => {
      sent.value = share;
    });
    const undertone = new Undertone(optionsFor(key.peek(), { fetch: told }));
    for await (const event of undertone.replay(run.file, { ...run.options, signal: leave.signal })) {
      sent.value = 1;
      heard.take(event);
    }
    standing.value = 'done';
  } catch (error) {
    if (leave.signal.aborted) standing.value = 'stopped';
    else if (error instanceof UndertoneError && error.code === 'OVERLOADED') hold(run, error);
    else if (sent.peek() < 1 && outage.peek() !== undefined) keep(run);
    else await settle(run, error);
  }
  startNext();
}

/** The file was not sent whole, so nothing is stored: it waits here until the service responds. */
function keep(run: RunningAnalysis): void {
  run.sent.value = 0;
  run.status.value = 'waiting';
}

/** A busy service has stored nothing, so the file waits here and is sent again. */
function hold(run: RunningAnalysis, error: UndertoneError): void {
  run.error.value = error;
  run.sent.value = 0;
  run.isHeld = true;
  run.status.value = 'waiting';
  setTimeout(
    () => {
      run.isHeld = false;
      if (run.status.peek() !== 'waiting') return;
      run.error.value = undefined;
      startNext();
    },
    1000 * (error.retryAfter ?? BUSY_S),
  );
}

/** The connection broke, but the service may have continued. This polls until the outcome is known. */
async function settle(run: RunningAnalysis, error: unknown): Promise<void> {
  const id = run.events.lines.peek()[0]?.id.replace(/_utt_\d+$/, '');
  const isLost = error instanceof UndertoneError && error.code === 'CONNECTION_FAILED';
  if (!isLost || id === undefined) {
    fail(run, error);
    return;
  }
  run.isLost.value = true;
  while (!run.leave.signal.aborted) {
    try {
      const answer = await service().conversations.peek(id, { signal: run.leave.signal });
      if ('timeline' in answer) {
        run.events.take({ event: 'done', data: { conversation_id: id } });
        run.status.value = 'done';
        return;
      }
      if (answer.status === 'failed' || answer.status === 'cancelled') {
        fail(
          run,
          new UndertoneError(answer.error?.code ?? 'CANCELLED', answer.error?.message ?? 'The analysis was stopped'),
        );
        return;
      }
      run.events.progress.value = answer.progress;
    } catch (reason) {
      if (!(reason instanceof UndertoneError) || reason.code !== 'CONNECTION_FAILED') {
        fail(run, error);
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  run.status.value = 'stopped';
}

function fail(run: RunningAnalysis, error: unknown): void {
  run.error.value = error;
  run.status.value = 'failed';
}

/** Duration of the recording as the browser determines it, or 0 when it cannot. */
function measure({ file, duration }: RunningAnalysis): void {
  const media = document.createElement('audio');
  const url = URL.createObjectURL(file);
  const end = (): void => URL.revokeObjectURL(url);
  media.preload = 'metadata';
  media.onloadedmetadata = () => {
    if (Number.isFinite(media.duration)) duration.value = media.duration;
    end();
  };
  media.onerror = end;
  media.src = url;
}
