import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lineAt, ROOT, type SourceFile } from './sources.ts';

const LIST = 'scripts/check/rpc-methods.json';

/**
 * The methods of each class that is called by RPC, with the first deployed version that has them. Null for a method
 * that no deployment has yet.
 */
export type RpcMethods = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

export const listedMethods = (): RpcMethods => JSON.parse(readFileSync(join(ROOT, LIST), 'utf8'));

const REMOTE_CLASS = /^export class (\w+) extends (?:DurableObject|Container|RpcTarget)\b.*$/gm;
const METHOD = /^ {2}(?:override )?(?:async )?(?:get )?(\w+)(?:<[^>]*>)?\(/gm;
/** Methods that the runtime calls only in code of the same version. */
const OF_THE_RUNTIME = ['constructor', 'alarm', 'fetch'];

/** A public method or getter of a class that is called by RPC. */
interface RemoteMethod {
  of: string;
  name: string;
  path: string;
  line: number;
}

/** The public methods and getters that a Worker, or an object of another class, can call by RPC. */
export function remoteMethods(files: readonly SourceFile[]): RemoteMethod[] {
  const found: RemoteMethod[] = [];
  for (const { path, text } of files) {
    if (!path.startsWith('src/worker/')) continue;
    for (const { 1: of = '', index } of text.matchAll(REMOTE_CLASS)) {
      const end = text.indexOf('\n}', index);
      for (const { 1: name = '', index: at } of text.slice(index, end).matchAll(METHOD))
        if (!OF_THE_RUNTIME.includes(name)) found.push({ of, name, path, line: lineAt(text, index + at) });
    }
  }
  return found;
}

/**
 * RPC methods that are missing from the list or no longer exist, and calls of methods that no deployment has. For up to
 * five minutes after a deployment, new Workers call objects that still run the old code, where a new method is missing.
 */
export function rpcMethods(files: readonly SourceFile[], listed: RpcMethods = listedMethods()): string[] {
  const methods = remoteMethods(files);
  const unlisted = methods.filter(({ of, name }) => listed[of]?.[name] === undefined);
  const faults = unlisted.map(
    ({ of, name, path, line }) => `${path}:${line}: list the RPC method ${of}.${name} in ${LIST} (CONTRIBUTING.md)`,
  );
  for (const [of, names] of Object.entries(listed))
    for (const [name, since] of Object.entries(names)) {
      const own = methods.find((method) => method.of === of && method.name === name);
      if (!own) faults.push(`${LIST}: ${of}.${name} no longer exists: remove it once no deployed version calls it`);
      else if (since === null) faults.push(...calls(files, own));
    }
  return faults;
}

function calls(files: readonly SourceFile[], { of, name, path: own }: RemoteMethod): string[] {
  const callers = files.filter(({ path }) => path.startsWith('src/worker/') && path !== own);
  return callers.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`\\.${name}\\(`, 'g'))].map(
      ({ index }) =>
        `${path}:${lineAt(text, index)}: no deployed version has ${of}.${name}: call it one deployment later`,
    ),
  );
}
