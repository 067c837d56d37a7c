import type { ResultLine } from '../../contract/pipeline.ts';
import type { RunKeys } from '../storage/keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { CONTENT_TYPES } from '../storage/run-objects.ts';
import type { PipelineReader, RefinedSlots } from './reader.ts';

/**
 * Writes the documents of a result beside the upload as they come, the result last: where it lies, the rest does too.
 * @param refined stands in the place of what it says better
 */
export async function storeDocuments(
  store: ObjectStore,
  keys: RunKeys,
  { documents }: ResultLine,
  reader: PipelineReader,
  refined: RefinedSlots = {},
): Promise<void> {
  for (const document of documents) {
    const { readable, writable } = new FixedLengthStream(reader.length(document, refined));
    const writer = writable.getWriter();
    const contentType = CONTENT_TYPES[document.name];
    const stored = store.put(keys.documents[document.name], readable, { contentType });
    const written = reader.write(document, writer, refined).catch(async (error: unknown) => {
      await writer.abort(error).catch(() => undefined);
      throw error;
    });
    await Promise.all([stored, written]);
  }
}
