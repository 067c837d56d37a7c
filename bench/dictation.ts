import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CheckoutService } from './checkout-service.ts';

// A transcription endpoint (`ASR_URL`) that answers with the turns of a written dialogue, so that any text can be
// analysed as a whole. One recording provides the voices, and each of its segments is answered with one turn.

const WAV_HEADER_BYTES = 44;
const BYTES_PER_SECOND = 32_000;
/** Longest answer to a segment that the service accepts: this many words per second, and at least ten words. */
const WORDS_PER_SECOND = 10;
const LEAST_WORDS = 10;

interface Slot {
  /** Digest of the segment's WAV file. */
  digest: string;
  mostWords: number;
}

export class Dictation {
  readonly #recording: File;
  readonly #server: Server;
  /** Digest of a segment -> the text that it is answered with. Null while the segments are being found. */
  #texts: Map<string, string> | null = null;
  #found = new Map<string, Slot>();
  readonly #slots = new WeakMap<CheckoutService, Promise<Slot[]>>();

  private constructor(recording: File) {
    this.#recording = recording;
    this.#server = createServer((request, response) => {
      this.#answer(request).then(
        (text) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ text })),
        () => response.writeHead(400).end(),
      );
    });
  }

  static async start(recording: File): Promise<Dictation> {
    const dictation = new Dictation(recording);
    dictation.#server.listen(0, '127.0.0.1');
    await once(dictation.#server, 'listening');
    return dictation;
  }

  /** Settings with which a service transcribes through this endpoint. */
  get settings(): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo;
    return { ASR_URL: `http://127.0.0.1:${port}/v1`, ASR_MODEL: 'dictation' };
  }

  /**
   * The analysis of as many turns of a dialogue as the recording has segments. Call it for one dialogue at a time.
   * @param end uses its last turns instead of its first
   */
  async analysis(service: CheckoutService, turns: string[], goal: string, end: boolean): Promise<Response> {
    if (!this.#slots.has(service)) this.#slots.set(service, this.#slotsOf(service));
    const slots = await this.#slots.get(service)!;
    const from = end ? Math.max(0, turns.length - slots.length) : 0;
    this.#texts = new Map(
      slots.map(({ digest, mostWords }, i) => [
        digest,
        (turns[from + i] ?? '').split(/\s+/).slice(0, mostWords).join(' '),
      ]),
    );
    return this.#analyse(service, goal);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /**
   * The recording's segments in order of time. They are found by an analysis that answers each with a numbered word.
   */
  async #slotsOf(service: CheckoutService): Promise<Slot[]> {
    this.#texts = null;
    this.#found = new Map();
    const { timeline } = (await (await this.#analyse(service, '')).json()) as { timeline: { text: string }[] };
    const found = [...this.#found.values()];
    const order = timeline.flatMap(({ text }) => [...text.matchAll(/slot(\d+)/gi)].map(([, n]) => found[Number(n)]!));
    if (order.length === 0) throw new Error('the service did not ask the transcription endpoint');
    return order;
  }

  #analyse(service: CheckoutService, goal: string): Promise<Response> {
    const body = new FormData();
    body.set('recogniser', 'endpoint');
    body.set('goal', goal);
    body.set('file', this.#recording);
    return service.send('/analyze', { method: 'POST', body });
  }

  async #answer(request: IncomingMessage): Promise<string> {
    const headers = { 'Content-Type': request.headers['content-type']! };
    const file = (await new Response(await buffer(request), { headers }).formData()).get('file') as File;
    const bytes = new Uint8Array(await file.arrayBuffer());
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (this.#texts) return this.#texts.get(digest) ?? '';
    const seconds = (bytes.length - WAV_HEADER_BYTES) / BYTES_PER_SECOND;
    const mostWords = Math.max(LEAST_WORDS, Math.floor(WORDS_PER_SECOND * seconds));
    const number = [...this.#found.keys()].indexOf(digest);
    if (number < 0) this.#found.set(digest, { digest, mostWords });
    return `slot${number < 0 ? this.#found.size - 1 : number}`;
  }
}
