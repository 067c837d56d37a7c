import { answers, CannotStart } from './machine.ts';
import { ProcessGroup } from './process-group.ts';

/** Loading the models takes seconds; a machine under load may take many. */
const START_MS = 120_000;
/** Waits before starting again: doubles from the first to the last, and begins anew after a long life. */
const AGAIN_MS = { first: 200, last: 5_000, longLife: 30_000 };
/** Deaths in a row before it was ever ready, after which the start has failed. */
const MAX_FAILED_STARTS = 3;

/** The pipeline as a plain process, started again whenever it ends. */
export class PipelineProcess {
  readonly #port: number;
  readonly #say: (line: string) => void;
  #group: ProcessGroup | undefined;
  #ready = Promise.withResolvers<void>();
  #stopping = false;

  constructor(port: number, say: (line: string) => void) {
    this.#port = port;
    this.#say = say;
  }

  /** Resolves when it answers for the first time, and keeps it running from then on. */
  async start(): Promise<void> {
    for (let attempt = 1; !(await this.#launch()); attempt++) {
      if (this.#stopping) return;
      if (attempt === MAX_FAILED_STARTS)
        throw new CannotStart('The pipeline does not start; its lines above say why. Is "npm ci" complete?');
    }
    void this.#keep();
  }

  /** Its port, once it answers. */
  async port(): Promise<number> {
    await this.#ready.promise;
    return this.#port;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#group?.stop();
  }

  async #launch(): Promise<boolean> {
    if (this.#stopping) return false;
    const group = new ProcessGroup('pipeline', ['containers/pipeline/server.ts'], {
      PORT: String(this.#port),
      // The pipeline asks for no key: only this machine may reach it, wherever the service itself listens.
      HOST: '127.0.0.1',
    });
    this.#group = group;
    const isReady = await answers(`http://127.0.0.1:${this.#port}/healthz`, START_MS, group.ended);
    if (isReady) this.#ready.resolve();
    else await group.stop();
    return isReady;
  }

  async #keep(): Promise<void> {
    let wait = AGAIN_MS.first;
    for (;;) {
      const born = Date.now();
      const how = await this.#group?.ended;
      if (this.#stopping) return;
      this.#ready = Promise.withResolvers();
      if (Date.now() - born > AGAIN_MS.longLife) wait = AGAIN_MS.first;
      this.#say(`the pipeline ended (${how}); starting it again`);
      do {
        await new Promise((resolve) => setTimeout(resolve, wait));
        wait = Math.min(wait * 2, AGAIN_MS.last);
        if (this.#stopping) return;
      } while (!(await this.#launch()));
      this.#say('the pipeline is ready again');
    }
  }
}
