import type { MediaExtension } from '../../contract/media.ts';
import type { DocumentName } from '../../contract/pipeline.ts';
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
  levels: string;
  rendition: string;
  /** The marker that lies there while the recording is received and analysed. */
  pending: string;
}

/** Where the marker of a conversation lies while its recording is received. */
export const pendingKey = (tenant: string, conversationId: string): string => `${PENDING}${tenant}/${conversationId}`;

/** `<tenant>/<conversation_id>/…` (decisions: artifact_dir). */
export function artifactKeys(tenant: string, conversationId: string, suffix: MediaExtension): ArtifactKeys {
  const directory = `${tenant}/${conversationId}/`;
  return {
    directory,
    upload: `${directory}upload${suffix}`,
    result: `${directory}result.json`,
    agentOutputs: `${directory}agent_outputs.json`,
    events: `${directory}events.ndjson`,
    levels: `${directory}levels.json`,
    rendition: `${directory}rendition.webm`,
    pending: pendingKey(tenant, conversationId),
  };
}

/**
 * The documents of an analysis anew lie under a name of their own, until they take the place of those of before:
 * `<conversation_id>_<n>`.
 */
export const runOf = (conversationId: string, n: number): string => `${conversationId}_${n}`;
/** The conversation of an analysis, whether it is the first of it or one anew. */
export const conversationOf = (run: string): string => run.replace(/_\d+$/, '');

/** What is known of the conversations of a tenant beside their results: an object each. */
export const recordsOf = (tenant: string): string => `${tenant}/records/`;
export const recordKey = (tenant: string, conversationId: string): string =>
  `${recordsOf(tenant)}${conversationId}.json`;

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
  'levels.json': 'application/json',
  'rendition.webm': 'audio/webm; codecs=opus',
};

/** Leaves nothing of a conversation that failed. */
export const removeArtifacts = (store: ObjectStore, keys: ArtifactKeys): Promise<void> => {
  const { upload, result, agentOutputs, events, levels, rendition, pending } = keys;
  return store.delete([upload, result, agentOutputs, events, levels, rendition, pending]);
};

/** Leaves no object of an analysis, whatever there is. */
export async function removeRun(store: ObjectStore, tenant: string, run: string): Promise<void> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${tenant}/${run}/`)) keys.push(key);
  await store.delete(keys);
}

/** Leaves no object of a conversation and its analyses. @returns what there was */
export async function removeConversation(
  store: ObjectStore,
  tenant: string,
  conversationId: string,
): Promise<{ key: string; bytes: number }[]> {
  const record = await store.head(recordKey(tenant, conversationId));
  const found = record ? [{ key: record.key, bytes: record.size }] : [];
  for await (const { key, size } of store.list(`${tenant}/${conversationId}`)) {
    const [run = ''] = key.slice(tenant.length + 1).split('/');
    // An id of another length may begin with this one.
    if (conversationOf(run) === conversationId) found.push({ key, bytes: size });
  }
  await store.delete([...found.map(({ key }) => key), pendingKey(tenant, conversationId)]);
  return found;
}
