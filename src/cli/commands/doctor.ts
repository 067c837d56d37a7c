import { lookup } from 'node:dns/promises';
import type { Command } from 'commander';
import { Undertone, UndertoneError } from '../../sdk/index.ts';
import { EXIT } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { isExposed, type ServiceOptions, serviceOf, settingsPath } from '../settings.ts';
import { outputOf } from '../terminal.ts';

/** Oldest supported Node version. */
const MIN_NODE = [20, 12] as const;
/** Clock difference above which signatures and expiry checks fail, seconds. */
const MAX_SKEW_S = 60;

interface Finding {
  isOk: boolean;
  text: string;
  /** Advice for when the check fails. */
  help?: string;
}

export function addDoctor(program: Command, run: CommandRun): void {
  program
    .command('doctor')
    .description('Check what the command needs: Node, the address, the service, the key')
    .option('--json', 'print each check as a line of JSON')
    .action(async (_, self: Command) => {
      const options = self.optsWithGlobals<ServiceOptions & { json?: true }>();
      const { paint } = outputOf(process.stdout);
      let isOk = true;
      for await (const finding of findings(options, run.signal)) {
        isOk &&= finding.isOk;
        if (options.json) {
          await print(
            JSON.stringify({ ok: finding.isOk, text: finding.text, ...(!finding.isOk && { help: finding.help }) }),
          );
          continue;
        }
        await print(`${finding.isOk ? paint('green', '✓') : paint('red', '✗')} ${finding.text}`);
        if (!finding.isOk && finding.help !== undefined) await print(`  ${finding.help}`);
      }
      process.exitCode = isOk ? EXIT.done : EXIT.failed;
    });
}

/** Runs the checks in order, and stops when the remaining ones are pointless. */
async function* findings(options: ServiceOptions, signal: AbortSignal): AsyncGenerator<Finding, void> {
  yield nodeFinding(process.versions.node);
  if (isExposed())
    yield { isOk: false, text: `Other users can read ${settingsPath()}`, help: `chmod 600 ${settingsPath()}` };
  const { url, key } = serviceOf(options);
  yield { isOk: true, text: `The service is ${url.value} (${url.from})` };
  const { hostname } = new URL(url.value);
  const address = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
  yield address
    ? { isOk: true, text: `${hostname} resolves to ${address.address}` }
    : { isOk: false, text: `${hostname} cannot be resolved`, help: 'Check the network and the address' };
  if (!address) return;

  let skew: number | undefined;
  const dated: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get('Date') ?? '');
    skew = Number.isNaN(date) ? undefined : Math.abs(Date.now() - date) / 1000;
    return response;
  };
  const begun = performance.now();
  const service = new Undertone({ url: url.value, fetch: dated, retries: 1, ...(key && { key: key.value }) });
  const health = await service.health({ signal }).catch((error: unknown) => error);
  signal.throwIfAborted();
  if (health instanceof Error) {
    const help = 'Start it with npm start, or choose another service with --url or UNDERTONE_URL';
    yield { isOk: false, text: `The service does not respond: ${health.message}`, help };
    return;
  }
  yield { isOk: true, text: `The service responds in ${Math.round(performance.now() - begun)} ms` };
  if (skew !== undefined && skew > MAX_SKEW_S)
    yield {
      isOk: false,
      text: `Its clock differs from this computer's by ${Math.round(skew)} s`,
      help: 'Correct the clock',
    };
  if (!key) {
    yield { isOk: false, text: 'No key is set', help: 'Run undertone login, or set UNDERTONE_API_KEY' };
    return;
  }
  yield await keyFinding(service, key.from, signal);
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOk = major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
  return { isOk, text: `Node ${version}`, help: `Install Node ${MIN_NODE.join('.')} or later` };
}

async function keyFinding(service: Undertone, from: string, signal: AbortSignal): Promise<Finding> {
  try {
    await service.conversations.list({ limit: 1 }, { signal });
    return { isOk: true, text: `The key (${from}) is valid` };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof UndertoneError ? `${error.code}: ${error.message}` : String(error);
    // A key without the scope `read` is still valid.
    if (error instanceof UndertoneError && error.status === 403)
      return { isOk: true, text: `The key (${from}) is valid, but cannot read: ${why}` };
    return { isOk: false, text: `The key (${from}) was refused: ${why}`, help: 'Run undertone login with another key' };
  }
}
