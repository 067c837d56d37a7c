import { Container } from '@cloudflare/containers';
import { containerVariables, recogniserHosts, usesTls } from '../../contract/container-settings.ts';
import type { Env } from '../identity/env.ts';
import { AI_HOST, transcribeByWorkersAi } from './workers-ai-recogniser.ts';

/** The port the image's server listens on. */
const PIPELINE_PORT = 8080;
/** Where the platform lays the certificate under which it looks into what a container asks by TLS; Node trusts it by a variable. */
const PLATFORM_CA = '/etc/cloudflare/certs/cloudflare-containers-ca.crt';
/** What its object says where the runtime has no containers; `wrangler dev` shows it to a developer once. */
export const NO_CONTAINERS = 'no containers here: the pipeline of `npm run pipeline` is asked in their place';

declare module '../identity/env.ts' {
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
  /** Of all the internet it reaches the operator's own recogniser, where there is one: by TLS only if the platform may look into it. */
  override allowedHosts = recogniserHosts(this.env);
  override interceptHttps = usesTls(this.env);
  override envVars = {
    ...containerVariables(this.env),
    ...(usesTls(this.env) && { NODE_EXTRA_CA_CERTS: PLATFORM_CA }),
    PORT: String(PIPELINE_PORT),
  };

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

// A setter of the class keeps the handlers; a static field would stand before it and be found by nobody.
PipelineContainer.outboundByHost = { [AI_HOST]: transcribeByWorkersAi };
