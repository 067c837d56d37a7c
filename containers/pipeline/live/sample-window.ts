/** The newest part of a stream of samples. Samples are numbered from the stream's start. */
export class SampleWindow {
  #samples: Float32Array<ArrayBuffer> = new Float32Array(0);
  #first = 0;
  #end = 0;

  /** Number of samples seen so far. */
  get end(): number {
    return this.#end;
  }

  push(samples: Float32Array): void {
    const kept = this.#end - this.#first;
    if (kept + samples.length > this.#samples.length) {
      const larger = new Float32Array(Math.max(2 * this.#samples.length, kept + samples.length));
      larger.set(this.#samples.subarray(0, kept));
      this.#samples = larger;
    }
    this.#samples.set(samples, kept);
    this.#end += samples.length;
  }

  /** A copy of the samples from `start` up to but not including `end`. Both are clamped to the window. */
  slice(start: number, end: number): Float32Array<ArrayBuffer> {
    const from = Math.max(start, this.#first) - this.#first;
    return this.#samples.slice(from, Math.max(from, Math.min(end, this.#end) - this.#first));
  }

  /** Discards the samples before number `start`. */
  forget(start: number): void {
    const drop = Math.min(start, this.#end) - this.#first;
    if (drop <= 0) return;
    this.#samples.copyWithin(0, drop, this.#end - this.#first);
    this.#first += drop;
  }
}
