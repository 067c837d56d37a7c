import {
  CONFIGURATION_NAMES,
  type ConfigurationName,
  configurationOf,
  describeConfigurations,
} from './configurations.ts';
import { DeployedService } from './deployed-service.ts';
import type { Environment } from './environments.ts';
import { describeMiss, missesBetween, samplesOf } from './objectives.ts';
import { type Deployed, DeployFault, Platform, type RunProgram, releaseBefore, tagOf } from './platform.ts';
import type { SmokeCheck } from './smoke.ts';
import { otherOf, type WorkerVersion, workerConfig } from './worker-config.ts';

/** Time until every location runs a new version, ms. */
const SPREAD_MS = 30_000;
/** Longest wait for the idle application to finish its work, and time between looks, ms. A container drains for 14 min. */
const DRAIN_MS = 15 * 60_000;
const LOOK_MS = 30_000;
/** How long the objectives are watched after the switch, and time between looks, ms. */
const WATCH_MS = 10 * 60_000;
const WATCH_LOOK_MS = 60_000;
/** Readings of the counters that may fail in a row. */
const MOST_UNREAD = 3;
/** Without these secrets the service has no operator and no keys. */
const SECRETS = ['ADMIN_TOKEN', 'KEY_PEPPER'] as const;

/** Everything outside this process, so that a test can replace it. */
export interface Outside {
  run: RunProgram;
  fetch: typeof fetch;
  smoke(service: { url: string; key: string }): Promise<SmokeCheck[]>;
  /** Writes a file that only this user can read. @returns its path */
  write(name: string, text: string): string;
  remove(path: string): void;
  pause(ms: number): Promise<void>;
  now(): number;
  say(line: string): void;
  /** The operator's answer. Undefined without a terminal. */
  ask(question: string): Promise<string | undefined>;
  env: Readonly<Record<string, string | undefined>>;
}

export interface DeployOptions {
  environment: Environment;
  /** Undefined: that of the deployed version, or the operator's answer. */
  configuration?: ConfigurationName | undefined;
}

/**
 * Deploys the commit of the working tree. The image goes to the container application that is idle, is tried there
 * under a separate tenant, and gets everybody's work if it passes; the other application keeps the earlier image, so
 * that going back is one rollback of the Worker. It can be repeated after a failure at any step.
 * @throws DeployFault, CommandFault. The earlier release then serves, unless the message says otherwise.
 */
export async function deploy({ environment, configuration: wanted }: DeployOptions, outside: Outside): Promise<void> {
  const { say } = outside;
  const platform = new Platform(environment, outside.run);
  const { commit, account, secrets, adminToken } = await checked(environment, platform, outside);
  const deployed = await platform.deployed();
  const configuration = wanted ?? (await configurationFor(deployed, outside));
  const service = new DeployedService(environment.url, adminToken, outside.fetch);
  const steps = new Steps(environment, platform, service, outside, secrets);

  const images = await platform.images();
  const current = deployed?.current;
  // Also after a first deployment that broke off before its applications had the image.
  if (
    current === undefined ||
    current.image === undefined ||
    tagOf(images[current.application]) !== tagOf(current.image)
  ) {
    const image = await platform.pushImage(account, commit);
    await steps.deploy({ configuration, application: 'a', images: { a: image, b: image } }, `release ${commit}`);
    await steps.tryAs('release', await service.trialTenant());
    await service.removeTrials();
    say(`${environment.url} runs ${commit} (${configuration}), its first release`);
    return;
  }

  const previous = releaseBefore(deployed!, images);
  if (current.isRelease && tagOf(current.image) === commit && configurationOf(current.vars) === configuration) {
    say(`${commit} (${configuration}) already is the release; its objectives are watched once more`);
    await steps.watchOrGoBack(previous?.id);
    return;
  }
  const before = current.isRelease ? current : previous;
  const { application: active } = current;
  const idle = otherOf(active);
  const image = await platform.pushImage(account, commit);
  await steps.idleIsFree();
  const version = { configuration, images: { a: images.a ?? image, b: images.b ?? image, [idle]: image } };
  const tenant = await service.trialTenant();
  await steps.orGoBack(before?.id, async () => {
    await steps.deploy({ ...version, application: active, trialTenant: tenant }, `trial ${commit}`);
    await steps.tryAs('trial', tenant);
    say(`application ${idle} passed its trial and now gets all new work`);
    await steps.deploy({ ...version, application: idle }, `release ${commit}`);
  });
  await steps.watchOrGoBack(before?.id);
  say(`${environment.url} runs ${commit} (${configuration}) on application ${idle}; back with: npm run rollback`);
}

/** Goes back to the release before. @throws DeployFault when there is none whose image is still there */
export async function rollback(environment: Environment, outside: Pick<Outside, 'run' | 'say'>): Promise<void> {
  const platform = new Platform(environment, outside.run);
  await platform.account();
  const deployed = await platform.deployed();
  if (deployed === undefined) throw new DeployFault(`${environment.worker} was never deployed`);
  const before = releaseBefore(deployed, await platform.images());
  if (before === undefined)
    throw new DeployFault('There is no earlier release whose image is still deployed. Deploy its commit instead');
  await platform.rollback(before.id, `back from ${tagOf(deployed.current.image) ?? deployed.current.id}`);
  outside.say(`${environment.url} runs ${tagOf(before.image)} on application ${before.application} again`);
}

/** Everything that must be right before anything is changed. @throws DeployFault */
async function checked(environment: Environment, platform: Platform, { run, env, say }: Outside) {
  if ((await run('git', ['status', '--porcelain'])).trim() !== '')
    throw new DeployFault('The working tree has changes. Commit them, so that the image has a name');
  const commit = (await run('git', ['rev-parse', '--short=12', 'HEAD'])).trim();
  const account = await platform.account(env.CLOUDFLARE_ACCOUNT_ID);
  await platform.requireBuckets();
  // Also tells whether the account can have containers.
  await platform.images();
  const adminToken = env.ADMIN_TOKEN;
  if (!adminToken) throw new DeployFault('Set ADMIN_TOKEN, the operator’s secret: the deployment is tried with it');
  const known = await platform.secrets();
  const missing = SECRETS.filter((name) => !known.includes(name));
  const unset = missing.filter((name) => !env[name]);
  if (unset.length > 0)
    throw new DeployFault(
      `Set ${unset.join(' and ')} to random texts of 32 characters or more, and keep them: the Worker has none yet`,
    );
  say(`${commit} goes to ${environment.url}, account ${account}`);
  return { commit, account, adminToken, secrets: Object.fromEntries(missing.map((name) => [name, env[name]])) };
}

/** @throws DeployFault without an answer */
async function configurationFor(deployed: Deployed | undefined, { say, ask }: Outside): Promise<ConfigurationName> {
  if (deployed !== undefined) return configurationOf(deployed.current.vars);
  for (const line of describeConfigurations()) say(line);
  const answer = (await ask(`Which one (${CONFIGURATION_NAMES.join(' or ')})? `))?.trim();
  const chosen = CONFIGURATION_NAMES.find((name) => name === answer);
  if (chosen === undefined) throw new DeployFault(`Choose with --configuration ${CONFIGURATION_NAMES.join(' or ')}`);
  return chosen;
}

class Steps {
  readonly #environment: Environment;
  readonly #platform: Platform;
  readonly #service: DeployedService;
  readonly #outside: Outside;
  #secrets: Record<string, string | undefined>;

  constructor(
    environment: Environment,
    platform: Platform,
    service: DeployedService,
    outside: Outside,
    secrets: Record<string, string | undefined>,
  ) {
    this.#environment = environment;
    this.#platform = platform;
    this.#service = service;
    this.#outside = outside;
    this.#secrets = secrets;
  }

  async deploy(version: WorkerVersion, message: string): Promise<void> {
    const { write, remove, pause, say } = this.#outside;
    say(`deploying: ${message}`);
    const config = write(`${this.#environment.name}.json`, JSON.stringify(workerConfig(this.#environment, version)));
    const hasSecrets = Object.keys(this.#secrets).length > 0;
    const secrets = hasSecrets ? write('secrets.json', JSON.stringify(this.#secrets)) : undefined;
    try {
      await this.#platform.deploy(config, message, secrets);
    } finally {
      if (secrets !== undefined) remove(secrets);
    }
    this.#secrets = {};
    await pause(SPREAD_MS);
  }

  /** Waits until no work is left on the application that will get another image. @throws DeployFault */
  async idleIsFree(): Promise<void> {
    const { now, pause, say } = this.#outside;
    const until = now() + DRAIN_MS;
    for (;;) {
      const idle = await this.#service.idleApplication();
      if (idle === undefined || idle.work === 0) return;
      if (now() >= until)
        throw new DeployFault(`The idle application still works on ${idle.work} analyses and sessions. Deploy later`);
      say(`the idle application still works on ${idle.work} analyses and sessions`);
      await pause(LOOK_MS);
    }
  }

  /** Smoke test. @throws DeployFault when a check fails, or a trial did not reach the idle application */
  async tryAs(what: 'trial' | 'release', tenant: string): Promise<void> {
    const { smoke, now, say } = this.#outside;
    const key = await this.#service.trialKey(tenant, now());
    const checks = await smoke({ url: this.#environment.url, key });
    for (const { name, isOk, finding } of checks) say(`${isOk ? 'ok  ' : 'FAIL'} ${name}: ${finding}`);
    const failed = checks.find(({ isOk }) => !isOk);
    if (failed !== undefined) throw new DeployFault(`The ${what} failed: ${failed.name}: ${failed.finding}`);
    if (what === 'trial' && (await this.#service.idleApplication())?.ready === 0)
      throw new DeployFault('The trial did not reach the new image');
  }

  /** @param before the version to go back to; undefined if there is none */
  async orGoBack(before: string | undefined, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      await this.#goBack(before, error);
    }
  }

  async watchOrGoBack(before: string | undefined): Promise<void> {
    await this.orGoBack(before, async () => {
      const tenant = await this.#service.trialTenant();
      await this.tryAs('release', tenant);
      await this.#watch(await this.#service.trialKey(tenant, this.#outside.now()));
      await this.tryAs('release', tenant);
    });
    await this.#service.removeTrials();
  }

  /** Compares the counters with those at the beginning for ten minutes. @throws DeployFault for a missed objective */
  async #watch(key: string): Promise<void> {
    const { now, pause, say } = this.#outside;
    const before = samplesOf(await this.#service.metrics(key));
    const until = now() + WATCH_MS;
    say(`watching the objectives for ${WATCH_MS / 60_000} min`);
    for (let unread = 0; now() < until; ) {
      await pause(WATCH_LOOK_MS);
      let text: string;
      try {
        text = await this.#service.metrics(key);
        unread = 0;
      } catch (error) {
        if (++unread >= MOST_UNREAD) throw error;
        continue;
      }
      const [miss] = missesBetween(before, samplesOf(text));
      if (miss !== undefined) throw new DeployFault(`An objective is missed: ${describeMiss(miss)}`);
    }
  }

  /** @throws DeployFault always, with the reason */
  async #goBack(before: string | undefined, reason: unknown): Promise<never> {
    const why = reason instanceof Error ? reason.message : String(reason);
    if (before === undefined) throw new DeployFault(`${why}\nThere is no earlier release to go back to`);
    try {
      await this.#platform.rollback(before, why.slice(0, 100));
    } catch (error) {
      throw new DeployFault(`${why}\nGoing back failed as well. Run: npm run rollback\n${error}`);
    }
    await this.#service.removeTrials().catch(() => undefined);
    throw new DeployFault(`${why}\nThe earlier release serves again`);
  }
}
