import { setTimeout as sleep } from 'node:timers/promises';
import { requireFfmpeg } from '../machine.ts';
import { leftIn, storedIn } from './leftovers.ts';
import { prepareMedia } from './media.ts';
import { grown } from './memory.ts';
import { attemptOf, HUGE_FROM } from './plan.ts';
import { Report } from './report.ts';
import { eventually, type Played, Siege } from './siege.ts';
import { brief } from './verdict.ts';

// `npm run test:attack`: a hostile client against the real `npm start`, limited in count and time, and identical for
// the same seed. It is configured by ATTACK_SEED, ATTACK_REQUESTS and ATTACK_MINUTES. ATTACK_ONLY=7,9 plays single
// attempts and shows them.

const SEED = Number(process.env.ATTACK_SEED || Date.now() % 1_000_000_007);
const REQUESTS = Number(process.env.ATTACK_REQUESTS || 5_000);
const MINUTES = Number(process.env.ATTACK_MINUTES || 12);
const ONLY = (process.env.ATTACK_ONLY ?? '').split(',').filter((text) => text.trim() !== '');

/**
 * Run before the load, after the plain requests of `warmUp`: a share of the attempts, different from the load's, so that
 * heaps have grown to their maximum.
 */
const WARM_UP_SHARE = 1;
const WARM_UP_FROM = 1_000_000;
/**
 * The largest bodies are so rare in the mixture that a short warm-up may contain none, and a heap that has grown stays
 * large.
 */
const WARM_UP_HUGE = 24;
/** Pause without requests before memory is taken as the reference level. */
const QUIET_MS = 20_000;
/** Time for garbage collection, ended sessions and sweeping. */
const SETTLE_MS = 120_000;
const HEALTH_MS = 1_000;

async function attack(siege: Siege, report: Report): Promise<void> {
  report.say('warm-up: plain requests');
  await siege.warmUp();
  const end = Date.now() + MINUTES * 60_000;
  const warmUp = Math.ceil(REQUESTS * WARM_UP_SHARE);
  report.say(`warm-up: ${warmUp} attempts of the mixture, ${WARM_UP_HUGE} of the largest`);
  await siege.play(SEED, WARM_UP_FROM, warmUp, end, () => undefined);
  await siege.play(SEED, HUGE_FROM, WARM_UP_HUGE, end, () => undefined);
  await sleep(QUIET_MS);
  const before = siege.memory();
  const restartsBefore = siege.restarts;

  report.say(`load: ${REQUESTS} attempts`);
  const begun = Date.now();
  const played = await siege.play(SEED, 0, REQUESTS, end, (one) => report.count(one));
  report.say(`${played} attempts in ${Math.round((Date.now() - begun) / 1000)} s; waiting for quiet`);
  if (played < REQUESTS)
    siege.findings.push({ what: 'too slow', seen: `${played} of ${REQUESTS} in ${MINUTES} minutes` });
  const peak = siege.memory();
  report.say(`${await siege.playKnown()} attacks that once succeeded were played`);

  const settling = Date.now();
  await eventually(SETTLE_MS, 2_000, () => grown(before, siege.memory()).length === 0);
  const after = siege.memory();
  report.memory({ before, peak, after, seconds: (Date.now() - settling) / 1000 });
  if (siege.restarts > restartsBefore)
    siege.findings.push({ what: 'memory not comparable', seen: 'the service was started again in between' });
  else
    for (const role of grown(before, after)) {
      const seen = `${role}: ${megabytes(before[role])} to ${megabytes(after[role])} MB`;
      siege.findings.push({ what: 'memory not back', seen });
    }
  // The pipeline's scratch files are removed with their analyses, and wrangler's folders with wrangler.
  const scratch = leftIn(siege.scratch).filter((name) => name.startsWith('undertone-'));
  for (const name of scratch) siege.findings.push({ what: 'a scratch file left at work', seen: name });
}

/** Checks leftovers that appear only after the service has ended. */
function judgeRemains(siege: Siege, report: Report): void {
  for (const { milliseconds, answer, at } of siege.pulses) {
    const seen = `${answer} after ${Math.round(milliseconds)} ms; ${siege.busyAt.get(at) ?? ''}`;
    if (answer !== 'ok') siege.findings.push({ what: '/health answered something else', seen });
    else if (milliseconds > HEALTH_MS) siege.findings.push({ what: '/health late', seen });
  }
  const { complete, orphans, nameless } = storedIn(siege.state);
  const stored = new Set(complete.map((folder) => folder.replace(/^.*\//, '')));
  const lost = [...siege.told].filter((id) => !stored.has(id));
  // A client may leave when its analysis is almost complete.
  const untold = stored.size - siege.told.size + lost.length;
  report.say(`stored: ${stored.size} analyses, ${untold} of which no client heard of; ${orphans.length} orphans`);
  // The local runtime keeps the bytes of an aborted upload; R2 does not.
  report.say(`files of bytes that belong to no object: ${nameless.length}`);
  for (const id of lost) siege.findings.push({ what: 'an analysis told, but not stored', seen: id });
  for (const orphan of orphans) siege.findings.push({ what: 'an orphan in R2', seen: orphan });
  for (const name of leftIn(siege.scratch)) siege.findings.push({ what: 'a file left in TMPDIR', seen: name });
}

/** Plays single attempts and shows their exchanges. */
async function show(siege: Siege): Promise<void> {
  for (const text of ONLY) {
    const attempt = attemptOf(SEED, Number(text));
    console.log(`\n#${attempt.index} ${attempt.route} (${attempt.kind}), key: ${attempt.key}`);
    tell(await siege.playOne(attempt));
    // Its output and its end appear a moment later.
    await sleep(2_000);
  }
}

function tell({ outcomes }: Played): void {
  for (const { exchange, answers, garbage, ended, milliseconds } of outcomes) {
    for (const piece of exchange.pieces)
      console.log(`> ${Buffer.isBuffer(piece) ? brief(piece.toString('latin1'), 1000) : `(${piece})`}`);
    for (const { status, headers, body } of answers) {
      const head = [...headers].map(([name, value]) => `${name}: ${value}`).join('; ');
      console.log(`< ${status} ${head}\n< ${brief(body.toString('latin1'), 1000)}`);
    }
    console.log(`< ${garbage && `${brief(garbage)} `}(${ended}, ${Math.round(milliseconds)} ms)`);
  }
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

requireFfmpeg((line) => console.log(line));
prepareMedia();
const siege = new Siege(SEED);
const report = new Report(SEED);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    void siege.end().finally(() => {
      siege.clear();
      process.exit(130);
    });
  });
report.say(`seed ${SEED} (again: ATTACK_SEED=${SEED} npm run test:attack)`);
try {
  await siege.begin();
  report.say('ready');
  if (ONLY.length > 0) await show(siege);
  else await attack(siege, report);
  await siege.end();
  judgeRemains(siege, report);
  report.print(siege);
  process.exitCode = siege.findings.length > 0 ? 1 : 0;
} finally {
  await siege.end();
  siege.clear();
}
