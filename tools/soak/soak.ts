import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Undertone } from '../../src/sdk/index.ts';
import { Dice } from '../attack/dice.ts';
import { leftIn } from '../attack/leftovers.ts';
import { COLLECTING, warmUp } from '../attack/runtime-level.ts';
import { descendants, ROLES, type Role, roleOf, Service } from '../attack/started-service.ts';
import { freePort, requireFfmpeg } from '../machine.ts';
import { type Accounts, accountsOf } from './accounts.ts';
import { comesTrue, Ledger } from './ledger.ts';
import { livesOf, type MemorySample, residentOf } from './levels.ts';
import { isWhole, MixedLoad, WebhookReceiver } from './load.ts';

// `npm run test:soak -- --hours 2`: the real `npm start` under a modest, mixed load for hours, with a killed process
// every ten minutes. It exits with 1 if a bar is broken: memory within 10 % of its value after warm-up, every file and
// row accounted for, nothing acknowledged lost, no lasting event twice, no unexpected status.

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '2' }, sessions: { type: 'string', default: '1' } },
});
const RUN_MS = Number(values.hours) * 3_600_000;
const SESSIONS = Number(values.sessions);
if (!(RUN_MS > 0) || !Number.isInteger(SESSIONS) || SESSIONS < 1)
  throw new Error('--hours must be a number above 0, and --sessions a whole number from 1');

const SEED = Number(process.env.SOAK_SEED || Date.now() % 1_000_000_007);
const KILL_MS = Math.min(600_000, RUN_MS / 6);
/** Heaps and caches of a process fill during half of the time between two kills. Its level is the median of a window. */
const WARM_UP_MS = KILL_MS / 2;
const WINDOW_MS = KILL_MS / 4;
/** Interval of the samples of memory, and of the rows of the table. */
const SAMPLE_MS = 5_000;
const ROW_MS = Math.min(60_000, KILL_MS / 2);
/** Limit on a restart, and how much longer what it interrupted may fail. */
const RESTART_MS = 300_000;
const SETTLE_MS = Math.min(90_000, KILL_MS / 2);
/** Limit on the time until all messages have arrived, which covers the third attempt at one, and the grace of sessions. */
const MESSAGES_MS = 420_000;
const GRACE_MS = 60_000;
/** Lines of the service that a finding about a restart repeats. */
const SHOWN_LINES = 5;
/** Deleted conversations that are requested at the end. */
const ASKED_DELETED = 50;

const ledger = new Ledger();
const dice = new Dice(SEED, 0);
const samples: MemorySample[] = [];
const folder = mkdtempSync(join(tmpdir(), 'undertone-soak-'));
const [state, scratch] = [join(folder, 'state'), join(folder, 'tmp')];
mkdirSync(scratch);
const key = `soak-${SEED.toString(36)}`;
const begun = Date.now();

const say = (line: string): void => console.log(`${clock()}  ${line}`);
const clock = (): string => new Date(Date.now() - begun).toISOString().slice(11, 19);
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

function sample(service: Service): void {
  for (const row of descendants(service.pid)) {
    const role = roleOf(row);
    const bytes = role && residentOf(row.pid);
    if (role && bytes) samples.push({ role, pid: row.pid, at: Date.now(), bytes });
  }
}

const HEAD = ['time', ...ROLES, 'live', 'files', 'cancelled', 'edits', 'deleted', 'messages', 'kills', 'findings'];
const line = (cells: (string | number)[]): string =>
  cells.map((cell, i) => String(cell).padStart(Math.max(8, HEAD[i]!.length))).join('  ');

function row(): void {
  const latest = (role: Role): string => {
    const own = samples.filter((one) => one.role === role).at(-1);
    return own && own.at > Date.now() - 2 * SAMPLE_MS ? megabytes(own.bytes) : '-';
  };
  const { live, files, cancelled, edits, deleted, messages, kills } = ledger.counts;
  const counts = [live, files, cancelled, edits, deleted, messages, kills, ledger.findings.length];
  console.log(line([clock(), ...ROLES.map(latest), ...counts]));
}

/** Whether a pipeline responds to the service, which must be up itself. */
const isUp = async (port: number): Promise<boolean> => {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  );
  await answer?.body?.cancel();
  return answer?.ok ?? false;
};

/** Kills a process and waits until the service has started it again. */
async function kill(service: Service, role: 'pipeline' | 'worker', port: number): Promise<void> {
  const running = () => descendants(service.pid).find((one) => roleOf(one) === role)?.pid;
  const target = running();
  if (target === undefined) return ledger.add('nothing to kill', role);
  const at = Date.now();
  ledger.beginFault();
  process.kill(target, 'SIGKILL');
  // Wrangler starts its runtime again by itself, the front door the pipeline.
  const isReady = async (): Promise<boolean> => ![undefined, target].includes(running()) && (await isUp(port));
  const isBack = await comesTrue(isReady, () => Date.now() > at + RESTART_MS || service.hasEnded);
  const tookS = ((Date.now() - at) / 1000).toFixed(1);
  if (isBack) say(`killed the ${role}; ready again after ${tookS} s`);
  else {
    const lines = service.lines.filter((line) => line.at >= at).slice(-SHOWN_LINES);
    const process =
      running() === undefined ? 'no process' : running() === target ? 'the same process' : 'a new process';
    ledger.add(
      'no restart after a kill',
      `${role}, ${process} after ${tookS} s: ${lines.map(({ text }) => text).join(' | ')}`,
    );
  }
  ledger.recovered(SETTLE_MS);
  if (role === 'worker')
    await warmUp(port, 'worker').catch((error: unknown) => ledger.add('no answer to /health', String(error)));
}

async function run(service: Service, port: number, load: MixedLoad): Promise<void> {
  const until = Date.now() + RUN_MS;
  load.begin(SESSIONS);
  console.log(line(HEAD));
  const rows = setInterval(row, ROW_MS);
  const roles = ['pipeline', 'worker'] as const;
  for (let n = 0, at = Date.now() + KILL_MS; at < until - KILL_MS / 2; n++, at += KILL_MS) {
    while (Date.now() < at && !service.hasEnded) await sleep(500);
    if (service.hasEnded) break;
    await kill(service, roles[n % roles.length]!, port);
  }
  while (Date.now() < until && !service.hasEnded) await sleep(500);
  clearInterval(rows);
  if (service.hasEnded)
    ledger.add(
      'the service ended',
      service.lines
        .slice(-20)
        .map(({ text }) => text)
        .join('\n'),
    );
  await load.stop();
  row();
}

/** Compares what the service answers with what it has acknowledged. */
async function judgeAnswers(client: Undertone): Promise<void> {
  const untold = () => [...ledger.conversations.keys()].filter((id) => !ledger.messages.has(id));
  for (const end = Date.now() + MESSAGES_MS; untold().length > 0 && Date.now() < end; ) await sleep(1_000);
  for (const id of untold()) ledger.add('a completed analysis without a message', id);
  for (const one of ledger.conversations.values()) {
    const { title } = await client.conversations.record(one.id);
    if (one.titles.size > 0 && !one.titles.has(title)) ledger.add('an acknowledged title lost', `${one.id}: ${title}`);
    const comments = new Set((await client.conversations.comments(one.id)).map((comment) => comment.comment_id));
    for (const id of one.comments)
      if (!comments.has(id)) ledger.add('an acknowledged comment lost', `${one.id}: ${id}`);
    if (!(await isWhole(client, one))) ledger.add('acknowledged bytes lost', `${one.kind} ${one.id}`);
  }
  for (const id of [...ledger.deleted].slice(-ASKED_DELETED)) {
    const found = await client.conversations.record(id).catch(() => undefined);
    if (found) ledger.add('a deleted conversation that is there', id);
  }
  const others = new Map<string, number>();
  for await (const { conversation_id: id, status } of client.conversations.all())
    if (ledger.deleted.has(id)) ledger.add('a deleted conversation in the list', id);
    else if (!ledger.conversations.has(id)) others.set(status, (others.get(status) ?? 0) + 1);
  const completed = others.get('completed') ?? 0;
  if (completed > ledger.answersLost)
    ledger.add('results that nobody asked for', `${completed} and ${ledger.answersLost} lost answers`);
  say(`in the list, but unknown to the client (${ledger.answersLost} answers lost in faults): ${told(others)}`);
}

const told = (counts: Map<string, number>): string =>
  [...counts].map(([name, count]) => `${name} ${count}`).join(', ') || 'none';

function report({ rows, ofDeleted, liveFiles, analyses, nameless, bytes }: Accounts): void {
  console.log('\nmemory of each process, MB (median of a window)');
  for (const { role, pid, seconds, warm, end, isLevel } of livesOf(samples, WARM_UP_MS, WINDOW_MS)) {
    const verdict = isLevel === undefined ? 'too short to judge' : isLevel ? 'level' : 'grown';
    const change = `${megabytes(warm)} after warm-up, ${megabytes(end)} at the end`;
    const percent = warm > 0 ? ` (${((end / warm - 1) * 100).toFixed(1)} %)` : '';
    console.log(
      `  ${role.padEnd(10)} ${String(pid).padEnd(8)} ${seconds.toFixed(0)} s: ${change}${percent}, ${verdict}`,
    );
    if (isLevel === false) ledger.add('memory that grew', `${role} ${pid}: ${change}${percent}`);
  }
  console.log('\nanswers');
  for (const [name, count] of [...ledger.statuses].sort()) console.log(`  ${name}: ${count}`);
  console.log(`\nstored: ${analyses} analyses, ${liveFiles} files of session objects, ${megabytes(bytes)} MB in all`);
  // The local runtime keeps the bytes of an aborted upload; R2 does not.
  console.log(`files of bytes that belong to no object: ${nameless}`);
  console.log(`rows: ${told(new Map([...rows].filter(([, count]) => count > 0).sort()))}`);
  console.log(`rows that name a deleted conversation: ${told(ofDeleted)}`);
  const { live, files, cancelled, edits, deleted, messages, kills } = ledger.counts;
  console.log(
    `\n${values.hours} h: ${live} sessions, ${files} files, ${cancelled} cancelled, ${edits} edits and reads, ${deleted} deleted, ${messages} messages, ${kills} kills`,
  );
  const kinds = Map.groupBy(ledger.findings, ({ what }) => what);
  console.log(`findings: ${ledger.findings.length}`);
  for (const [what, all] of kinds) console.log(`  ${all.length} x ${what}: ${all[0]!.seen}`);
}

requireFfmpeg(say);
const port = await freePort();
const receiver = new WebhookReceiver(ledger, new Dice(SEED, 1));
const hook = await receiver.listen();
const service = new Service(port, {
  API_KEYS: key,
  STATE_DIR: state,
  TMPDIR: scratch,
  ALLOW_PRIVATE_TARGETS: 'true',
  ...COLLECTING,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    void service.stop().finally(() => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      process.exit(130);
    });
  });
try {
  say(`seed ${SEED}; ${values.hours} h; a kill every ${Math.round(KILL_MS / 1000)} s`);
  await service.ready();
  await warmUp(port, 'service');
  say('ready');
  const load = new MixedLoad(`http://127.0.0.1:${port}`, key, ledger, dice);
  receiver.secret = (await load.client.webhooks.create({ url: hook })).secret;
  const sampling = setInterval(() => sample(service), SAMPLE_MS);
  await run(service, port, load);
  clearInterval(sampling);
  if (!service.hasEnded) {
    await judgeAnswers(load.client);
    await sleep(GRACE_MS);
  }
  const outlived = await service.stop();
  if (outlived > 0) ledger.add('processes that outlived the service', String(outlived));
  for (const name of leftIn(scratch)) ledger.add('a file left in TMPDIR', name);
  report(accountsOf(state, ledger));
  process.exitCode = ledger.findings.length > 0 ? 1 : 0;
} finally {
  await service.stop();
  receiver.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
