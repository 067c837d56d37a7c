import { join } from 'node:path';
import { experimental_readRawConfig } from 'wrangler';
import { ROOT } from '../start/command.ts';
import { CONFIGURATIONS, type ConfigurationName } from './configurations.ts';
import type { Environment } from './environments.ts';

export type Application = 'a' | 'b';
export const otherOf = (application: Application): Application => (application === 'a' ? 'b' : 'a');

/** Everything in which two versions of an environment's Worker can differ, besides code. */
export interface WorkerVersion {
  configuration: ConfigurationName;
  /** The application that gets new work. */
  application: Application;
  /** The image of each application. */
  images: Record<Application, string>;
  /** The tenant whose work goes to the other application. A version without one is a release. */
  trialTenant?: string;
}

/** The classes of the container applications in wrangler.toml. */
const CLASSES: Record<string, Application> = { PipelineContainer: 'a', PipelineContainerB: 'b' };

/** The parts of wrangler.toml that differ between environments. */
interface RawConfig {
  main: string;
  assets: { directory: string };
  vars: Record<string, string>;
  r2_buckets: { binding: string }[];
  workflows: object[];
  containers: { class_name: string; image: string; image_build_context?: string }[];
}

/**
 * wrangler.toml for one environment and one version, as an object for a JSON file anywhere: paths are absolute. The
 * version's variables say what `npm run rollback` has to know (`PIPELINE_IMAGE`).
 */
export function workerConfig(environment: Environment, version: WorkerVersion): object {
  const { rawConfig } = experimental_readRawConfig({ config: join(ROOT, 'wrangler.toml') });
  const raw = rawConfig as unknown as RawConfig;
  const { worker, buckets, workflow, applications, instances, isWorkersDev, host, regions, jurisdiction } = environment;
  // Each of these has its jurisdiction from its creation.
  const kept = jurisdiction !== undefined && { jurisdiction };
  const { vars, hasWorkersAi } = CONFIGURATIONS[version.configuration];
  const { application, images, trialTenant } = version;
  return {
    ...raw,
    name: worker,
    main: join(ROOT, raw.main),
    assets: { ...raw.assets, directory: join(ROOT, raw.assets.directory) },
    workers_dev: isWorkersDev,
    preview_urls: false,
    ...(!isWorkersDev && { routes: [{ pattern: host, custom_domain: true }] }),
    vars: {
      ...raw.vars,
      ...vars,
      POOL_MAX: String(instances),
      ...(regions.length > 0 && { POOL_REGIONS: regions.join() }),
      ...(jurisdiction !== undefined && { JURISDICTION: jurisdiction }),
      PIPELINE_APPLICATION: application,
      PIPELINE_IMAGE: images[application],
      ...(trialTenant !== undefined && { PIPELINE_TRIAL_TENANT: trialTenant }),
    },
    ...(hasWorkersAi && { ai: { binding: 'AI' } }),
    r2_buckets: raw.r2_buckets.map((one) => ({ ...one, bucket_name: buckets[one.binding], ...kept })),
    // Names of data sets have no hyphens. `npm start` has no such binding, and sends nothing.
    analytics_engine_datasets: [{ binding: 'POINTS', dataset: worker.replaceAll('-', '_') }],
    workflows: raw.workflows.map((one) => ({ ...one, name: workflow, ...kept })),
    containers: raw.containers.map(({ image_build_context: _, ...one }) => {
      const own = CLASSES[one.class_name];
      if (own === undefined) throw new Error(`wrangler.toml: ${one.class_name} is neither application`);
      const constraints = {
        ...(regions.length > 0 && { regions: regions.map((region) => region.toUpperCase()) }),
        ...kept,
      };
      return {
        ...{ ...one, name: applications[own], image: images[own], max_instances: instances },
        ...(Object.keys(constraints).length > 0 && { constraints }),
      };
    }),
  };
}
