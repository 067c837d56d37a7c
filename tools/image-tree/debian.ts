import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Tree } from './tree.ts';

/** Documentation that Debian's slim images leave out. */
const DOCUMENTS = ['doc', 'info', 'locale', 'man'];
const NODE = join(import.meta.dirname, '../../node_modules/node');

/** A tree that stands in for the base image, and the size of its parts. */
export interface Base {
  tree: Tree;
  parts: { name: string; bytes: number }[];
}

/**
 * Builds the contents of an image `node:<version>-<release>-slim`, without yarn, corepack and Node's headers: Debian's
 * essential packages by this machine's apt, the project's Node, and the npm that runs this.
 * @param work an empty folder
 * @throws Error when this machine has another release, or the project another Node
 */
export function makeBase(tag: string, work: string): Base {
  const [, version, release] = /^node:([\d.]+)-(\w+)-slim(?:@sha256:[\da-f]{64})?$/.exec(tag) ?? [];
  const here = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (!version || !release) throw new Error(`the base is to be node:<version>-<release>-slim[@<digest>], not ${tag}`);
  if (release !== here) throw new Error(`the base is of Debian ${release}; this machine is of ${here}`);
  const { version: node } = JSON.parse(readFileSync(join(NODE, 'package.json'), 'utf8')) as { version: string };
  if (node !== version) throw new Error(`the base has Node ${version}; the project has ${node}`);
  const npm = process.env.npm_execpath && dirname(dirname(process.env.npm_execpath));
  if (!npm) throw new Error('start it with: npm run bench -- image-tree');

  const tree = new Tree(join(work, 'base'));
  bootstrap(tree.folder, release, join(work, 'bootstrap'));
  for (const name of DOCUMENTS) rmSync(tree.path('usr/share', name), { recursive: true, force: true });
  const debian = tree.bytes();
  tree.run('useradd --create-home --uid 1000 --user-group node');
  tree.take([join(NODE, 'bin/node')], '/usr/local/bin/');
  cpSync(npm, tree.path('usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', tree.path('usr/local/bin/npm'));
  const parts = [
    { name: `Debian ${release}`, bytes: debian },
    { name: `Node ${version}`, bytes: tree.bytes('usr/local/bin/node') },
    { name: 'npm', bytes: tree.bytes('usr/local/lib/node_modules/npm') },
  ];
  return { tree, parts };
}

/** Installs Debian's essential packages, apt and the library that Node needs, with Debian's own tool. */
function bootstrap(folder: string, release: string, work: string): void {
  mkdirSync(work);
  execFileSync('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', 'mmdebstrap'], {
    cwd: work,
    stdio: 'pipe',
  });
  const [archive] = readdirSync(work);
  execFileSync('dpkg-deb', ['-x', archive!, '.'], { cwd: work });
  const lists = [
    '/etc/apt/sources.list',
    ...readdirSync('/etc/apt/sources.list.d').map((n) => `/etc/apt/sources.list.d/${n}`),
  ];
  const sources = lists.filter((path) => /\.(list|sources)$/.test(path) && existsSync(path));
  const options = [
    '--mode=root',
    '--variant=minbase',
    '--include=libatomic1,usr-is-merged',
    '--dpkgopt=force-unsafe-io',
  ];
  const merged = `--hook-dir=${join(work, 'usr/share/mmdebstrap/hooks/merged-usr')}`;
  // Tools in this folder are called by name.
  const PATH = `${join(work, 'usr/bin')}:${process.env.PATH}`;
  const args = [join(work, 'usr/bin/mmdebstrap'), ...options, merged, release, folder, ...sources];
  execFileSync('perl', args, { env: { ...process.env, PATH }, stdio: 'pipe', maxBuffer: 1 << 28 });
}
