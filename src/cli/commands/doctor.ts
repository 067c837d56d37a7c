import { lookup } from 'node:dns/promises';
import type { Command } from 'commander';
import { Undertone, UndertoneError } from '../../sdk/index.ts';
import { EXIT } from '../exits.ts';
import { type CommandRun, print } from '../run.ts';
import { isExposed, type ServiceOptions, serviceOf, settingsPath } from '../settings.ts';
import { paperOf } from '../terminal.ts';

/** Node this was made for. */
const LEAST_NODE = [20, 12] as const;
/** Further apart two clocks make signatures and expiries go wrong, seconds. */
const MOST_SKEW_S = 60;

interface Finding {
  isWell: boolean;
  what: string;
  /** What to do where it is not. */
  help?: string;
}

export function addDoctor(program: Command, run: CommandRun): void {
  program
    .command('doctor')
    .description('Look at what the command needs: this machine, the address, the service, the key')
    .action(async (_, self: Command) => {
      const { paint } = paperOf(process.stdout);
      let isWell = true;
      for await (const finding of findings(self.optsWithGlobals<ServiceOptions>(), run.signal)) {
        isWell &&= finding.isWell;
        await print(`${finding.isWell ? paint('green', '✓') : paint('red', '✗')} ${finding.what}`);
        if (!finding.isWell && finding.help !== undefined) await print(`  ${finding.help}`);
      }
      process.exitCode = isWell ? EXIT.done : EXIT.failed;
    });
}

/** One after the other, to the first without which the others make no sense. */
async function* findings(options: ServiceOptions, signal: AbortSignal): AsyncGenerator<Finding, void> {
  yield nodeFinding(process.versions.node);
  if (isExposed())
    yield { isWell: false, what: `Others can read ${settingsPath()}`, help: `chmod 600 ${settingsPath()}` };
  const { url, key } = serviceOf(options);
  yield { isWell: true, what: `The service is ${url.value} (${url.from})` };
  const { hostname } = new URL(url.value);
  const address = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
  yield address
    ? { isWell: true, what: `${hostname} is ${address.address}` }
    : { isWell: false, what: `${hostname} is not known`, help: 'Is the network there, and the address right?' };
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
    const help = 'Start it with npm start, or name another with --url or UNDERTONE_URL';
    yield { isWell: false, what: `It does not answer: ${health.message}`, help };
    return;
  }
  yield { isWell: true, what: `It answers, in ${Math.round(performance.now() - begun)} ms` };
  if (skew !== undefined && skew > MOST_SKEW_S)
    yield { isWell: false, what: `Its clock is ${Math.round(skew)} s from this one`, help: 'Set the clock' };
  if (!key) {
    yield { isWell: false, what: 'There is no key', help: 'undertone login, or set UNDERTONE_API_KEY' };
    return;
  }
  yield await keyFinding(service, key.from, signal);
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isWell = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return { isWell, what: `Node ${version}`, help: `Node ${LEAST_NODE.join('.')} or later is needed` };
}

async function keyFinding(service: Undertone, from: string, signal: AbortSignal): Promise<Finding> {
  try {
    await service.conversations.list({ limit: 1 }, { signal });
    return { isWell: true, what: `The key (${from}) is good` };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof UndertoneError ? `${error.code}: ${error.message}` : String(error);
    // A key without the scope to read is a key all the same.
    if (error instanceof UndertoneError && error.status === 403)
      return { isWell: true, what: `The key (${from}) is good; ${why}` };
    return { isWell: false, what: `The key (${from}) is not taken: ${why}`, help: 'undertone login, with another' };
  }
}
