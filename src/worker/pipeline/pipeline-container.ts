import { Container } from '@cloudflare/containers';
import { containerVariables, recogniserHosts } from '../../contract/container-settings.ts';
import type { Env } from '../env.ts';

/** The port the image's server listens on. */
const PIPELINE_PORT = 8080;
/** What its object says where the runtime has no containers; `wrangler dev` shows it to a developer once. */
export const NO_CONTAINERS = 'no containers here: the pipeline of `npm run pipeline` is asked in their place';

declare module '../env.ts' {
  interface Env {
    PIPELINE: DurableObjectNamespace<PipelineContainer>;
  }
}

/**
 * One container of the pipeline. Without a container engine there is none, and a plain process stands in its place (see
 * hosts.ts).
 */
export class PipelineContainer extends Container<Env> {
  override defaultPort = PIPELINE_PORT;
  override pingEndpoint = 'localhost/healthz';
  /** An open response counts as activity, so a running analysis is never put to sleep. */
  override sleepAfter = '10m';
  override enableInternet = false;
  /** Of all the internet it reaches the operator's own recogniser, where there is one. */
  override allowedHosts = recogniserHosts(this.env);
  override envVars = { ...containerVariables(this.env), PORT: String(PIPELINE_PORT) };

  constructor(ctx: DurableObjectState<object>, env: Env) {
    if (ctx.container === undefined) throw new Error(NO_CONTAINERS);
    super(ctx, env);
  }

  /** What `/healthz` says; null where the container is not running. Neither starts it nor keeps it awake. */
  async health(): Promise<string | null> {
    const { container } = this.ctx;
    if (!container?.running) return null;
    const answer = await container.getTcpPort(PIPELINE_PORT).fetch('http://pipeline/healthz');
    return answer.text();
  }

  /** Answers where there are containers, and starts none. */
  isHere(): true {
    return true;
  }
}
