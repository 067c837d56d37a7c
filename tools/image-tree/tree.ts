import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, cpSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';

/** Options for running a program in a tree. */
export interface RunOptions {
  /** In the tree. */
  folder?: string;
  user?: string;
  env?: Record<string, string>;
  /** Processor cores it may use; all by default. */
  cores?: number;
}

/** ELF's number of the machine. */
const ELF_X64 = 0x3e;
/** The magic numbers of Mach-O files: 64-bit, and universal. */
const FOREIGN = ['cffaedfe', 'cafebabe'].map((hex) => Buffer.from(hex, 'hex'));
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const CERTIFICATES = '/etc/lent-certificates.pem';
/** Paths of a machine's registry settings, and of their copies in a tree while one of its lines runs. */
const LENT = [
  ['/etc/resolv.conf', 'etc/resolv.conf'],
  ['/etc/hosts', 'etc/hosts'],
  [process.env.npm_config_userconfig ?? join(homedir(), '.npmrc'), 'root/.npmrc'],
  [process.env.NODE_EXTRA_CA_CERTS ?? '', CERTIFICATES],
] as const;
/** Network settings for lines that download. */
const LENT_VARIABLES = /^((https?|no)_proxy|npm_config_registry)$/i;

/**
 * The files of an image in a folder of this machine. Needs root, because its programs run with the folder as their
 * root.
 */
export class Tree {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The same files in another folder. */
  copy(folder: string): Tree {
    execFileSync('cp', ['--archive', this.folder, folder]);
    return new Tree(folder);
  }

  path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  /** Works as COPY does: a folder's contents, or files. @param target absolute, in the tree */
  take(sources: string[], target: string): void {
    for (const source of sources) {
      const isFolder = lstatSync(source).isDirectory();
      const into = isFolder || !(sources.length > 1 || target.endsWith('/')) ? target : join(target, basename(source));
      mkdirSync(this.path(target), { recursive: true });
      const filter = (path: string) =>
        !isFolder || !path.startsWith(process.cwd()) || basename(path) !== 'node_modules';
      cpSync(source, this.path(into), { recursive: true, filter, verbatimSymlinks: true, force: true });
    }
  }

  /** Works as RUN does. @throws with its output when it fails */
  run(command: string, folder = '/'): void {
    const lent = LENT.flatMap(([from, to]) => (existsSync(from) && !existsSync(this.path(to)) ? [{ from, to }] : []));
    const env = Object.entries(process.env).filter(([name, value]) => LENT_VARIABLES.test(name) && value);
    const fixed = { DEBIAN_FRONTEND: 'noninteractive', HOME: '/root', NODE_EXTRA_CA_CERTS: CERTIFICATES };
    const variables = { ...fixed, ...Object.fromEntries(env) };
    mkdirSync(this.path(folder), { recursive: true });
    for (const { from, to } of lent) cpSync(from, this.path(to), { dereference: true });
    try {
      const [program, ...args] = entering(this.folder, ['/bin/sh', '-c', command], { folder, env: variables });
      execFileSync(program!, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
      throw new Error(
        `failed: ${command}\n${String(stdout ?? '').slice(-2000)}${String(stderr ?? error).slice(-2000)}`,
      );
    } finally {
      for (const { to } of lent) rmSync(this.path(to), { force: true });
    }
  }

  /**
   * Works as CMD does: the program is the first of its container, and killing the returned process ends everything it
   * started.
   */
  start(command: string[], options: RunOptions): ChildProcess {
    const [program, ...args] = entering(this.folder, command, options);
    return spawn(program!, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /** Programs and libraries below a path that are not for Linux on x64, by their first bytes. */
  foreign(path: string): string[] {
    const found: string[] = [];
    for (const entry of readdirSync(this.path(path), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const head = headOf(file);
      const isElf = head.toString('latin1', 0, 4) === '\x7fELF';
      const isForeign = isElf
        ? head.readUInt16LE(18) !== ELF_X64
        : FOREIGN.some((magic) => head.subarray(0, 4).equals(magic));
      const isWindows = head.toString('latin1', 0, 2) === 'MZ' && /\.(dll|exe|node)$/i.test(entry.name);
      if (isForeign || isWindows) found.push(file.slice(this.folder.length));
    }
    return found;
  }

  /** Size of the files below a path. Each file is counted once, however many names it has. */
  bytes(path = '/', seen = new Set<number>()): number {
    const stat = lstatSync(this.path(path), { throwIfNoEntry: false });
    if (stat?.isDirectory())
      return readdirSync(this.path(path)).reduce((sum, name) => sum + this.bytes(join(path, name), seen), 0);
    if (!stat?.isFile() || seen.has(stat.ino)) return 0;
    seen.add(stat.ino);
    return stat.size;
  }
}

function headOf(file: string): Buffer {
  const head = Buffer.alloc(20);
  const handle = openSync(file, 'r');
  readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  return head;
}

/** The command line that runs a program in a tree with only its own processes visible. */
function entering(tree: string, command: string[], { folder = '/', user, env = {}, cores }: RunOptions): string[] {
  const place = resolve(tree);
  const variables = Object.entries({ PATH, ...env }).map(([name, value]) => `${name}=${value}`);
  return [
    ...['/usr/bin/unshare', '--mount', '--pid', '--fork', '--kill-child'],
    ...['/bin/sh', '-c', `/bin/mount -t proc proc '${place}/proc' && exec "$@"`, 'sh'],
    ...(cores ? ['/usr/bin/taskset', '--cpu-list', `0-${cores - 1}`] : []),
    ...['/usr/sbin/chroot', ...(user ? [`--userspec=${user}`] : []), place],
    ...['/usr/bin/env', '--ignore-environment', `--chdir=${folder}`, ...variables, ...command],
  ];
}
