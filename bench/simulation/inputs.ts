import { type Calibration, carriedSessions } from '../calibration/calibration.ts';

/** One number of the simulation, and where it comes from. */
interface SimulationInput {
  value: number;
  unit: string;
  origin: string;
}

const guess = (reason: string): string => `guessed: ${reason}`;

/** The numbers that the simulation depends on. `npm run bench -- simulate` prints all of them. */
export const INPUTS = {
  sessions: { value: 10_000, unit: 'live sessions at once, at the peak', origin: 'the aim' },
  carried: { value: 12, unit: 'live sessions per instance', origin: 'measured: npm run bench -- live, two cores' },
  conclusionSpeed: { value: 18, unit: 's of audio per s', origin: 'measured: npm run bench -- speed, best, two cores' },
  replay: {
    value: 9.1,
    unit: 'times as fast as live work',
    origin:
      'measured: npm run bench -- replay, a pipeline in use, 300 s in 5.5 s of processor time; live work takes a sixth of a core',
  },
  filesAtOnce: { value: 4, unit: 'files per instance', origin: 'the default of ANALYSES_PER_PIPELINE' },
  startS: { value: 5, unit: 's until a container reports', origin: guess('2.1 s of it measured (the models)') },
  callS: { value: 0.05, unit: 's per call', origin: guess('between two data centres of a continent') },
  breakS: { value: 1, unit: 's until a broken connection is noticed', origin: guess('at most; a closed socket') },
  silent: { value: 0.2, unit: 'of lost instances break no connection', origin: guess('a machine that disappears') },
  drainS: { value: 840, unit: 's until a drained instance ends', origin: 'the default of DRAIN_SECONDS' },
  files: { value: 0.1, unit: 'seconds of files per second of live audio', origin: guess('no data') },
  shortest: { value: 20, unit: 's, the shortest session', origin: guess('no data') },
  seed: { value: 31, unit: '', origin: 'arbitrary' },
} satisfies Record<string, SimulationInput>;

/** Words that people speak in a second, both sides together. */
const WORDS_PER_S = 711 / 240;

/** One kind of conversation: its share of all sessions, and the deciles of its number of words. */
interface LengthGroup {
  name: string;
  share: number;
  words: readonly number[];
  origin: string;
}

/** Lengths of real conversations, as deciles from the smallest to the largest. */
export const LENGTHS: readonly LengthGroup[] = [
  {
    name: 'requests',
    share: 0.4,
    words: [31, 57, 75, 90, 115, 140, 175, 211, 261, 325, 497],
    origin: 'words of 263 spoken requests (DSTC10)',
  },
  {
    name: 'interviews',
    share: 0.4,
    words: [778, 932, 1055, 1130, 1218, 1291, 1357, 1443, 1580, 1730, 2295],
    origin: "words of 218 doctors' interviews (OSCE)",
  },
  {
    name: 'meetings',
    share: 0.2,
    words: [942, 3188, 4976, 6182, 7147, 8109, 9247, 10_821, 12_793, 16_516, 23_675],
    origin: 'words of 197 meetings (QMSum)',
  },
];

/** Live sessions in each hour of the day, relative to the peak. */
export const HOURS: readonly number[] = [
  0.06, 0.04, 0.03, 0.03, 0.04, 0.08, 0.18, 0.4, 0.72, 0.94, 1, 0.97, 0.78, 0.84, 0.96, 0.95, 0.88, 0.7, 0.48, 0.34,
  0.26, 0.2, 0.14, 0.09,
];

/** Tenants with their shares of the work. */
export const TENANTS = [
  { id: 'a', share: 0.5 },
  { id: 'b', share: 0.2 },
  { id: 'c', share: 0.15 },
  { id: 'd', share: 0.1 },
  { id: 'e', share: 0.05 },
] as const;

/** The 95th percentile of a final text after the end of speech, by the share of an instance's sessions, s. */
export const LATENCY: [share: number, seconds: number][] = [
  [0, 0.51],
  [1 / 12, 0.51],
  [8 / 12, 1],
  [1, 1.4],
];
let latencyOrigin = 'measured: npm run bench -- live, streams at once on two cores; linear between';

/**
 * Puts what a deployed service measured in the place of the inputs above. What it did not measure stays.
 * @throws Error if it carries no live session
 */
export function useCalibration({ url, at, round_trip_ms: trips, speed, live, start_s: starts }: Calibration): void {
  const origin = `calibrated: ${url}, ${at.slice(0, 10)}`;
  const set = (name: keyof typeof INPUTS, value: number): void => {
    Object.assign(INPUTS[name], { value, origin });
  };
  const carried = Math.floor(carriedSessions(live));
  if (carried === 0) throw new Error('The calibrated service carries no live session');
  set('carried', carried);
  set('conclusionSpeed', speed.best);
  const callMs = trips.object.p50 - trips.worker.p50;
  // Shorter than what the difference of two round trips can tell.
  set('callS', Math.max(1, callMs) / 1000);
  if (starts.length > 0) set('startS', starts.toSorted((a, b) => a - b)[Math.floor(starts.length / 2)]!);
  const measured = live.flatMap(({ sessions, instances, p95_ms: p95 }): [number, number][] =>
    p95 === null || sessions / instances > carried ? [] : [[sessions / instances / carried, p95 / 1000]],
  );
  const byShare = measured.toSorted(([a], [b]) => a - b);
  const [last, atLast] = byShare.at(-1)!;
  LATENCY.splice(0, LATENCY.length, [0, byShare[0]![1]], ...byShare);
  if (last < 1) LATENCY.push([1, atLast]);
  latencyOrigin = `${origin}; linear between`;
}

/** Rows of the table of inputs. */
export const inputRows = (): string[][] => [
  ...Object.entries(INPUTS).map(([name, { value, unit, origin }]) => [name, `${value} ${unit}`.trim(), origin]),
  ...LENGTHS.map(({ name, share, words, origin }) => [
    `length of ${name}`,
    `${share * 100} % of sessions, ${[1, 5, 9].map((i) => secondsOf(words[i]!).toFixed(0)).join(', ')} s (deciles 1, 5, 9)`,
    `measured: ${origin}; share guessed`,
  ]),
  ['speech', '711 words in 240 s', 'measured: a call of docs/internals/live.md'],
  ['hours', HOURS.join(' '), guess('a working day, without data')],
  ['tenants', TENANTS.map(({ share }) => share).join(' '), guess('one large tenant and four others')],
  [
    'latency, 95 %',
    LATENCY.slice(1)
      .map(([share, seconds]) => `${seconds} s with ${(share * INPUTS.carried.value).toFixed(0)}`)
      .join(', '),
    latencyOrigin,
  ],
  ['replay', 'all that a session has recorded; its words, labels and voices go with it', 'as built'],
  [
    'replays',
    'what present sessions leave of a machine in equal parts, at most a core each and .65 of the machine together',
    'as built: sessions take turns, and one thread does three quarters of what is left to compute',
  ],
  ['slots', 'follow the speed of the machine', 'as an operator sets MAX_LIVE_SESSIONS after measuring'],
  ['rows', 'instances that come or go, and waiting work', 'as planned: leases are known from the beats'],
];

const secondsOf = (words: number): number => words / WORDS_PER_S;

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of several things with shares that sum to 1. @param at a number from 0 to 1 */
export function chosen<T>(things: readonly T[], shareOf: (thing: T) => number, at: number): T {
  let left = at;
  for (const thing of things) {
    left -= shareOf(thing);
    if (left < 0) return thing;
  }
  return things.at(-1)!;
}

/** The length of a conversation, s. */
export function lengthS(random: () => number): number {
  const group = chosen(LENGTHS, ({ share }) => share, random());
  const decile = random() * 10;
  const [low, high] = [group.words[Math.floor(decile)]!, group.words[Math.floor(decile) + 1]!];
  return Math.max(INPUTS.shortest.value, secondsOf(low + (high - low) * (decile % 1)));
}

/** The mean length of a conversation, s. */
export function meanLengthS(): number {
  const random = randomNumbers(INPUTS.seed.value);
  const count = 20_000;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += lengthS(random);
  return sum / count;
}
