import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { readNdjson } from '../../contract/ndjson.ts';
import type { NumberedEvent } from '../http/sse.ts';
import type { Env } from '../identity/env.ts';
import { editedBy, isResultEdited } from '../results/edits/edited.ts';
import { EditedResult } from '../results/edits/edited-result.ts';
import type { StoredRecord } from '../results/record.ts';
import { readFindings } from '../results/stored-result.ts';
import { runKeys, shownResultKey } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';

/** Settings for replaying a stored log. */
export interface Replay {
  /** The number of the last event that the client has, or -1 for none. */
  after: number;
  /** Playback speed, seconds of the recording per second. Undefined: as fast as the client reads. */
  speed: number | undefined;
  signal: AbortSignal;
}

/**
 * The stored events of a conversation, with their numbers and with its edits applied. Events removed by an edit are
 * left out. With a speed, each event is sent at its time in the recording.
 * @throws ServiceError ANALYSIS_FAILURE when there is no log
 */
export async function* replayedEvents(
  env: Env,
  tenant: string,
  record: StoredRecord,
  { after, speed, signal }: Replay,
): AsyncGenerator<NumberedEvent, void> {
  const store = mediaStore(env);
  const log = await store.get(runKeys(tenant, record.run).documents['events.ndjson']);
  if (!log) throw new ServiceError('ANALYSIS_FAILURE', 'The stored events no longer exist');
  const edited = await editedEvents(env, tenant, record);
  // Events of a live session are provisional until its end; events of a file are final.
  let isFinal = true;
  const clock = new Clock(speed, signal);
  for await (const line of readNdjson(log.body, new TextDecoder())) {
    const { id, event, data } = line as ServiceEvent & { id: number };
    const stored = { event, data } as ServiceEvent;
    if (stored.event === 'status' && stored.data.phase === 'waiting_media') isFinal = false;
    clock.pass(stored, id <= after);
    if (id <= after) continue;
    const shown = edited ? edited.event(stored, isFinal) : stored;
    if (!shown) continue;
    await clock.wait();
    yield { ...shown, id };
  }
}

/** The number of the last event of a log. */
export async function lastEventId(env: Env, tenant: string, { run }: StoredRecord): Promise<number> {
  const log = await mediaStore(env).get(runKeys(tenant, run).documents['events.ndjson']);
  if (!log) throw new ServiceError('ANALYSIS_FAILURE', 'The stored events no longer exist');
  let last = -1;
  for await (const line of readNdjson(log.body, new TextDecoder())) last = (line as { id: number }).id;
  return last;
}

async function editedEvents(env: Env, tenant: string, record: StoredRecord): Promise<EditedResult | undefined> {
  const edited = editedBy(record.edits, record.people);
  if (!isResultEdited(edited)) return undefined;
  const store = mediaStore(env);
  const measured = await readFindings(store, runKeys(tenant, record.run).documents['result.json']);
  return EditedResult.of(edited, measured, await readFindings(store, shownResultKey(tenant, record)));
}

/** Delays events. Each one is due when playback reaches the end of the latest utterance. */
class Clock {
  readonly #speed: number | undefined;
  readonly #signal: AbortSignal;
  readonly #startedAt = Date.now();
  /** The positions in the recording, seconds, where the replay began and where it is now. */
  #from = 0;
  #at = 0;

  constructor(speed: number | undefined, signal: AbortSignal) {
    this.#speed = speed;
    this.#signal = signal;
  }

  /** @param isKnown whether the client already has the event, which is then skipped without delay */
  pass({ event, data }: ServiceEvent, isKnown: boolean): void {
    if (event === 'final_transcript') this.#at = Math.max(this.#at, data.t_end);
    if (isKnown) this.#from = this.#at;
  }

  async wait(): Promise<void> {
    if (this.#speed === undefined) return;
    const due = this.#startedAt + ((this.#at - this.#from) * 1000) / this.#speed;
    const left = due - Date.now();
    if (left > 0) await scheduler.wait(left, { signal: this.#signal });
  }
}
