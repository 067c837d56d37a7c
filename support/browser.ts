import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const BUILD = join(import.meta.dirname, '../build');
/** System libraries that Chromium needs and a small Debian lacks. */
const LIBRARIES = ['libnss3'];
const UNPACK = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()";

/** The path of a Chromium: the one that `CHROMIUM` names, or one from an npm package, unpacked once. */
export function chromiumPath(): string {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folder = join(BUILD, 'chromium');
  const path = join(folder, 'chromium');
  if (!existsSync(path)) {
    mkdirSync(BUILD, { recursive: true });
    const unpacked = mkdtempSync(join(BUILD, 'chromium-'));
    const env = { ...process.env, TMPDIR: unpacked };
    execFileSync(process.execPath, ['--input-type=module', '-e', UNPACK], { cwd: import.meta.dirname, env });
    try {
      renameSync(unpacked, folder);
    } catch {
      // Another test unpacked it first.
      rmSync(unpacked, { recursive: true });
    }
  }
  if (!runs(path)) installLibraries();
  return path;
}

const runs = (path: string): boolean => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;

function installLibraries(): void {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...LIBRARIES];
  if (process.getuid?.() !== 0) throw new Error(`Chromium does not run: apt-get install ${LIBRARIES.join(' ')}`);
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
  execFileSync('apt-get', install, { stdio: 'ignore', env });
}

/**
 * Opens a browser whose microphone plays a recording in a loop.
 * @param microphone a PCM WAV file; a tone when absent
 * @param answer the browser's answer to a request for the microphone
 */
export function openBrowser(microphone?: string, answer: 'yes' | 'no' = 'yes'): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--no-zygote'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      '--use-fake-device-for-media-stream',
      answer === 'yes' ? '--use-fake-ui-for-media-stream' : '--use-fake-ui-for-media-stream=deny',
      '--autoplay-policy=no-user-gesture-required',
      ...(microphone === undefined ? [] : [`--use-file-for-fake-audio-capture=${microphone}`]),
    ],
  });
}
