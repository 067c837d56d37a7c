import { quoted, ServiceError } from '../../contract/errors.ts';
import { extensionOf, UPLOAD_EXTENSIONS, type UploadExtension } from '../../contract/media.ts';
import { readDisposition } from '../http/disposition.ts';
import { receiveBody } from '../http/request-body.ts';
import type { Env } from '../identity/env.ts';
import { AnalysisSlot } from '../queue/slot.ts';
import { MEBIBYTE, settingsOf } from '../settings/settings.ts';
import { type RecordedRunKeys, runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { objectSink } from '../storage/object-sink.ts';
import { markPending } from '../storage/pending.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import { getFrom, targetOf } from '../targets/reach.ts';

/** How many files of a tenant are read from elsewhere at a time: each holds a part in memory, and may be slow. */
const PLACES = 3;
/** A file from elsewhere has come by then, or not at all, ms. */
const LONGEST_MS = 3_600_000;

/** What servers call the kinds of file that are welcome. */
const SUFFIXES: Readonly<Record<string, UploadExtension>> = {
  'audio/mpeg': '.mp3',
  'audio/mp3': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'audio/wave': '.wav',
  'audio/vnd.wave': '.wav',
  'audio/mp4': '.m4a',
  'audio/x-m4a': '.m4a',
  'audio/m4a': '.m4a',
  'audio/aac': '.aac',
  'audio/webm': '.webm',
  'video/webm': '.webm',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
};

export interface RemoteFile {
  url: string;
  /** What the client calls it; its extension says what it is. */
  filename?: string | undefined;
}

/** A file that was read from elsewhere, at rest in the store. */
export interface FetchedFile {
  keys: RecordedRunKeys;
  suffix: UploadExtension;
  bytes: number;
}

/**
 * Reads a file from an address that a client gave into the store, by the limits of an upload.
 * @throws ServiceError INVALID_REQUEST for an address that may not be called or that answers that there is no such file,
 *   UNSUPPORTED_MEDIA, FILE_TOO_LARGE, INVALID_MEDIA for an empty file, SOURCE_FAILED for what another time may succeed;
 *   nothing is stored then
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
  const queue = { name: `downloads-${tenant}`, places: PLACES };
  const place = await AnalysisSlot.ask(env, queue, { id, tenant, cost: 1, isAttended: false });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), LONGEST_MS);
  try {
    await place.turn(signal);
    const stop = AbortSignal.any([signal, late.signal]);
    const init = { headers: { Accept: 'audio/*, video/*' }, signal: stop };
    const { response: answer, url: last } = await getFrom(target, init, settings);
    await requireFile(answer);
    const suffix = suffixOf(answer, [last, target], filename);
    const keys = runKeys(tenant, runId, suffix);
    return { keys, suffix, bytes: await store(answer, keys, env) };
  } finally {
    clearTimeout(timer);
    await place.leave();
  }
}

async function requireFile({ status, ok, body }: Response): Promise<void> {
  if (ok && status !== 204 && body) return;
  await body?.cancel();
  const passes = status >= 500 || status === 429 || status === 408;
  throw new ServiceError(passes ? 'SOURCE_FAILED' : 'INVALID_REQUEST', `url: the address answered ${status}`);
}

/** By the client's name of the file, the server's, the address, or the type that the server calls it. */
function suffixOf(answer: Response, addresses: URL[], filename: string | undefined): UploadExtension {
  const disposition = answer.headers.get('Content-Disposition');
  const names = [
    filename,
    disposition === null ? undefined : readDisposition(disposition).filename,
    ...addresses.map(({ pathname }) => pathname),
  ];
  for (const name of names) {
    const known = UPLOAD_EXTENSIONS.find((extension) => extension === extensionOf(name ?? ''));
    if (known) return known;
  }
  const type = answer.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const bySuffix = SUFFIXES[type];
  if (bySuffix) return bySuffix;
  throw new ServiceError(
    'UNSUPPORTED_MEDIA',
    `url: neither its name nor its type "${quoted(type)}" is known; supported are ${UPLOAD_EXTENSIONS.join(', ')}`,
  );
}

/** @returns its size, bytes */
async function store(answer: Response, keys: RecordedRunKeys, env: Env): Promise<number> {
  const { maxFileBytes, uploadStallSeconds } = settingsOf(env);
  const media = mediaStore(env);
  const sink = objectSink(media, keys.upload, (multipartId) => markPending(media, keys, multipartId));
  let bytes = 0;
  try {
    const options = {
      stallSeconds: uploadStallSeconds,
      maxBytes: maxFileBytes,
      tooLarge: () =>
        new ServiceError('FILE_TOO_LARGE', `File exceeds the size limit of ${maxFileBytes / MEBIBYTE} MB`),
      endedEarly: (cause: unknown) => new ServiceError('SOURCE_FAILED', 'url: the connection broke', { cause }),
      isAnswer: true,
    };
    const taker = {
      take: (chunk: Uint8Array) => {
        bytes += chunk.length;
        return sink.write(chunk);
      },
      abort: () => sink.abort(),
    };
    await receiveBody(answer, options, taker);
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
