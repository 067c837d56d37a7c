/** One of the two applications of containers (`PIPELINE_APPLICATION`), and the number of a container in it, from 0. */
export interface NamedContainer {
  application: 'a' | 'b';
  number: number;
}

/** The name of a container in the pool. */
export const containerName = (application: NamedContainer['application'], number: number): string =>
  `${application}-${number}`;

/** The container with a name; undefined for the address of a process. */
export function containerNamed(name: string): NamedContainer | undefined {
  const parts = /^([ab])-(\d+)$/.exec(name);
  return parts ? { application: parts[1] === 'b' ? 'b' : 'a', number: Number(parts[2]) } : undefined;
}
