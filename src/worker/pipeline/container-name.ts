import { type PoolRegion, REGIONS } from '../../contract/regions.ts';

/**
 * A container: one of the two applications (`PIPELINE_APPLICATION`), the region that its object was asked for
 * (`POOL_REGIONS`), if any, and its number in both, from 0.
 */
export interface NamedContainer {
  application: 'a' | 'b';
  region: PoolRegion | null;
  number: number;
}

/** The name of a container in the pool, such as `a-3` or `a-weur-3`. */
export const containerName = (
  application: NamedContainer['application'],
  number: number,
  region: PoolRegion | null = null,
): string => (region === null ? `${application}-${number}` : `${application}-${region}-${number}`);

/** The names that an application's containers can have. @param count containers of each region, or of all without any */
export const containerNames = (
  application: NamedContainer['application'],
  count: number,
  regions: readonly PoolRegion[],
): string[] =>
  (regions.length === 0 ? [null] : regions).flatMap((region) =>
    Array.from({ length: count }, (_, number) => containerName(application, number, region)),
  );

/** The container with a name; undefined for the address of a process. */
export function containerNamed(name: string): NamedContainer | undefined {
  const [, application, named, number] = /^([ab])-(?:([a-z]+)-)?(\d+)$/.exec(name) ?? [];
  const region = REGIONS.find((each) => each === named) ?? null;
  if (number === undefined || (named !== undefined && region === null)) return undefined;
  return { application: application === 'b' ? 'b' : 'a', region, number: Number(number) };
}
