import { pathToFileURL } from 'node:url';
import { createTestHarness, type TestHarness } from 'wrangler';
import './quiet-runtime.ts';
import { builtWorker, configOf, EXTENDED, MAIN } from './worker-build.ts';

export { EXTENDED, MAIN };

export interface WorkerOptions {
  /** Tables to append to wrangler.toml. */
  more?: string;
  /** The entry, relative to the root. */
  main?: string;
}

/** The Worker in workerd. @param vars override the ones in wrangler.toml */
export async function startWorker(vars: Record<string, string>, options: WorkerOptions = {}): Promise<TestHarness> {
  const { more = '', main = MAIN } = options;
  const isBuiltOnce = main === MAIN || main === EXTENDED;
  const harness = createTestHarness({
    workers: [
      {
        configPath: pathToFileURL(configOf(main, more)),
        vars,
        ...(isBuiltOnce && { prebuiltWorkerDir: pathToFileURL(`${await builtWorker(main)}/`) }),
      },
    ],
  });
  await harness.listen();
  return harness;
}
