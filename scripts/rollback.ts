import { namedEnvironment, OUTSIDE, withStatus } from './deploy/command.ts';
import { rollback } from './deploy/deployment.ts';

// `npm run rollback -- staging|production`: back to the release before (docs/operations/deploying.md).

process.exitCode = await withStatus(async () => {
  const [name, ...more] = process.argv.slice(2);
  const environment = more.length > 0 ? undefined : namedEnvironment(name);
  if (environment === undefined) {
    console.error('npm run rollback -- staging|production');
    return 2;
  }
  await rollback(environment, OUTSIDE);
  return 0;
});
