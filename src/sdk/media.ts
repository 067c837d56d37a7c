import { type Call, type CallOptions, jsonCall } from './connection.ts';
import type { AnalysisOptionsInput, KeptUploadRequest, RemoteFileRequest } from './wire.ts';

/** A recording: a file from a form, a file opened by `fs.openAsBlob`, or bytes. */
export type Recording = Blob | BufferSource;

/**
 * Media to analyse: a recording, a URL from which the service downloads it, or an upload that the service kept after a
 * failure.
 */
export type Media = Recording | RemoteMedia | KeptUploadRequest;

export interface RemoteMedia {
  /** An http or https URL on the public internet. */
  url: string | URL;
}

export interface MediaOptions extends AnalysisOptionsInput, CallOptions {
  /**
   * The extension determines the format: mp4, mov, webm, mp3, wav, m4a, aac, flac, ogg or opus. Optional for a `File`
   * and for a URL.
   */
  filename?: string | undefined;
}

export interface AnalysisProgress {
  /** First `uploading` and `queued`, then the phases that the service reports. */
  phase: string;
  /** Completed fraction of the phase, 0 to 1. */
  progress: number;
}

export interface ProgressOptions extends CallOptions {
  onProgress?: ((progress: AnalysisProgress) => void) | undefined;
}

export interface NamedBlob {
  blob: Blob;
  name: string;
}

/** @throws TypeError if it cannot be analysed */
export function isRecording(media: Media): media is Recording {
  // Compares the tag, because a buffer from another realm, such as a test runner's, is not an instance of this realm's
  // ArrayBuffer.
  const isBuffer = Object.prototype.toString.call(media) === '[object ArrayBuffer]';
  if (media instanceof Blob || isBuffer || ArrayBuffer.isView(media)) return true;
  if (typeof media === 'object' && media !== null && ('url' in media || 'conversation_id' in media)) return false;
  throw new TypeError(
    'The recording must be a File, a Blob, bytes, {url} or {conversation_id}; openAsBlob(path) of node:fs reads a file',
  );
}

export const sizeOf = (media: Recording): number => (media instanceof Blob ? media.size : media.byteLength);

/** @throws TypeError if it is not a recording, or has no name */
export function namedBlob(media: Recording, filename: string | undefined): NamedBlob {
  if (!isRecording(media)) throw new TypeError('Only a recording can be sent in parts: a File, a Blob or bytes');
  const blob = media instanceof Blob ? media : new Blob([media]);
  const name = filename ?? (typeof File !== 'undefined' && media instanceof File ? media.name : undefined);
  if (name === undefined)
    throw new TypeError('filename is missing: its extension determines the format of the recording');
  return { blob, name };
}

/** The options that are sent to the service. */
export function analysisOptions(options: AnalysisOptionsInput): AnalysisOptionsInput {
  const { goal, speakers, recogniser, quality, words, language, roles, redact, affect, recorded_at, time_zone } =
    options;
  return { goal, speakers, recogniser, quality, words, language, roles, redact, affect, recorded_at, time_zone };
}

/**
 * The request for an analysis, with a new body for each attempt.
 * @param path where recordings are sent; URLs and retained uploads have paths below it
 */
export function analysisCall(
  path: 'analyze' | 'analyze/stream',
  media: Media,
  options: MediaOptions,
): [path: string, call: Pick<Call, 'method' | 'headers' | 'body'>] {
  if (isRecording(media))
    return [path, { method: 'POST', body: uploadForm(namedBlob(media, options.filename), options) }];
  if (!('url' in media)) {
    const kept: KeptUploadRequest = { conversation_id: media.conversation_id };
    return [`${path}/kept`, jsonCall('POST', kept)];
  }
  const { filename } = options;
  const file = { url: String(media.url), filename, ...analysisOptions(options) };
  return [`${path}/url`, jsonCall('POST', file satisfies RemoteFileRequest)];
}

const uploadForm =
  ({ blob, name }: NamedBlob, options: AnalysisOptionsInput): (() => FormData) =>
  () => {
    const form = new FormData();
    for (const [option, value] of Object.entries(analysisOptions(options)))
      if (value !== undefined) form.set(option, typeof value === 'object' ? JSON.stringify(value) : String(value));
    form.set('file', blob, name);
    return form;
  };
