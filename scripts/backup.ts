import { parseArgs } from 'node:util';
import { runBackup } from './deploy/backup.ts';
import { namedEnvironment, withStatus } from './deploy/command.ts';

// `npm run backup` and `npm run restore`: docs/operations/backup.md.

const USAGE = `npm run backup -- --env staging|production
npm run restore -- --env staging|production

Copies everything that has changed into the bucket BACKUP of a service, or brings back from there what is missing and was
not erased. ADMIN_TOKEN is the operator's secret.

  --env  the environment, from deploy/environments.json
  --url  address of the service, in place of an environment`;

async function main(): Promise<number> {
  const [route, ...args] = process.argv.slice(2);
  let values: { env?: string; url?: string };
  try {
    ({ values } = parseArgs({ args, options: { env: { type: 'string' }, url: { type: 'string' } } }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  return withStatus(async () => {
    const url = values.url ?? namedEnvironment(values.env)?.url;
    const adminToken = process.env.ADMIN_TOKEN;
    if ((route !== 'backup' && route !== 'restore') || !url || !URL.canParse(url) || !adminToken) {
      console.error(`${adminToken ? '' : 'ADMIN_TOKEN is not set.\n\n'}${USAGE}`);
      return 2;
    }
    const { tenants, objects, bytes, removed } = await runBackup(route, {
      url,
      adminToken,
      onStep: ({ objects: copied }, cursor) => cursor && console.log(`${copied} objects; next: ${cursor}`),
    });
    console.log(
      `${route} of ${url}: ${tenants} tenants, ${objects} objects (${(bytes / 1e6).toFixed(1)} MB) copied, ${removed} copies of erased ones removed`,
    );
    return 0;
  });
}

process.exitCode = await main();
