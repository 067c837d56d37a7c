import type { Command } from 'commander';
import { Undertone } from '../../sdk/index.ts';
import { Misuse } from '../exits.ts';
import type { CommandRun } from '../run.ts';
import { forget, keep, type ServiceOptions, serviceOf, settingsPath } from '../settings.ts';

/** Longest key that is taken, characters. */
const MOST_KEY_CHARS = 512;

export function addLogin(program: Command, run: CommandRun): void {
  program
    .command('login')
    .description('Ask for a key, try it, and keep it for you alone')
    .addHelpText(
      'after',
      `
Examples:
  $ undertone login
  $ undertone login --url https://undertone.example.com
  $ echo "$KEY" | undertone login`,
    )
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions>();
      const url = serviceOf({ ...options, key: undefined }).url.value;
      const key = options.key ?? (await askedKey(url, run.signal));
      if (key === '' || key.length > MOST_KEY_CHARS) throw new Misuse('That is no key');
      run.say('Trying it');
      // Tried on what any key may read.
      await new Undertone({ url, key, onRetry: run.onRetry }).conversations.list({ limit: 1 }, { signal: run.signal });
      keep({ url, key });
      run.note(`Kept for ${url} in ${settingsPath()}`);
    });
  program
    .command('logout')
    .description('Forget the key that login kept')
    .action(() => run.note(forget() ? `Forgotten: ${settingsPath()}` : 'There was no key to forget.'));
}

/** Typed without being shown, or the first line of a pipe. */
async function askedKey(url: string, signal: AbortSignal): Promise<string> {
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
          // A raw terminal sends Ctrl-C and Ctrl-D as letters.
          if (letter === '\u0003') return void process.emit('SIGINT');
          if (letter === '\r' || letter === '\n' || letter === '\u0004') return resolve(typed.trim());
          typed =
            letter === '\u007f' || letter === '\b' ? typed.slice(0, -1) : (typed + letter).slice(0, MOST_KEY_CHARS + 1);
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
