import { Container } from '@cloudflare/containers';
import { containerVariables, recogniserHosts, usesTls } from '../../contract/container-settings.ts';
import type { Env } from '../identity/env.ts';
import { AI_HOST, transcribeByWorkersAi } from './workers-ai-recogniser.ts';

/** The port the image's server listens on. */
const PIPELINE_PORT = 8080;
/**
 * The platform's certificate for inspecting a container's TLS requests. An environment variable makes Node trust it.
 */
const PLATFORM_CA = '/etc/cloudflare/certs/cloudflare-containers-ca.crt';
/** The error that the object throws in a runtime without containers. `wrangler dev` shows it once. */
export const NO_CONTAINERS = 'no containers here: the pipeline of `npm run pipeline` is used instead';

declare module '../identity/env.ts' {
  interface Env {
    /** Application `a` and application `b` (`PIPELINE_APPLICATION`). */
    PIPELINE: DurableObjectNamespace<PipelineContainer>;
    PIPELINE_B: DurableObjectNamespace<PipelineContainer>;
  }
}

/** A container of the pipeline. Without a container engine, a plain process is used instead (`hosts.ts`). */
export class PipelineContainer extends Container<Env> {
  override defaultPort = PIPELINE_PORT;
  override pingEndpoint = 'localhost/healthz';
  /** An open response counts as activity, so a running analysis keeps the container awake. */
  override sleepAfter = '10m';
  override enableInternet = false;
  /**
   * The operator's own recogniser, if there is one, is the only host that the container can reach. TLS works only if
   * the platform may inspect it.
   */
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

  /**
   * The body of `/healthz`, or null when the container is not running. The call neither starts the container nor keeps
   * it awake.
   */
  async health(): Promise<string | null> {
    const { container } = this.ctx;
    if (!container?.running) return null;
    const response = await container.getTcpPort(PIPELINE_PORT).fetch('http://pipeline/healthz');
    return response.text();
  }

  /** Succeeds in a runtime with containers. It starts none. */
  isHere(): true {
    return true;
  }
}

/** The same as an application of its own, whose image is deployed and tried while the other one works. */
export class PipelineContainerB extends PipelineContainer {}

// A setter of each class registers the handlers; a static field would hide it.
for (const application of [PipelineContainer, PipelineContainerB])
  application.outboundByHost = { [AI_HOST]: transcribeByWorkersAi };
