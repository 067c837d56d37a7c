import { quoted, ServiceError } from '../../contract/errors.ts';
import { LIMITS, withoutBidi } from '../../contract/limits.ts';
import { UPLOAD_EXTENSIONS, type UploadExtension } from '../../contract/media.ts';
import { readDisposition } from '../http/disposition.ts';
import { receiveBody } from '../http/request-body.ts';
import type { Env } from '../identity/env.ts';
import { AnalysisSlot } from '../queue/slot.ts';
import { settingsOf } from '../settings/settings.ts';
import { type RecordedRunKeys, runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { objectSink } from '../storage/object-sink.ts';
import { markPending } from '../storage/pending.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import { getFrom, targetOf } from '../targets/reach.ts';
import { fileTooLarge } from './recording.ts';
import { formatOfName, formatOfType } from './recording-format.ts';

/** Limit on a tenant's concurrent downloads. Each keeps a part in memory, and may be slow. */
const MAX_DOWNLOADS = 3;
/** Time limit of one download, ms. */
const DOWNLOAD_MS = 3_600_000;

export interface RemoteFile {
  url: string;
  /** The client's name for the file. Its extension determines the format. */
  filename?: string | undefined;
}

/** A downloaded file in the store. */
export interface FetchedFile {
  keys: RecordedRunKeys;
  suffix: UploadExtension;
  bytes: number;
}

/** Name of a remote file: the client's name for it, or else the last segment of the URL's path. */
export const nameOfRemote = (url: string, filename: string | undefined): string =>
  withoutBidi(filename ?? URL.parse(url)?.pathname.split('/').at(-1)?.slice(0, LIMITS.filenameChars) ?? '');

/**
 * Downloads a file from a client's URL into the store, within the limits of an upload.
 * @throws ServiceError INVALID_REQUEST when the URL is not allowed or has no such file; UNSUPPORTED_MEDIA;
 *   FILE_TOO_LARGE; INVALID_MEDIA for an empty file; SOURCE_FAILED when another attempt may succeed. In these cases
 *   nothing is stored.
 */
export async function fetchRecording(
  { url, filename }: RemoteFile,
  { tenant, runId }: { tenant: string; runId: string },
  env: Env,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const settings = settingsOf(env);
  const target = targetOf(url, 'url', settings);
  const id = `download-${runId}`;
  const queue = { name: `downloads-${tenant}`, slots: MAX_DOWNLOADS };
  const slot = await AnalysisSlot.request(env, queue, { id, tenant, cost: 1, isAttended: false });
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), DOWNLOAD_MS);
  try {
    await slot.granted(signal);
    const init = {
      headers: { Accept: 'audio/*, video/*', 'Accept-Encoding': 'identity' },
      signal: AbortSignal.any([signal, timeout.signal]),
    };
    const { response, url: last } = await getFrom(target, init, settings);
    await requireFile(response);
    await requirePlain(response);
    const suffix = suffixOf(response, [last, target], filename);
    const keys = runKeys(tenant, runId, suffix);
    return { keys, suffix, bytes: await store(response, keys, env) };
  } finally {
    clearTimeout(timer);
    await slot.leave();
  }
}

async function requireFile({ status, ok, body }: Response): Promise<void> {
  if (ok && status !== 204 && body) return;
  await body?.cancel();
  const isTransient = status >= 500 || status === 429 || status === 408;
  throw new ServiceError(isTransient ? 'SOURCE_FAILED' : 'INVALID_REQUEST', `url: the server returned ${status}`);
}

/** A few kilobytes of compressed data may expand to gigabytes. */
async function requirePlain({ headers, body }: Response): Promise<void> {
  const encoding = headers.get('Content-Encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  await body?.cancel();
  throw new ServiceError(
    'INVALID_REQUEST',
    `url: the server sent the file with Content-Encoding: ${quoted(encoding)}; it must send the file unencoded`,
  );
}

/**
 * Takes the format from the client's name for the file, the server's name, the URL or the media type, in that order.
 */
function suffixOf(response: Response, addresses: URL[], filename: string | undefined): UploadExtension {
  const disposition = response.headers.get('Content-Disposition');
  const names = [
    filename,
    disposition === null ? undefined : readDisposition(disposition).filename,
    ...addresses.map(({ pathname }) => pathname),
  ];
  for (const name of names) {
    const known = formatOfName(name ?? '');
    if (known) return known;
  }
  const type = response.headers.get('Content-Type') ?? '';
  const known = formatOfType(type);
  if (known) return known;
  throw new ServiceError(
    'UNSUPPORTED_MEDIA',
    `url: the file has neither a supported extension nor a supported type ("${quoted(type)}"); supported extensions: ${UPLOAD_EXTENSIONS.join(', ')}`,
  );
}

/** @returns the size in bytes */
async function store(response: Response, keys: RecordedRunKeys, env: Env): Promise<number> {
  const { maxFileBytes, uploadStallSeconds } = settingsOf(env);
  const media = mediaStore(env);
  const sink = objectSink(media, keys.upload, (multipartId) => markPending(media, keys, multipartId));
  let bytes = 0;
  try {
    const options = {
      stallSeconds: uploadStallSeconds,
      maxBytes: maxFileBytes,
      tooLarge: () => fileTooLarge(maxFileBytes),
      endedEarly: (cause: unknown) => new ServiceError('SOURCE_FAILED', 'url: the connection was lost', { cause }),
      isAnswer: true,
    };
    const taker = {
      take: (chunk: Uint8Array) => {
        bytes += chunk.length;
        return sink.write(chunk);
      },
      abort: () => sink.abort(),
    };
    await receiveBody(response, options, taker);
    if (bytes === 0) throw new ServiceError('INVALID_MEDIA', 'url: the file is empty');
    await sink.close();
    return bytes;
  } catch (error) {
    await removeArtifacts(media, keys);
    if (error instanceof ServiceError && error.code === 'UPLOAD_STALLED')
      throw new ServiceError('SOURCE_FAILED', 'url: the download stalled');
    throw error;
  }
}
