import type { DocumentName } from '../../contract/pipeline.ts';
import {
  conversationOf,
  conversationPrefix,
  copiedPrefix,
  copyKey,
  erasedPrefix,
  isOfConversation,
  keyOfCopy,
  type RecordedRunKeys,
  recordKey,
  redactedPrefix,
  rowsKey,
  runKeys,
  unredactedPrefix,
} from './keys.ts';
import type { ObjectStore } from './object-store.ts';

export const CONTENT_TYPES: Record<DocumentName, string> = {
  'result.json': 'application/json',
  'agent_outputs.json': 'application/json',
  'events.ndjson': 'application/x-ndjson',
  'levels.json': 'application/json',
  'rendition.webm': 'audio/webm; codecs=opus',
  'texts.json': 'application/json',
};

/** Removes the recording, the documents and the marker of the first run of a conversation, which failed. */
export const removeArtifacts = (store: ObjectStore, keys: RecordedRunKeys): Promise<void> =>
  store.delete([keys.upload, keys.original, ...Object.values(keys.documents), keys.unredacted, keys.pending]);

/** Removes every object in the directory of a run. */
export async function removeRun(store: ObjectStore, tenant: string, run: string): Promise<void> {
  const { directory, unredacted } = runKeys(tenant, run);
  const keys = [unredacted];
  for await (const { key } of store.list(directory)) keys.push(key);
  // The first run of a conversation has its recording.
  if (conversationOf(run) === run)
    for await (const { key } of store.list(unredactedPrefix(tenant, run))) keys.push(key);
  await store.delete(keys);
}

/** Removes every object of a conversation and of its runs. @returns totals of what was removed, without the marker */
export async function removeConversation(
  store: ObjectStore,
  tenant: string,
  conversationId: string,
): Promise<{ key: string; bytes: number }[]> {
  const record = await store.head(recordKey(tenant, conversationId));
  const found = record ? [{ key: record.key, bytes: record.size }] : [];
  for await (const { key, size } of store.list(conversationPrefix(tenant, conversationId)))
    if (isOfConversation(tenant, conversationId, key)) found.push({ key, bytes: size });
  for await (const { key, size } of store.list(unredactedPrefix(tenant, conversationId)))
    found.push({ key, bytes: size });
  await store.delete([...found.map(({ key }) => key), runKeys(tenant, conversationId).pending]);
  return found;
}

/** Removes the copies of a conversation's objects from a backup. */
export async function removeCopies(backup: ObjectStore, tenant: string, conversationId: string): Promise<void> {
  const keys = [copyKey(recordKey(tenant, conversationId))];
  for await (const { key } of backup.list(copyKey(conversationPrefix(tenant, conversationId))))
    if (isOfConversation(tenant, conversationId, keyOfCopy(key))) keys.push(key);
  for await (const { key } of backup.list(copyKey(unredactedPrefix(tenant, conversationId)))) keys.push(key);
  await backup.delete(keys);
}

/** Removes everything of a tenant from a backup. */
export async function removeBackup(backup: ObjectStore, tenant: string): Promise<void> {
  const keys = [rowsKey(tenant)];
  for (const prefix of [copiedPrefix(tenant), erasedPrefix(tenant), redactedPrefix(tenant)])
    for await (const { key } of backup.list(prefix)) keys.push(key);
  await backup.delete(keys);
}
