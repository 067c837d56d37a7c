import { seeded } from '../../support/random.ts';

/** A marker that an attempt writes wherever it can, so that its texts are recognised wherever they appear. */
export const CANARY = /zq(\d+)c(?![a-z0-9])/;

/**
 * All random choices of one attempt. The same seed and index result in the same attempt, regardless of earlier ones.
 */
export class Dice {
  readonly canary: string;
  readonly #random: () => number;

  constructor(seed: number, index: number, canary = `zq${index}c`) {
    this.canary = canary;
    this.#random = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  }

  /** Restarts the same sequence of choices at each call. */
  fork(): () => Dice {
    const seed = this.whole(0, 2 ** 31);
    return () => new Dice(seed, 0, this.canary);
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  /** One of `[weight, value]`. */
  weighted<T>(list: readonly (readonly [number, T])[]): T {
    let left = this.#random() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    return list.at(-1)![1];
  }

  bytes(count: number): Buffer {
    return Buffer.from(Uint8Array.from({ length: count }, () => this.#random() * 256));
  }
}
