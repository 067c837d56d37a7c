import { once } from 'node:events';
import type { TestProject } from 'vitest/node';
import { startServer } from '../support/pipeline-server.ts';
import setUp from './set-up.ts';

/** One pipeline process for all test files of the project. @returns ends it */
export default async function setUpService(project: TestProject): Promise<() => Promise<void>> {
  await setUp();
  const { server, port } = await startServer();
  project.provide('pipeline', `http://127.0.0.1:${port}`);
  return async () => {
    server.kill('SIGTERM');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  };
}
