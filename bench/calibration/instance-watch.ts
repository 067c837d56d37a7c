import type { PoolInstanceBody } from '../../src/contract/operations.ts';

export type WatchedInstance = Pick<PoolInstanceBody, 'name' | 'state' | 'live'>;

/** Containers are named after their application and number, other pipelines after their address. */
export const isContainer = ({ name }: WatchedInstance): boolean => !name.includes('://');

/** Starts and use of the instances of a pool, from repeated readings. */
export class InstanceWatch {
  /** Seconds from the first reading of a container that starts to the first in which it is ready. */
  readonly startsS: number[] = [];
  /** Time that containers ran, all of them together. */
  containerMs = 0;
  /** The most pipelines with live sessions at once, since the start of a step. */
  mostInUse = 0;
  readonly #starting = new Map<string, number>();
  #last: number | undefined;

  newStep(): void {
    this.mostInUse = 0;
  }

  /** @param at time of the reading, ms */
  saw(instances: readonly WatchedInstance[], at: number): void {
    const containers = instances.filter(isContainer);
    this.containerMs += containers.length * (at - (this.#last ?? at));
    this.#last = at;
    this.mostInUse = Math.max(this.mostInUse, instances.filter(({ live }) => live.used > 0).length);
    for (const { name, state } of containers)
      if (state === 'starting') this.#starting.set(name, this.#starting.get(name) ?? at);
      else {
        const begun = this.#starting.get(name);
        if (begun !== undefined && state === 'ready') this.startsS.push((at - begun) / 1000);
        this.#starting.delete(name);
      }
    // A container that disappears before it was ready has not started.
    for (const name of this.#starting.keys())
      if (!containers.some((one) => one.name === name)) this.#starting.delete(name);
  }
}
