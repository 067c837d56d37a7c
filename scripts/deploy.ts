import { parseArgs } from 'node:util';
import { namedEnvironment, OUTSIDE, withStatus } from './deploy/command.ts';
import { CONFIGURATION_NAMES } from './deploy/configurations.ts';
import { deploy } from './deploy/deployment.ts';

// `npm run deploy -- staging|production`: docs/operations/deploying.md.

const USAGE = `npm run deploy -- staging|production [--configuration built-in|recommended]

Deploys the commit of the working tree. ADMIN_TOKEN is the operator's secret. The first deployment also needs
KEY_PEPPER, and asks which configuration is wanted.`;

async function main(): Promise<number> {
  let values: { configuration?: string; help?: boolean };
  let positionals: string[];
  try {
    const options = { configuration: { type: 'string' }, help: { type: 'boolean' } } as const;
    ({ values, positionals } = parseArgs({ options, allowPositionals: true }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const configuration = CONFIGURATION_NAMES.find((name) => name === values.configuration);
  const isWrong = positionals.length !== 1 || (values.configuration !== undefined && configuration === undefined);
  return withStatus(async () => {
    const environment = isWrong ? undefined : namedEnvironment(positionals[0]);
    if (environment === undefined) {
      console.error(USAGE);
      return 2;
    }
    await deploy({ environment, configuration }, OUTSIDE);
    return 0;
  });
}

process.exitCode = await main();
