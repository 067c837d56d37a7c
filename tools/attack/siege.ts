import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../machine.ts';
import type { Attempt, Header, Known } from './attempt.ts';
import { ask, TENANTS } from './attempt.ts';
import { type Outcome, perform, play } from './client.ts';
import { CANARY } from './dice.ts';
import { HealthWatch, type Pulse } from './health-watch.ts';
import { playKnownAttacks } from './known-attacks.ts';
import { attemptOf } from './plan.ts';
import { COLLECTING, warmUp } from './runtime-level.ts';
import { descendants, type PrintedLine, type Role, residentBytes, roleOf, Service } from './started-service.ts';
import { encodeForm, filePart } from './upload-attempts.ts';
import { brief, type Finding, judge, leaks, parsedOrNull, type Secrets } from './verdict.ts';

const RECORDING = join(import.meta.dirname, '../../test/fixtures/short.wav');
/** Bytes after the audio of the kept upload. */
const STORED_MARK = 'kept-upload-of-the-attack-';

/** A completed analysis in a stream or a body. */
const DONE = /^event: done\ndata: \{"conversation_id":"([^"]+)"|^\{"conversation_id":"([^"]+)".*"agent_outputs_path"/ms;

/** The receipt of a removal. */
const REMOVED = /^\{"conversation_id":"([^"]+)","deleted_at":/;
/** Limit on the remembered ids of each kind and tenant. */
const KEPT_IDS = 50;

/** Number of concurrent attempts. */
const LANES = 8;
/** A service that is silent on `/health` for this long counts as lost and is restarted, ms. */
const LOST_MS = 20_000;
const LOOK_MS = 250;
/** A health request that waits this long may turn out to be late, ms. */
const SLOW_MS = 500;
/** How long npm takes to report that its child has ended, ms. */
const CUT_MS = 3_000;

/** The result of an attempt. */
export interface Played {
  attempt: Attempt;
  outcomes: Outcome[];
}

/** The service under attack, from start to end. Attempts are played and observed here. */
export class Siege {
  readonly findings: Finding[] = [];
  readonly pulses: Pulse[] = [];
  readonly lines: PrintedLine[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'undertone-attack-'));
  readonly state = join(this.folder, 'state');
  readonly scratch = join(this.folder, 'tmp');
  /** Conversations that were reported to a client as complete. */
  readonly told = new Set<string>();
  /** The attempts in progress when a health request had to wait, by its start. */
  readonly busyAt = new Map<number, string>();
  /** Number of restarts. */
  restarts = 0;
  readonly #env: Record<string, string> & { TMPDIR: string };
  readonly #secrets: Secrets;
  /** Ids that attempts created, by tenant. */
  readonly #made = Array.from({ length: TENANTS }, (): Record<string, string[]> => ({}));
  readonly #playing = new Map<number, Attempt>();
  /** Attempts without an answer: one of them may have killed the service. */
  #unanswered: { attempt: Attempt; at: number; found: Finding[] }[] = [];
  readonly #indexOfRequest = new Map<string, number>();
  #known: Known;
  #service: Service | undefined;
  #health: HealthWatch | undefined;
  #stopped = new AbortController();
  #restarting: Promise<void> | undefined;
  #watch: NodeJS.Timeout | undefined;

  constructor(seed: number) {
    mkdirSync(this.scratch, { recursive: true });
    const keys = Array.from({ length: TENANTS }, (_, i) => `secret-of-tenant-${i}-${seed.toString(36)}`);
    const demo = `secret-demo-${seed.toString(36)}`;
    const admin = `secret-of-the-operator-of-this-attack-${seed.toString(36)}`;
    this.#known = { port: 0, keys, uploadPath: 'none', session: '', admin, ids: {} };
    this.#secrets = {
      keys: [...keys, demo, admin],
      paths: [join(import.meta.dirname, '../..'), this.folder, 'node_modules/', '/dist/'],
      stored: [STORED_MARK, '"agent_outputs_path"'],
    };
    this.#env = {
      API_KEYS: keys.join(','),
      DEMO_API_KEY: demo,
      ADMIN_TOKEN: admin,
      STATE_DIR: this.state,
      TMPDIR: this.scratch,
      // Sessions are started by the hundred and abandoned, so they expire after seconds instead of minutes.
      LIVE_TTL_MIN_SECONDS: '2',
      LIVE_GRACE_SECONDS: '2',
      ...COLLECTING,
    };
  }

  /** Starts the service, and stores one upload that nobody may read without its key. */
  async begin(): Promise<void> {
    this.#known = { ...this.#known, port: await freePort() };
    await this.#start();
    this.#known = { ...this.#known, uploadPath: await this.#storeUpload() };
    this.#watch = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Brings the runtime to its level of memory. */
  warmUp(): Promise<void> {
    return warmUp(this.#known.port, 'service');
  }

  /** Plays attempts of a seed from a given number on, several at a time, until the time is up. @returns their number */
  async play(seed: number, from: number, count: number, until: number, on: (played: Played) => void): Promise<number> {
    let next = from;
    const lane = async (): Promise<void> => {
      while (next < from + count && Date.now() < until) {
        on(await this.playOne(attemptOf(seed, next++)));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return next - from;
  }

  async playOne(attempt: Attempt): Promise<Played> {
    await this.#restarting;
    const { signal } = this.#stopped;
    this.#playing.set(attempt.index, attempt);
    const outcomes = await play(attempt, { ...this.#known, ids: this.#made[attempt.tenant ?? 0]! }, signal);
    this.#playing.delete(attempt.index);
    for (const { headers, status, body } of outcomes.flatMap(({ answers }) => answers)) {
      const requestId = headers.get('x-request-id');
      if (requestId) this.#indexOfRequest.set(requestId, attempt.index);
      if (status < 300) this.#learn(attempt, body.toString('latin1'));
    }
    const isRefused = outcomes.some(({ ended }) => ended === 'ECONNREFUSED');
    const isUnanswered = outcomes.some(({ exchange, answers }) => exchange.mustAnswer && answers.length === 0);
    const found = signal.aborted || isRefused ? [] : judge(attempt, outcomes, this.#secrets);
    if (isUnanswered && !isRefused && !signal.aborted) this.#unanswered.push({ attempt, at: Date.now(), found });
    else this.findings.push(...found);
    // The connection was refused, so the service has ended, which will show in a moment.
    if (isRefused) await sleep(LOOK_MS);
    return { attempt, outcomes };
  }

  /** Remembers what exists, or no longer exists, according to an answer. */
  #learn({ tenant = 0, makes }: Attempt, text: string): void {
    const made = this.#made[tenant]!;
    const keep = (kind: string, id: string): void => {
      made[kind] = [...(made[kind] ?? []), id].slice(-KEPT_IDS);
    };
    const done = DONE.exec(text);
    if (done) {
      const id = done[1] ?? done[2] ?? '';
      this.told.add(id);
      keep('conversation_id', id);
    } else if (makes) {
      const id: unknown = (parsedOrNull(text) as Record<string, unknown> | null)?.[makes[1]];
      if (typeof id === 'string') keep(makes[0], id);
    }
    const removed = REMOVED.exec(text)?.[1];
    if (removed === undefined) return;
    this.told.delete(removed);
    for (const one of this.#made) one.conversation_id = (one.conversation_id ?? []).filter((id) => id !== removed);
  }

  /** Plays the attacks that once succeeded, and records those that succeed again. */
  async playKnown(): Promise<number> {
    const { port, keys, admin } = this.#known;
    const pid = this.#service?.pid ?? 0;
    const pids = [pid, ...descendants(pid).map((row) => row.pid)];
    const { findings, played } = await playKnownAttacks({
      port,
      keys: [keys[0]!, keys[1]!],
      admin,
      state: this.state,
      pids,
    });
    this.findings.push(...findings);
    return played;
  }

  memory(): Record<Role, number> {
    return residentBytes(this.#service?.pid ?? 0);
  }

  /** Ends the service and judges its output. */
  async end(): Promise<void> {
    clearInterval(this.#watch);
    await this.#restarting?.catch(() => undefined);
    if (!this.#service) return;
    this.#stopped.abort();
    await this.#stop();
    for (const { found } of this.#unanswered) this.findings.push(...found);
    for (const line of this.lines) this.#judgeLine(line);
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #start(): Promise<void> {
    this.#stopped = new AbortController();
    this.#service = new Service(this.#known.port, this.#env);
    await this.#service.ready();
    const told = descendants(this.#service.pid).find(({ command }) =>
      this.#known.keys.some((key) => command.includes(key)),
    );
    if (told) this.findings.push({ what: 'a key in a command line', seen: `of the ${roleOf(told) ?? told.name}` });
    this.#health = new HealthWatch(this.#known.port);
  }

  async #stop(): Promise<void> {
    await this.#health?.stop();
    this.pulses.push(...(this.#health?.pulses ?? []));
    const outlived = (await this.#service?.stop()) ?? 0;
    if (outlived > 0) this.findings.push({ what: 'processes that outlived the service', seen: `${outlived}, killed` });
    this.lines.push(...(this.#service?.lines ?? []));
    this.#service = undefined;
  }

  /** Checks that the service is alive and answers; if not, records it and restarts the service. */
  #look(): void {
    if (this.#restarting) return;
    const waited = Date.now() - (this.#health?.waitingSince ?? Date.now());
    const asked = this.#health?.waitingSince;
    if (asked !== undefined && waited > SLOW_MS && !this.busyAt.has(asked)) this.busyAt.set(asked, this.#busy());
    const hasEnded = this.#service?.hasEnded ?? false;
    if (!hasEnded && waited < LOST_MS) return;
    // Attempts that the crash cut off belong to it. The first of them is the first suspect.
    const cut = this.#unanswered.filter(({ at }) => at > Date.now() - CUT_MS);
    this.#unanswered = this.#unanswered.filter((one) => !cut.includes(one));
    const seen = this.#busy(cut.map(({ attempt }) => attempt));
    const what = hasEnded ? 'the service ended' : `no answer to /health for ${LOST_MS / 1000} s`;
    this.findings.push({ what, seen });
    console.log(`${what}; starting it again; ${seen}`);
    this.restarts++;
    this.#stopped.abort();
    this.#restarting = this.#stop()
      .then(() => this.#start())
      .finally(() => {
        this.#restarting = undefined;
      });
  }

  #busy(first: Attempt[] = []): string {
    const suspects = [...first, ...this.#playing.values()];
    return `it was at: ${suspects.map(({ index, route, kind }) => `#${index} ${route} (${kind})`).join('; ')}`;
  }

  #judgeLine({ text, at }: PrintedLine): void {
    if (at === 0) return;
    const plain = text.replace(/^[\w ]+ \| /, '');
    const requestId = /"request_id":"([^"]+)"/.exec(text)?.[1] ?? '';
    const canary = CANARY.exec(text)?.[1];
    const index = canary === undefined ? this.#indexOfRequest.get(requestId) : Number(canary);
    const add = (what: string): void => void this.findings.push({ what, seen: brief(text, 400), index });
    for (const leak of leaks(plain, this.#secrets)) add(`${leak} in a printed line`);
    if (canary !== undefined) add('words of a request in a printed line');
    if (/the (pipeline|worker) ended/i.test(text)) add('a process ended');
  }

  async #storeUpload(): Promise<string> {
    const recording = Buffer.concat([readFileSync(RECORDING), Buffer.from(`LIST\x1a\0\0\0INFO${STORED_MARK}`)]);
    const form = encodeForm([filePart('file', 'kept.wav', recording)], 'kept');
    const headers: Header[] = [
      ['X-API-Key', this.#known.keys[0]!],
      ['Content-Type', 'multipart/form-data; boundary=kept'],
    ];
    const exchange = ask({ method: 'POST', path: '/analyze', headers, body: form });
    const { answers } = await perform(exchange, this.#known.port, this.#stopped.signal);
    const text = answers[0]?.body.toString() ?? '';
    if (answers[0]?.status !== 200) {
      const printed = this.#service?.lines.map((line) => line.text).join('\n');
      throw new Error(`the first upload was answered ${answers[0]?.status} ${text}\n${printed}`);
    }
    this.told.add(DONE.exec(text)?.[2] ?? '');
    return (JSON.parse(text) as { upload_path: string }).upload_path;
  }
}

/** Waits until a condition holds or the time is up. */
export async function eventually(milliseconds: number, everyMs: number, holds: () => boolean): Promise<boolean> {
  const until = Date.now() + milliseconds;
  while (!holds()) {
    if (Date.now() > until) return false;
    await sleep(everyMs);
  }
  return true;
}
