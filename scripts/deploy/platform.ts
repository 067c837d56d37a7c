import { z } from 'zod';
import type { Environment } from './environments.ts';
import { type Application, otherOf } from './worker-config.ts';

/** Runs a program. @returns what it printed to stdout @throws CommandFault */
export type RunProgram = (program: 'wrangler' | 'docker' | 'git', args: readonly string[]) => Promise<string>;

/** A program that ended with another status than 0. */
export class CommandFault extends Error {
  readonly output: string;

  constructor(program: string, args: readonly string[], output: string) {
    super(`${program} ${args.join(' ')} failed:\n${output.trim()}`);
    this.output = output;
  }
}

/** Why nothing was deployed, and what to do. */
export class DeployFault extends Error {}

const WhoSchema = z.object({
  loggedIn: z.boolean().optional(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
});
const ContainersSchema = z.array(z.object({ name: z.string(), image: z.string().optional() }));
const SecretsSchema = z.array(z.object({ name: z.string() }));
const DeploymentSchema = z.object({
  created_on: z.string(),
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })).min(1),
});
const VersionSchema = z.object({
  id: z.string(),
  resources: z.object({
    bindings: z.array(z.object({ type: z.string(), name: z.string(), text: z.string().optional() })),
  }),
});
/**
 * wrangler's errors for a Worker and for a bucket that do not exist. Nothing else may look like them: without a Worker,
 * both applications get the new image.
 */
const NO_WORKER = /\[code: 10007\]|Worker "[^"]+"[^"]* not found|has no deployments/;
const NO_BUCKET = /\[code: 10006\]|bucket does not exist/;

/** A version of the Worker that was deployed. */
export interface DeployedVersion {
  id: string;
  vars: Record<string, string>;
  application: Application;
  /** The image of its application. Undefined for a version that `npm run deploy` did not make. */
  image: string | undefined;
  /** Whether it served every tenant with its application. */
  isRelease: boolean;
}

/** `versions` is in the order of the first deployment, newest first. */
export interface Deployed {
  current: DeployedVersion;
  versions: DeployedVersion[];
}

/** An environment on Cloudflare, through wrangler. */
export class Platform {
  readonly #environment: Environment;
  readonly #run: RunProgram;

  constructor(environment: Environment, run: RunProgram) {
    this.#environment = environment;
    this.#run = run;
  }

  wrangler(...args: string[]): Promise<string> {
    return this.#run('wrangler', args);
  }

  async #json<T>(schema: z.ZodType<T>, ...args: string[]): Promise<T> {
    const text = await this.wrangler(...args);
    // wrangler may print a banner first.
    const from = text.search(/[[{]/);
    return schema.parse(JSON.parse(from < 0 ? text : text.slice(from)));
  }

  async #jsonUnlessNew<T>(schema: z.ZodType<T>, ...args: string[]): Promise<T | undefined> {
    try {
      return await this.#json(schema, ...args);
    } catch (error) {
      if (error instanceof CommandFault && NO_WORKER.test(error.output)) return undefined;
      throw error;
    }
  }

  /** The account's id. @throws DeployFault when nobody is logged in, or the account is not certain */
  async account(chosen = process.env.CLOUDFLARE_ACCOUNT_ID): Promise<string> {
    const { loggedIn = true, accounts = [] } = await this.#json(WhoSchema, 'whoami', '--json');
    if (!loggedIn || accounts.length === 0) throw new DeployFault('Nobody is logged in. Run: npx wrangler login');
    if (chosen !== undefined) return chosen;
    if (accounts.length === 1) return accounts[0]!.id;
    const names = accounts.map(({ id, name }) => `${name} (${id})`).join(', ');
    throw new DeployFault(`Set CLOUDFLARE_ACCOUNT_ID to one of: ${names}`);
  }

  /** The image of each container application that exists. Only an account on the Workers Paid plan can ask. */
  async images(): Promise<Partial<Record<Application, string>>> {
    const listed = await this.#json(ContainersSchema, 'containers', 'list', '--json');
    const imageOf = (application: Application) =>
      listed.find(({ name }) => name === this.#environment.applications[application])?.image;
    return { a: imageOf('a'), b: imageOf('b') };
  }

  async requireBuckets(): Promise<void> {
    const { buckets, jurisdiction } = this.#environment;
    const where = jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction];
    for (const bucket of Object.values(buckets))
      try {
        await this.wrangler('r2', 'bucket', 'info', bucket, '--json', ...where);
      } catch (error) {
        if (!(error instanceof CommandFault && NO_BUCKET.test(error.output))) throw error;
        throw new DeployFault(
          `A bucket is missing. Run: ${['npx wrangler r2 bucket create', bucket, ...where].join(' ')}`,
        );
      }
  }

  /** Names of the Worker's secrets; none before its first deployment. */
  async secrets(): Promise<string[]> {
    const listed = await this.#jsonUnlessNew(SecretsSchema, 'secret', 'list', '--name', this.#environment.worker);
    return (listed ?? []).map(({ name }) => name);
  }

  /** The version that serves, and the latest others; undefined for a new Worker. */
  async deployed(): Promise<Deployed | undefined> {
    const name = ['--name', this.#environment.worker, '--json'];
    const deployments = await this.#jsonUnlessNew(z.array(DeploymentSchema), 'deployments', 'list', ...name);
    if (deployments === undefined || deployments.length === 0) return undefined;
    const oldestFirst = deployments.toSorted((a, b) => a.created_on.localeCompare(b.created_on));
    const idOf = ({ versions }: z.infer<typeof DeploymentSchema>): string => versions[0]!.version_id;
    const versions: DeployedVersion[] = [];
    for (const id of new Set(oldestFirst.map(idOf)))
      versions.unshift(versionOf(await this.#json(VersionSchema, 'versions', 'view', id, ...name)));
    const current = versions.find(({ id }) => id === idOf(oldestFirst.at(-1)!))!;
    return { current, versions };
  }

  /** Builds and pushes the image. @returns its name in the registry */
  async pushImage(account: string, commit: string): Promise<string> {
    const tag = `${this.#environment.images}:${commit}`;
    const platform = ['--platform', 'linux/amd64'];
    await this.#run('docker', ['build', ...platform, '-f', 'containers/pipeline/Dockerfile', '-t', tag, '.']);
    await this.wrangler('containers', 'push', tag);
    return `registry.cloudflare.com/${account}/${tag}`;
  }

  /** @param secrets a file with secrets that the Worker does not have yet */
  async deploy(configFile: string, message: string, secrets: string | undefined): Promise<void> {
    // An application whose image does not change is left alone.
    const options = ['--config', configFile, '--message', message, '--containers-rollout', 'immediate'];
    await this.wrangler('deploy', ...options, ...(secrets === undefined ? [] : ['--secrets-file', secrets]));
  }

  async rollback(version: string, reason: string): Promise<void> {
    await this.wrangler('rollback', version, '--name', this.#environment.worker, '--yes', '--message', reason);
  }
}

function versionOf({ id, resources }: z.infer<typeof VersionSchema>): DeployedVersion {
  const vars = Object.fromEntries(
    resources.bindings.flatMap(({ type, name, text }) =>
      type === 'plain_text' && text !== undefined ? [[name, text]] : [],
    ),
  );
  return {
    id,
    vars,
    application: vars.PIPELINE_APPLICATION === 'b' ? 'b' : 'a',
    image: vars.PIPELINE_IMAGE,
    isRelease: vars.PIPELINE_IMAGE !== undefined && !vars.PIPELINE_TRIAL_TENANT,
  };
}

/** The part of an image's name after the colon: the commit. */
export const tagOf = (image: string | undefined): string | undefined => image?.split(':').at(-1);

/**
 * The release that served before the current version: an older one, on the other application (on the same one, if the
 * current version is a trial), which still has its image.
 */
export function releaseBefore(
  { current, versions }: Deployed,
  images: Partial<Record<Application, string>>,
): DeployedVersion | undefined {
  const wanted = current.isRelease ? otherOf(current.application) : current.application;
  return versions
    .slice(versions.indexOf(current) + 1)
    .find(
      ({ isRelease, application, image }) =>
        isRelease && application === wanted && tagOf(image) === tagOf(images[application]),
    );
}
