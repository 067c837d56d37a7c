import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { Misuse } from './exits.ts';

/**
 * Reads a JSON object. The service validates its members.
 *
 * @param file a path, or - for standard input
 * @param members the members that the object must have, in words
 * @throws Misuse if there is no such file, or no such object in it
 */
export async function objectIn<T extends object>(
  file: string,
  members: string,
  isOne: (body: Record<string, unknown>) => boolean = () => true,
): Promise<T> {
  let text: string;
  try {
    text = file === '-' ? await textOf(process.stdin) : await readFile(file, 'utf8');
  } catch {
    throw new Misuse(`${file}: no such file`);
  }
  try {
    const body: unknown = JSON.parse(text);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (isObject && isOne(body as Record<string, unknown>)) return body as T;
  } catch {
    // The failure is reported below.
  }
  throw new Misuse(`${file === '-' ? 'Standard input' : file} must be a JSON object with ${members}`);
}
