import type { WrittenEvent } from '../http/sse.ts';

/** Limit on the events buffered for a client that reads more slowly than the pipeline sends, characters of JSON. */
const MAX_HELD_CHARS = 4 * 1024 * 1024;

/**
 * Reads events from the source as soon as they are available, so that a slow or stalled client does not hold up the
 * pipeline. Beyond the limit nothing more is buffered: once the source has ended, the client reads the rest from the
 * store. Leaving the loop early closes the source.
 * @param stored reads all events again from the first one; called only after the source has ended without a failure
 */
export async function* readAhead(
  source: AsyncGenerator<WrittenEvent, unknown>,
  stored: () => AsyncIterable<WrittenEvent>,
  maxHeldChars = MAX_HELD_CHARS,
): AsyncGenerator<WrittenEvent, void> {
  const held: WrittenEvent[] = [];
  let heldChars = 0;
  let isFull = false;
  let ended = false;
  let failure: { error: unknown } | undefined;
  let changed = Promise.withResolvers<void>();
  const position = new Position();

  const reading = (async () => {
    try {
      for await (const event of source) {
        isFull ||= heldChars + event.json.length > maxHeldChars;
        if (isFull) continue;
        held.push(event);
        heldChars += event.json.length;
        changed.resolve();
      }
    } catch (error) {
      failure = { error };
    }
    ended = true;
    changed.resolve();
  })();

  try {
    while (!ended || held.length > 0) {
      const event = held.shift();
      if (event !== undefined) {
        heldChars -= event.json.length;
        position.pass(event);
        yield event;
        continue;
      }
      await changed.promise;
      changed = Promise.withResolvers();
    }
    if (failure) throw failure.error;
    if (isFull) yield* position.after(stored());
  } finally {
    if (!ended) await source.return(undefined);
    await reading;
  }
}

/**
 * Whether the event only reports progress or interim text. These events differ between two attempts at the same
 * analysis.
 */
const isTransient = ({ event }: WrittenEvent): boolean => event === 'status' || event === 'partial_transcript';

/**
 * A client's position in the events. After a lost connection, the stored transient events differ from those that were
 * streamed, so permanent events are counted separately.
 */
class Position {
  #all = 0;
  #lasting = 0;

  pass(event: WrittenEvent): void {
    this.#all++;
    if (!isTransient(event)) this.#lasting++;
  }

  /** The events after this position. */
  async *after(events: AsyncIterable<WrittenEvent>): AsyncGenerator<WrittenEvent, void> {
    const passed = new Position();
    for await (const event of events) {
      passed.pass(event);
      const isNew = isTransient(event) ? passed.#all > this.#all : passed.#lasting > this.#lasting;
      if (isNew) yield event;
    }
  }
}
