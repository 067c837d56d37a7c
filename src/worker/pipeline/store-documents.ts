import { REDACTED_RECORDING, type ResultLine } from '../../contract/pipeline.ts';
import type { RecordedRunKeys } from '../storage/keys.ts';
import { objectSink } from '../storage/object-sink.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { CONTENT_TYPES } from '../storage/run-objects.ts';
import type { PipelineReader, RefinedSlots } from './reader.ts';

/**
 * Streams the documents of a result into the store. The result is stored last, so its presence shows that the others
 * are stored, too. A redacted recording replaces the upload.
 * @param refined texts that replace parts of the documents
 */
export async function storeDocuments(
  store: ObjectStore,
  keys: RecordedRunKeys,
  { documents }: ResultLine,
  reader: PipelineReader,
  refined: RefinedSlots = {},
): Promise<void> {
  for (const document of documents) {
    const { name } = document;
    const sink =
      name === REDACTED_RECORDING
        ? objectSink(store, keys.upload)
        : objectSink(store, keys.documents[name], undefined, { contentType: CONTENT_TYPES[name] });
    try {
      await reader.write(document, sink, refined);
    } catch (error) {
      await sink.abort().catch(() => undefined);
      throw error;
    }
  }
}
