import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelFile } from './profile.ts';

/** Time limits for fetching a model. */
export interface FetchLimits {
  bytes: number;
  /** Limit for the whole fetch, ms. */
  allMs: number;
  /** Limit for each wait for more bytes, ms. */
  silentMs: number;
}
const LIMITS: FetchLimits = { bytes: 1024 ** 3, allMs: 600_000, silentMs: 30_000 };
/** Most redirects. Model hubs redirect to their file storage. */
const MOST_REDIRECTS = 5;

/** A model file that is missing, does not match its digest, or could not be fetched. */
export class ModelFileFault extends Error {
  constructor(file: ModelFile, what: string) {
    super(`The recogniser's file ${locationOf(file)} ${what}`);
    this.name = 'ModelFileFault';
  }
}

/** A URL without its query, which can contain a key. */
const locationOf = ({ at }: ModelFile): string => ('path' in at ? at.path : bare(at.url));
function bare(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

const cached = (folder: string, { sha256 }: ModelFile): string => join(folder, `${sha256}.onnx`);

/** The path of a file on this machine once `provideModelFile` has provided it. */
export const pathOf = (file: ModelFile, folder: string): string =>
  'path' in file.at ? file.at.path : cached(folder, file);

/**
 * Reads a file and checks it against its digest.
 * @param folder with the fetched files
 * @throws ModelFileFault
 */
export async function readModelFile(file: ModelFile, folder: string): Promise<Uint8Array> {
  const bytes = await readFile(pathOf(file, folder)).catch(() => {
    throw new ModelFileFault(file, 'cannot be read');
  });
  require(file, createHash('sha256').update(bytes).digest('hex'));
  return bytes;
}

/**
 * Makes sure that a file is on this machine and matches its digest. A file given by URL is fetched unless it is already
 * there.
 * @throws ModelFileFault
 */
export async function provideModelFile(file: ModelFile, folder: string, limits = LIMITS): Promise<void> {
  const found = await digestOf(pathOf(file, folder));
  if (found === file.sha256) return;
  if ('path' in file.at) {
    if (found === undefined) throw new ModelFileFault(file, 'cannot be read');
    require(file, found);
  }
  // A fetched file that has changed since then is fetched again.
  await mkdir(folder, { recursive: true });
  await fetchModelFile(file, cached(folder, file), limits);
}

function require(file: ModelFile, found: string): void {
  if (found !== file.sha256)
    throw new ModelFileFault(file, `does not match its digest: its SHA-256 is ${found}, not ${file.sha256}`);
}

/** Digest of a file. Undefined if it does not exist. */
async function digestOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const part of createReadStream(path)) hash.update(part as Buffer);
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

/** Fetches into a temporary file, which is renamed only when it is complete and its digest matches. */
async function fetchModelFile(file: ModelFile, path: string, limits: FetchLimits): Promise<void> {
  const { url } = file.at as { url: string };
  const part = `${path}.${process.pid}.part`;
  const ended = new AbortController();
  const all = setTimeout(
    () => ended.abort(new Error(`the fetch took more than ${limits.allMs / 1000} s`)),
    limits.allMs,
  );
  const silence = new Error(`the server sent nothing for ${limits.silentMs / 1000} s`);
  let silent = setTimeout(() => ended.abort(silence), limits.silentMs);
  const hash = createHash('sha256');
  let bytes = 0;
  const out = await open(part, 'w', 0o600);
  try {
    const response = await followed(url, ended.signal);
    if (!response.ok) throw new Error(`the server returned ${response.status}`);
    if (Number(response.headers.get('Content-Length')) > limits.bytes) throw tooLarge(limits);
    for await (const piece of response.body ?? []) {
      clearTimeout(silent);
      silent = setTimeout(() => ended.abort(silence), limits.silentMs);
      bytes += piece.length;
      if (bytes > limits.bytes) throw tooLarge(limits);
      hash.update(piece);
      await out.write(piece);
    }
    await out.sync();
    require(file, hash.digest('hex'));
    await rename(part, path);
  } catch (cause) {
    if (cause instanceof ModelFileFault) throw cause;
    const why: unknown = ended.signal.aborted ? ended.signal.reason : cause;
    throw new ModelFileFault(file, `could not be fetched: ${reasonOf(why)}`);
  } finally {
    clearTimeout(all);
    clearTimeout(silent);
    ended.abort();
    await out.close();
    await rm(part, { force: true });
  }
}

const tooLarge = ({ bytes }: FetchLimits) => new Error(`the file is larger than ${bytes} bytes`);

/** `fetch` reports a broken connection only as a failure. Its cause has the reason. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'no reason';
  return cause.cause instanceof Error ? `${cause.message} (${cause.cause.message})` : cause.message;
}

/** Follows redirects, except from https to http. */
async function followed(address: string, signal: AbortSignal): Promise<Response> {
  for (let at = new URL(address), redirects = 0; ; redirects++) {
    const response = await fetch(at, { redirect: 'manual', signal });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('Location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    if (redirects === MOST_REDIRECTS) throw new Error(`the server redirected more than ${MOST_REDIRECTS} times`);
    const next = new URL(location, at);
    if (!['http:', 'https:'].includes(next.protocol) || (at.protocol === 'https:' && next.protocol !== 'https:'))
      throw new Error(`the server redirected to ${next.protocol}`);
    at = next;
  }
}
