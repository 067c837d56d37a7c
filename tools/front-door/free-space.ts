import { statfsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../src/contract/errors.ts';

/**
 * Free space below which the service accepts no more recordings, bytes. On a full disk, the local runtime cannot delete
 * and does not always answer. Running analyses write their results to this reserve.
 */
const RESERVE_BYTES = 256 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Interval of checks while a body arrives, ms. Even a fast disk cannot fill the reserve in that time. */
const LOOK_MS = 200;

const RECORDINGS = /^\/(analyze|uploads)(\/|$)/;
/** Requests that finalize or end a recording. They free space or need little. */
const CONCLUDES = /\/(finalize|cancel|complete)$/;

/** Free space for a user's files, bytes. */
export type FreeSpace = () => number;

/** Free space of the disk with a folder. */
export function freeSpaceOf(folder: string): FreeSpace {
  return () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
}

/** Whether a request brings a recording or a part of one. */
export function bringsRecording(method: string | undefined, target: string): boolean {
  const path = target.split('?')[0]!;
  return (method === 'POST' || method === 'PUT') && RECORDINGS.test(path) && !CONCLUDES.test(path);
}

/** The refusal of a recording. Undefined while there is room. */
export function refusedForSpace(freeSpace: FreeSpace): ServiceError | undefined {
  if (freeSpace() >= RESERVE_BYTES) return undefined;
  const detail = `The disk of this service has less than ${RESERVE_BYTES / MEGABYTE} MB free: make room, then try again`;
  return new ServiceError('STORAGE_FULL', detail);
}

/** Watches the space while a body arrives, and calls back once when it is used up. */
export function watchSpace(
  incoming: IncomingMessage,
  freeSpace: FreeSpace,
  onFull: (error: ServiceError) => void,
): void {
  const timer = setInterval(() => {
    const refusal = refusedForSpace(freeSpace);
    if (!refusal) return;
    clearInterval(timer);
    onFull(refusal);
  }, LOOK_MS);
  incoming.once('end', () => clearInterval(timer));
  incoming.once('close', () => clearInterval(timer));
}
