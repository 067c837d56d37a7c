import {
  REDACTED_RECORDING,
  type ResultLine,
  type SentDocumentName,
  UNREDACTED_WORDS,
} from '../../contract/pipeline.ts';
import type { RecordedRunKeys } from '../storage/keys.ts';
import { objectSink } from '../storage/object-sink.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { CONTENT_TYPES } from '../storage/run-objects.ts';
import type { PipelineReader, RefinedSlots } from './reader.ts';

export interface StoringOptions {
  /** Texts that replace parts of the documents. */
  refined?: RefinedSlots;
  /** Whether the recording that a redacted one replaces is kept apart. */
  keepsOriginal?: boolean | undefined;
}

/**
 * Streams the documents of a result into the store. The result is stored last, so its presence shows that the others
 * are stored, too. A redacted recording replaces the upload.
 */
export async function storeDocuments(
  store: ObjectStore,
  keys: RecordedRunKeys,
  { documents }: ResultLine,
  reader: PipelineReader,
  { refined = {}, keepsOriginal = false }: StoringOptions = {},
): Promise<void> {
  for (const document of documents) {
    if (document.name === REDACTED_RECORDING && keepsOriginal) await keepOriginal(store, keys);
    const sink = sinkOf(store, keys, document.name);
    try {
      await reader.write(document, sink, refined);
    } catch (error) {
      await sink.abort().catch(() => undefined);
      throw error;
    }
  }
}

function sinkOf(store: ObjectStore, keys: RecordedRunKeys, name: SentDocumentName) {
  if (name === REDACTED_RECORDING) return objectSink(store, keys.upload);
  if (name === UNREDACTED_WORDS)
    return objectSink(store, keys.unredacted, undefined, { contentType: 'application/json' });
  return objectSink(store, keys.documents[name], undefined, { contentType: CONTENT_TYPES[name] });
}

/** Copies the upload, unless an earlier redaction did: what it left is not the original. */
async function keepOriginal(store: ObjectStore, { upload, original }: RecordedRunKeys): Promise<void> {
  if (await store.head(original)) return;
  const object = await store.get(upload);
  if (object) await store.put(original, object.body);
}
