import { unstable_startWorker } from 'wrangler';
import { ROOT } from './command.ts';

// The Worker in the local runtime, as `npm start` runs it. Wrangler is started through its API, because `wrangler dev`
// always opens an inspector, through which any program on this machine can read the secrets and run code with every
// binding.

const [port, state, settings] = process.argv.slice(2);
if (!port || !state || !settings) throw new Error('worker-process.ts takes a port, a folder and a settings file');

process.chdir(ROOT);
const worker = await unstable_startWorker({
  config: 'wrangler.toml',
  envFiles: [settings],
  dev: {
    server: { hostname: '127.0.0.1', port: Number(port) },
    inspector: false,
    // Keeps other Workers on this machine from binding to this one.
    registry: undefined,
    persist: state,
    testScheduled: true,
  },
});
// The runtime cannot continue, so this process exits and `npm start` restarts it.
worker.raw.on('error', ({ reason, cause }: { reason?: string; cause?: unknown }) => {
  console.error(reason ?? 'the local runtime failed', cause ?? '');
  process.exit(1);
});
