import type { MediaExtension } from '../../contract/media.ts';
import type { DocumentName, ResultLine } from '../../contract/pipeline.ts';
import type { PipelineReader, Refined } from '../pipeline/reader.ts';
import type { ObjectStore } from './object-store.ts';

/** Under it lies a marker for every recording that is being received or analysed (`pending.ts`). */
export const PENDING = 'pending/';

/** Keys of one conversation's objects, all under its tenant but the marker. */
export interface ArtifactKeys {
  /** Ends with a slash. */
  directory: string;
  upload: string;
  result: string;
  agentOutputs: string;
  events: string;
  /** The marker that lies there while the recording is received and analysed. */
  pending: string;
}

/** `<tenant>/<conversation_id>/…` (decisions: artifact_dir). */
export function artifactKeys(tenant: string, conversationId: string, suffix: MediaExtension): ArtifactKeys {
  const directory = `${tenant}/${conversationId}/`;
  return {
    directory,
    upload: `${directory}upload${suffix}`,
    result: `${directory}result.json`,
    agentOutputs: `${directory}agent_outputs.json`,
    events: `${directory}events.ndjson`,
    pending: `${PENDING}${tenant}/${conversationId}`,
  };
}

/** The keys as the answer names them. */
export const artifactPaths = ({ directory, upload, agentOutputs }: ArtifactKeys) => ({
  artifact_dir: directory,
  upload_path: upload,
  agent_outputs_path: agentOutputs,
});

export const CONTENT_TYPES: Record<DocumentName, string> = {
  'result.json': 'application/json',
  'agent_outputs.json': 'application/json',
  'events.ndjson': 'application/x-ndjson',
};

/**
 * Writes the documents of a result beside the upload as they come, the result last: where it lies, the rest does too.
 * @param refined stands in the place of what it says better
 */
export async function storeDocuments(
  store: ObjectStore,
  { directory }: ArtifactKeys,
  { documents }: ResultLine,
  reader: PipelineReader,
  refined: Refined = {},
): Promise<void> {
  for (const document of documents) {
    const { readable, writable } = new FixedLengthStream(reader.length(document, refined));
    const writer = writable.getWriter();
    const contentType = CONTENT_TYPES[document.name];
    const stored = store.put(`${directory}${document.name}`, readable, { contentType });
    const written = reader.write(document, writer, refined).catch(async (error: unknown) => {
      await writer.abort(error).catch(() => undefined);
      throw error;
    });
    await Promise.all([stored, written]);
  }
}

/** Leaves nothing of a conversation that failed. */
export const removeArtifacts = (store: ObjectStore, keys: ArtifactKeys): Promise<void> =>
  store.delete([keys.upload, keys.result, keys.agentOutputs, keys.events, keys.pending]);

/** Leaves no object of a conversation, whatever there is. */
export async function removeConversation(store: ObjectStore, tenant: string, conversationId: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${tenant}/${conversationId}/`)) keys.push(key);
  await store.delete(keys);
}
