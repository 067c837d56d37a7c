import { ndjsonLine, readNdjson } from '../../contract/ndjson.ts';
import { objectSink } from './object-sink.ts';
import type { ObjectStore } from './object-store.ts';

/** Writes lines as an object. It appears whole or not at all. */
export async function writeLines(store: ObjectStore, key: string, lines: Iterable<object>): Promise<void> {
  const sink = objectSink(store, key, undefined, { contentType: 'application/x-ndjson' });
  const encoder = new TextEncoder();
  try {
    for (const line of lines) await sink.write(encoder.encode(ndjsonLine(line)));
    await sink.close();
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** The lines of an object. Null when there is no such object. */
export async function readLines(store: ObjectStore, key: string): Promise<AsyncGenerator<unknown> | null> {
  const object = await store.get(key);
  return object && readNdjson(object.body, new TextDecoder());
}
