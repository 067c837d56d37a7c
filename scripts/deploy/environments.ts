import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  JURISDICTION_REGIONS,
  JURISDICTIONS,
  type Jurisdiction,
  type PoolRegion,
  REGIONS,
} from '../../src/contract/regions.ts';
import { ROOT } from '../start/command.ts';

export const ENVIRONMENT_NAMES = ['staging', 'production'] as const;
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number];

/** The operator's description of the environments. */
const ENVIRONMENTS_FILE = 'deploy/environments.json';
const WORKERS_DEV = '.workers.dev';
/** Concurrent vCPU of an account (developers.cloudflare.com/containers/platform/limits/). */
const ACCOUNT_VCPU = 1500;
/** vCPU of a container of the type in wrangler.toml, standard-3. */
const INSTANCE_VCPU = 2;
/** Regions that cannot be the only ones of a container application (developers.cloudflare.com/containers/concepts/placement/). */
const SMALL_REGIONS: readonly PoolRegion[] = ['me', 'oc', 'afr'];
/** During a deployment, both applications can have all their instances. */
const APPLICATIONS = 2;

const EnvironmentSchema = z.strictObject({
  host: z
    .string()
    .regex(/^[a-z0-9.-]+$/, `must be the host name of the service; write yours into ${ENVIRONMENTS_FILE}`)
    .refine((host) => !host.endsWith('.example.com'), `is an example; write yours into ${ENVIRONMENTS_FILE}`),
  regions: z.array(z.enum(REGIONS)).default([]),
  jurisdiction: z.enum(JURISDICTIONS).optional(),
  instances: z
    .number()
    .int()
    .min(1)
    .max(ACCOUNT_VCPU / INSTANCE_VCPU / APPLICATIONS, `must fit the ${ACCOUNT_VCPU} vCPU of an account`),
});
const FileSchema = z.strictObject({ staging: z.unknown(), production: z.unknown() });

/** One deployment of the service, with names that no other one has. */
export interface Environment {
  name: EnvironmentName;
  /** Name of the Worker. */
  worker: string;
  /** Names of the buckets of the bindings MEDIA and BACKUP. */
  buckets: Record<string, string>;
  workflow: string;
  /** Names of the container applications `a` and `b`. */
  applications: { a: string; b: string };
  /** Repository of the images in Cloudflare's registry. */
  images: string;
  /** Host name of the service. */
  host: string;
  url: string;
  isWorkersDev: boolean;
  /** Containers of each application. */
  instances: number;
  /** Regions of the containers, the main one first. Empty: Cloudflare chooses. */
  regions: readonly PoolRegion[];
  /** The jurisdiction in which all data and work stays. */
  jurisdiction: Jurisdiction | undefined;
}

export class EnvironmentFault extends Error {}

/** @throws EnvironmentFault that names the wrong member */
export function environmentOf(
  name: EnvironmentName,
  text = readFileSync(join(ROOT, ENVIRONMENTS_FILE), 'utf8'),
): Environment {
  const read = EnvironmentSchema.safeParse(FileSchema.parse(JSON.parse(text))[name]);
  if (!read.success) {
    const [{ path, message }] = read.error.issues as [z.core.$ZodIssue];
    throw new EnvironmentFault(`${ENVIRONMENTS_FILE}: ${[name, ...path].join('.')} ${message}`);
  }
  const { host, instances, regions, jurisdiction } = read.data;
  const inside: readonly PoolRegion[] = jurisdiction === undefined ? REGIONS : JURISDICTION_REGIONS[jurisdiction];
  const outside = regions.find((region) => !inside.includes(region));
  if (outside !== undefined)
    throw new EnvironmentFault(
      `${ENVIRONMENTS_FILE}: ${name}.regions has ${outside}, which is outside ${jurisdiction}`,
    );
  if (regions.length > 0 && regions.every((region) => SMALL_REGIONS.includes(region)))
    throw new EnvironmentFault(
      `${ENVIRONMENTS_FILE}: ${name}.regions must name a region besides ${SMALL_REGIONS.join(', ')}, where Cloudflare has little room for containers`,
    );
  const worker = name === 'production' ? 'undertone' : `undertone-${name}`;
  const isWorkersDev = host.endsWith(WORKERS_DEV);
  if (isWorkersDev && !new RegExp(`^${worker}\\.[a-z0-9-]+\\.workers\\.dev$`).test(host))
    throw new EnvironmentFault(
      `${ENVIRONMENTS_FILE}: ${name}.host must be ${worker}.<your subdomain>${WORKERS_DEV} or a domain of your own`,
    );
  return {
    name,
    worker,
    buckets: { MEDIA: `${worker}-media`, BACKUP: `${worker}-backup` },
    workflow: `${worker}-analysis`,
    applications: { a: `${worker}-pipeline-a`, b: `${worker}-pipeline-b` },
    images: `${worker}-pipeline`,
    host,
    url: `https://${host}`,
    isWorkersDev,
    instances,
    regions,
    jurisdiction,
  };
}
