import type { MediaExtension } from '../../contract/media.ts';
import type { DocumentName } from '../../contract/pipeline.ts';

/** Prefix of the markers of recordings that are being received (`pending.ts`). */
export const PENDING = 'pending/';

const DOCUMENTS: readonly DocumentName[] = [
  'result.json',
  'agent_outputs.json',
  'events.ndjson',
  'levels.json',
  'rendition.webm',
  'texts.json',
];

/** Keys of the objects of one run. All of them except the marker are under the tenant's prefix. */
export interface RunKeys {
  /** Ends with a slash. */
  directory: string;
  documents: Readonly<Record<DocumentName, string>>;
  /** The words that the run redacted, kept apart. */
  unredacted: string;
  /** The marker that exists while the recording is being received. */
  pending: string;
}

/** Keys of a run and of its recording, once the recording's format is known. */
export interface RecordedRunKeys extends RunKeys {
  upload: string;
  /** The recording of the conversation before its redaction, kept apart. */
  original: string;
}

/**
 * Keys of the objects of a run: `<tenant>/<run>/...`. The first run of a conversation has the conversation's id.
 * @param suffix extension of the recording, if its key is needed as well
 */
export function runKeys(tenant: string, run: string): RunKeys;
export function runKeys(tenant: string, run: string, suffix: MediaExtension): RecordedRunKeys;
export function runKeys(
  tenant: string,
  run: string,
  suffix?: MediaExtension,
): RunKeys & { upload?: string; original?: string } {
  const directory = `${tenant}/${run}/`;
  const documents = Object.fromEntries(DOCUMENTS.map((name) => [name, directory + name])) as RunKeys['documents'];
  const pending = `${PENDING}${tenant}/${run}`;
  const apart = unredactedPrefix(tenant, conversationOf(run));
  const recorded = { upload: `${directory}upload${suffix}`, original: `${apart}recording${suffix}` };
  return { directory, documents, unredacted: `${apart}${run}.json`, pending, ...(suffix !== undefined && recorded) };
}

/** Prefix of what the redactions of a conversation removed, where the tenant keeps it. */
export const unredactedPrefix = (tenant: string, conversationId: string): string =>
  `${tenant}/${UNREDACTED}/${conversationId}/`;
const UNREDACTED = 'unredacted';

/** Key of the result to show: the edited one, or the measured one when `shown` is null. */
export const shownResultKey = (tenant: string, { run, shown }: { run: string; shown: string | null }): string => {
  const { directory, documents } = runKeys(tenant, run);
  return shown === null ? documents['result.json'] : directory + shown;
};

/** The tenant and the run in a marker's key. */
export function runOfPending(key: string): { tenant: string; run: string } {
  const [tenant = '', run = ''] = key.slice(PENDING.length).split('/');
  return { tenant, run };
}

/** Id of the n-th repeated analysis of a conversation: `<conversation_id>_<n>`. */
export const runOf = (conversationId: string, n: number): string => `${conversationId}_${n}`;
/** The conversation that a first or repeated run belongs to. */
export const conversationOf = (run: string): string => run.replace(/_\d+$/, '');

/**
 * Prefix of the objects of all runs of a conversation. The id of another conversation may begin with this one;
 * `isOfConversation` distinguishes them.
 */
export const conversationPrefix = (tenant: string, conversationId: string): string => `${tenant}/${conversationId}`;

export function isOfConversation(tenant: string, conversationId: string, key: string): boolean {
  const [run = ''] = key.slice(tenant.length + 1).split('/');
  return conversationOf(run) === conversationId;
}

/** Prefix of the objects of a tenant's conversations. */
export const tenantPrefix = (tenant: string): string => `${tenant}/`;
/** Prefixes of all data stored for a tenant. */
export const tenantPrefixes = (tenant: string): string[] => [tenantPrefix(tenant), `${PENDING}${tenant}/`];

/** Prefix of a tenant's records. Each conversation has one, with everything that cannot be derived from its result. */
export const recordsPrefix = (tenant: string): string => `${tenant}/records/`;
export const recordKey = (tenant: string, conversationId: string): string =>
  `${recordsPrefix(tenant)}${conversationId}.json`;

/** The storage keys as stated in the result. */
export const artifactPaths = ({ directory, upload, documents }: RecordedRunKeys) => ({
  artifact_dir: directory,
  upload_path: upload,
  agent_outputs_path: documents['agent_outputs.json'],
});

// Keys of the backup's bucket: the rows of each tenant, the copies of its objects, and the ids of what was erased.

export const rowsPrefix = 'rows/';
export const rowsKey = (tenant: string): string => `${rowsPrefix}${tenant}.ndjson`;
export const tenantOfRows = (key: string): string => key.slice(rowsPrefix.length, -'.ndjson'.length);
export const DIRECTORY_ROWS = 'directory.ndjson';

const COPIES = 'objects/';
export const copyKey = (key: string): string => COPIES + key;
export const keyOfCopy = (key: string): string => key.slice(COPIES.length);
export const copiedPrefix = (tenant: string): string => copyKey(tenantPrefix(tenant));

export const erasedPrefix = (tenant: string): string => `erased/${tenant}/`;
export const erasedKey = (tenant: string, conversationId: string): string => erasedPrefix(tenant) + conversationId;

/** Marks of conversations that were redacted after the last backup of the rows. */
export const redactedPrefix = (tenant: string): string => `redacted/${tenant}/`;
export const redactedKey = (tenant: string, conversationId: string): string => redactedPrefix(tenant) + conversationId;

/** The conversation that an object of a tenant belongs to. */
export function conversationIn(key: string): string {
  const [, folder = '', file = ''] = key.split('/');
  if (folder === UNREDACTED) return file;
  return folder === 'records' ? file.replace(/\.json$/, '') : conversationOf(folder);
}

/** Whether a conversation still refers to an object with this key: its record, a recording, or what its result needs. */
export function isKept({ run, shown }: { run: string; shown: string | null }, key: string): boolean {
  const [tenant = '', folder = '', file = ''] = key.split('/');
  if (folder === 'records' || folder === UNREDACTED || file.startsWith('upload.')) return true;
  return folder === run && (DOCUMENTS.some((name) => name === file) || key === shownResultKey(tenant, { run, shown }));
}
