import { buildDocs } from '../scripts/docs/build.ts';
import { buildDashboard } from '../scripts/start/dashboard.ts';
import { buildWorkers } from '../support/worker-build.ts';
import { requireFfmpeg } from '../tools/machine.ts';

let done: Promise<void> | undefined;

/** Runs once before the tests of a project: installs or requests ffmpeg as `npm start` does, and builds pages and Workers. */
export default function setUp(): Promise<void> {
  done ??= build();
  return done;
}

async function build(): Promise<void> {
  requireFfmpeg((line) => console.log(line));
  await buildDashboard((line) => console.log(line));
  await buildDocs();
  await buildWorkers();
}
