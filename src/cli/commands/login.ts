import type { Command } from 'commander';
import { Undertone } from '../../sdk/index.ts';
import { Misuse } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { removeSettings, type ServiceOptions, serviceOf, settingsPath, storeSettings } from '../settings.ts';

/** Length limit of a key, characters. */
const MAX_KEY_CHARS = 512;

export function addLogin(program: Command, run: CommandRun): void {
  program
    .command('login')
    .description('Ask for a key, check it, and store it in a private file')
    .option('--json', 'print the address and the path as JSON')
    .addHelpText(
      'after',
      `
Examples:
  $ undertone login
  $ undertone login --url https://undertone.example.com
  $ echo "$KEY" | undertone login`,
    )
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { json?: true }>();
      const url = serviceOf({ ...options, key: undefined }).url.value;
      const key = options.key ?? (await readKey(url, run.signal));
      if (key === '' || key.length > MAX_KEY_CHARS) throw new Misuse('This is not a key');
      run.show('Checking the key');
      // Needs the scope `read`, which keys have by default.
      await new Undertone({ url, key, onRetry: run.onRetry }).conversations.list({ limit: 1 }, { signal: run.signal });
      storeSettings({ url, key });
      if (options.json) await print(JSON.stringify({ url, path: settingsPath() }));
      else run.note(`Stored for ${url} in ${settingsPath()}`);
    });
  program
    .command('logout')
    .description('Remove the stored key')
    .option('--json', 'print the path and whether there was a key as JSON')
    .action(async ({ json }: { json?: true }) => {
      const removed = removeSettings();
      if (json) await print(JSON.stringify({ path: settingsPath(), removed }));
      else run.note(removed ? `Removed: ${settingsPath()}` : 'There is no stored key.');
    });
}

/** Reads the key from the terminal without echo, or from the first line of a pipe. */
async function readKey(url: string, signal: AbortSignal): Promise<string> {
  const { stdin, stderr } = process;
  const isTyped = stdin.isTTY === true;
  if (isTyped) {
    stderr.write(`Key for ${url}: `);
    stdin.setRawMode(true);
  }
  try {
    return await new Promise((resolve, reject) => {
      let typed = '';
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      stdin.on('data', (bytes) => {
        for (const letter of String(bytes)) {
          // A raw terminal sends Ctrl-C and Ctrl-D as characters.
          if (letter === '\u0003') return void process.emit('SIGINT');
          if (letter === '\r' || letter === '\n' || letter === '\u0004') return resolve(typed.trim());
          typed =
            letter === '\u007f' || letter === '\b' ? typed.slice(0, -1) : (typed + letter).slice(0, MAX_KEY_CHARS + 1);
        }
      });
      stdin.on('end', () => resolve(typed.trim()));
    });
  } finally {
    if (isTyped) {
      stdin.setRawMode(false);
      stderr.write('\n');
    }
    stdin.destroy();
  }
}
