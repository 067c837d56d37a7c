import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const BUILD = join(import.meta.dirname, '../build');
/** System libraries that Chromium needs and a minimal Debian lacks. */
const LIBRARIES = ['libnss3'];
const UNPACK = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()";

/** The path of a Chromium: the one named by `CHROMIUM`, or one from an npm package, unpacked once. */
function chromiumPath(): string {
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
      // Another test has already unpacked it.
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

let shared: Promise<Browser> | undefined;

/**
 * Opens a browser whose microphone plays a recording in a loop. Tests without a recording share one browser per process
 * and close only their own windows.
 * @param microphone a WAV file of PCM; by default a tone
 * @param answer response when a page requests the microphone
 */
export async function openBrowser(microphone?: string, answer: 'yes' | 'no' = 'yes'): Promise<Browser> {
  if (microphone !== undefined || answer === 'no' || !process.env.VITEST) return launch(microphone, answer);
  if (!(await shared)?.isConnected()) shared = launch().then(withoutEnd);
  return shared!;
}

/** Closing it closes its windows. The browser itself ends with the process. */
function withoutEnd(browser: Browser): Browser {
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  };
  return browser;
}

function launch(microphone?: string, answer: 'yes' | 'no' = 'yes'): Promise<Browser> {
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
