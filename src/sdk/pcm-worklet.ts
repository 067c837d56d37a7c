// Runs in a browser's audio thread. TypeScript's libraries have no types for audio worklets.
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new (options: Options) => AudioWorkletProcessor): void;

interface Options {
  processorOptions: { samples: number };
}

/** Number of samples that `process` receives at a time. */
const SILENCE = new Float32Array(128);

/**
 * Collects samples as 16-bit little-endian integers and posts them in chunks. At the end it posts the rest, and then
 * null.
 */
class PcmProcessor extends AudioWorkletProcessor {
  readonly #chunk: DataView<ArrayBuffer>;
  #filled = 0;
  #isOver = false;

  constructor({ processorOptions }: Options) {
    super();
    this.#chunk = new DataView(new ArrayBuffer(2 * processorOptions.samples));
    this.port.onmessage = () => {
      this.#isOver = true;
      this.#post();
      this.port.postMessage(null);
    };
  }

  process([input]: Float32Array[][]): boolean {
    // Without a device there is no input, which counts as silence.
    for (const sample of input?.[0] ?? SILENCE) {
      const whole = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
      this.#chunk.setInt16(this.#filled, whole, true);
      this.#filled += 2;
      if (this.#filled === this.#chunk.byteLength) this.#post();
    }
    return !this.#isOver;
  }

  #post(): void {
    if (this.#filled > 0) this.port.postMessage(this.#chunk.buffer.slice(0, this.#filled));
    this.#filled = 0;
  }
}

registerProcessor('undertone-pcm', PcmProcessor);
