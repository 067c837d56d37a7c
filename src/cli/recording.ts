import { execFileSync } from 'node:child_process';
import { closeSync, openAsBlob, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Media } from '../sdk/index.ts';
import { Misuse } from './exits.ts';

export interface NamedMedia {
  media: Media;
  /** The name to display. */
  name: string;
  filename?: string;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isConversationId = (text: string): boolean => ID.test(text);

/** Opens a file, a URL, or a retained upload by its id. @throws Misuse */
export async function mediaOf(where: string): Promise<NamedMedia> {
  if (/^https?:\/\//i.test(where)) return { media: { url: where }, name: where };
  if (!isFile(where)) {
    if (isConversationId(where)) return { media: { conversation_id: where }, name: where };
    throw new Misuse(`${where}: no such file`);
  }
  const filename = basename(where);
  return { media: await openAsBlob(where), name: filename, filename };
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The duration of a file from its RIFF header or ffprobe, s. Undefined if neither states it. */
export function durationOf(path: string): number | undefined {
  return waveDuration(path) ?? probedDuration(path);
}

function waveDuration(path: string): number | undefined {
  const header = Buffer.alloc(4096);
  const file = openSync(path, 'r');
  const length = readSync(file, header, 0, header.length, 0);
  closeSync(file);
  if (header.toString('latin1', 0, 4) !== 'RIFF' || header.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= length; ) {
    const size = header.readUInt32LE(at + 4);
    const id = header.toString('latin1', at, at + 4);
    if (id === 'fmt ' && at + 20 <= length) bytesPerSecond = header.readUInt32LE(at + 16);
    if (id === 'data') {
      const bytes = Math.min(size, statSync(path).size - at - 8);
      return bytesPerSecond > 0 ? bytes / bytesPerSecond : undefined;
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function probedDuration(path: string): number | undefined {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', '--', path];
  try {
    const seconds = Number(execFileSync('ffprobe', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return seconds > 0 ? seconds : undefined;
  } catch {
    return undefined;
  }
}
