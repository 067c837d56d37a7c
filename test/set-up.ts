import { buildDocs } from '../scripts/docs/build.ts';
import { buildDashboard } from '../scripts/start/dashboard.ts';
import { requireFfmpeg } from '../tools/machine.ts';

/** Before any test: what the pipeline needs of the machine is installed or asked for, as `npm start` does it. */
export default async function setUp(): Promise<void> {
  requireFfmpeg((line) => console.log(line));
  await buildDashboard((line) => console.log(line));
  await buildDocs();
}
