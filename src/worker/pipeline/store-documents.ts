import type { ResultLine } from '../../contract/pipeline.ts';
import type { RunKeys } from '../storage/keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { CONTENT_TYPES } from '../storage/run-objects.ts';
import type { PipelineReader, RefinedSlots } from './reader.ts';

/**
 * Streams the documents of a result into the store. The result comes last: when it is there, so are the others.
 * @param refined replacements for parts of the documents
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
