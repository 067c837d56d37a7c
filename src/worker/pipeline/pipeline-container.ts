import { Container } from '@cloudflare/containers';
import { containerVariables } from '../../contract/container-settings.ts';
import type { Env } from '../env.ts';

/** The port the image's server listens on. */
const PIPELINE_PORT = 8080;

/**
 * One container of the pipeline. Constructed in production only: without a container engine its constructor throws,
 * and `RUNTIME_URL` names a plain process instead (see pipeline.ts).
 */
export class PipelineContainer extends Container<Env> {
  override defaultPort = PIPELINE_PORT;
  override pingEndpoint = 'localhost/healthz';
  /** An open response counts as activity, so a running analysis is never put to sleep. */
  override sleepAfter = '10m';
  override enableInternet = false;
  override envVars = { ...containerVariables(this.env), PORT: String(PIPELINE_PORT) };
}
