import { aheadInLine, type PoolWaiting } from './line.ts';
import type { PoolDraft, PoolPlace } from './pool-state.ts';

/** Bounds of `Retry-After`, s, and its value while nothing has been measured. */
const RETRY_AFTER_S = { least: 2, most: 60, first: 15 };

const clamped = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** How long a waiting request is expected to wait. */
export function expected(pool: PoolDraft, entry: PoolWaiting): Extract<PoolPlace, { type: 'waits' }> {
  const { orphans, live, conclude, liveGapMs } = pool.state;
  const isOrphan = orphans.some(({ id }) => id === entry.id);
  const line = pool.state[entry.kind];
  const ahead = isOrphan ? { position: orphans.indexOf(entry) + 1, seconds: 0 } : aheadInLine(line, entry);
  if (entry.kind === 'live') {
    const position = isOrphan ? ahead.position : orphans.length + ahead.position;
    const isStarting = pool.instances.some(({ state }) => state === 'starting');
    const gapS = liveGapMs === null || isStarting ? RETRY_AFTER_S.first / (live.length + 1) : liveGapMs / 1000;
    return {
      type: 'waits',
      position,
      etaS: Math.ceil(clamped(position * gapS, RETRY_AFTER_S.least, RETRY_AFTER_S.most)),
    };
  }
  let { position, seconds } = ahead;
  position += isOrphan ? 0 : orphans.length;
  if (entry.kind === 'batch' && !isOrphan) {
    position += conclude.length;
    for (const account of conclude.tenants.values()) seconds += account.seconds;
  }
  const running = runningFiles(pool);
  seconds += remainingSeconds(pool) / running;
  return { type: 'waits', position, etaS: Math.ceil(seconds / (paceOf(pool) * running)) };
}

/** Measured seconds of audio that one place for files analyses in a second. */
const paceOf = ({ state: { finished } }: PoolDraft): number => finished.audioS / finished.tookS;

/** The files and conclusions that run while others wait, at least 1. Not all places are for everybody. */
const runningFiles = ({ state: { running } }: PoolDraft): number => Math.max(1, running.files);

/** Seconds of audio that the running files and conclusions still have to analyse, if each takes its expected time. */
function remainingSeconds(pool: PoolDraft): number {
  const { weighed, weightS, grantedS } = pool.state.running;
  return Math.max(0, weightS - paceOf(pool) * ((weighed * pool.now) / 1000 - grantedS));
}

/** How long the last request in line for files would wait, s. */
export function queueWaitS(pool: PoolDraft): number {
  const { conclude, batch } = pool.state;
  let seconds = 0;
  for (const line of [conclude, batch]) for (const account of line.tenants.values()) seconds += account.seconds;
  return seconds / (paceOf(pool) * runningFiles(pool));
}
