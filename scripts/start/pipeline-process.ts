import { engines } from '../../containers/pipeline/recognition/engines.ts';
import { pipelineSettings } from '../../containers/pipeline/settings.ts';
import { say } from './command.ts';
import { KeptProcess } from './kept-process.ts';
import { ProcessGroup } from './process-group.ts';
import { orCannotStart } from './worker-settings.ts';

/**
 * The pipeline as a plain process, started again whenever it ends.
 * @throws CannotStart for a setting that does not fit
 */
export function pipelineProcess(port: number): KeptProcess {
  const own = {
    PORT: String(port),
    // The pipeline asks for no key: only this machine may reach it, wherever the service itself listens.
    HOST: '127.0.0.1',
    // Ctrl-C ends everything at once.
    DRAIN_SECONDS: '0',
  };
  orCannotStart(() => engines(pipelineSettings({ ...process.env, ...own })));
  const launch = (): ProcessGroup => new ProcessGroup('pipeline', ['containers/pipeline/server.ts'], own);
  return new KeptProcess({ name: 'the pipeline', port, healthPath: '/healthz', launch, say });
}
