import { availableParallelism } from 'node:os';
import { engines } from '../../containers/pipeline/recognition/engines.ts';
import { ModelFileFault } from '../../containers/pipeline/recognition/profile/model-files.ts';
import { provideProfile } from '../../containers/pipeline/recognition/profile/profiled.ts';
import { pipelineSettings } from '../../containers/pipeline/settings.ts';
import { CannotStart } from '../../tools/machine.ts';
import { say } from './command.ts';
import { KeptProcess } from './kept-process.ts';
import { ProcessGroup } from './process-group.ts';
import { orCannotStart } from './worker-settings.ts';

/**
 * The variables with which one of several pipelines starts. Unless `RECOGNITION_WORKERS` is set, they divide the cores
 * between them, so that together they admit only as many live sessions as the machine carries.
 * @throws SettingError for an invalid setting
 */
export function pipelineVariables(
  port: number,
  pipelines: number,
  env: NodeJS.ProcessEnv = process.env,
  cores = availableParallelism(),
): Record<string, string> {
  const own = {
    PORT: String(port),
    // The pipeline requires no key, so only this machine may reach it, whatever address the service listens on.
    HOST: '127.0.0.1',
    // Ctrl-C ends everything immediately.
    DRAIN_SECONDS: '0',
    // The service of `npm start` lists it.
    POOL_URL: '',
  };
  const { recognitionWorkers } = pipelineSettings({ ...env, ...own }, Math.max(1, Math.floor(cores / pipelines)));
  return { ...own, RECOGNITION_WORKERS: String(recognitionWorkers) };
}

/**
 * The pipeline as a plain process, restarted when it exits. The files of a recogniser's profile must already be
 * present.
 * @param pipelines that run on this machine
 * @throws CannotStart for an invalid setting, or a file that is missing or differs from its digest
 */
export async function pipelineProcess(port: number, pipelines = 1): Promise<KeptProcess> {
  const own = orCannotStart(() => pipelineVariables(port, pipelines));
  const settings = orCannotStart(() => {
    const read = pipelineSettings({ ...process.env, ...own });
    engines(read);
    return read;
  });
  await provideProfile(settings).catch((cause: unknown) => {
    throw cause instanceof ModelFileFault ? new CannotStart(`${cause.message}.`) : cause;
  });
  const launch = (): ProcessGroup => new ProcessGroup('pipeline', ['containers/pipeline/server.ts'], own);
  return new KeptProcess({ name: 'the pipeline', port, healthPath: '/readyz', launch, say });
}
