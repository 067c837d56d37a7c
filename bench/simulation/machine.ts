import { INPUTS, LATENCY } from './inputs.ts';

/** A live session on a machine. */
export interface SimulatedSession {
  id: string;
  tenant: string;
  begunAt: number;
  endsAt: number;
  /** Seconds of audio that are stored and not analysed. */
  backlogS: number;
  /** Its machine; null while it has none. */
  machine: SimulatedMachine | null;
  /** When it lost its machine, ms; null while it has one. */
  lostAt: number | null;
}

/** A conclusion or a file on a machine. */
export interface SimulatedFile {
  id: string;
  kind: 'conclude' | 'batch';
  tenant: string;
  weightS: number;
  leftS: number;
  machine: SimulatedMachine | null;
}

/** Share of a machine that sessions which are catching up may use, all of them together. */
const REPLAY_SHARE = 0.4;
/** Sessions that catch up at the same time: one for each of the machine's two workers. The others wait their turn. */
const IN_TURN = 2;
/** A session that is less behind than this counts as present, s. */
export const PRESENT_S = 0.5;

/**
 * A machine as a fluid: present sessions take their share of it first, then those that are catching up, then files.
 * Sessions beyond what it carries fall behind together.
 */
export class SimulatedMachine {
  readonly name: string;
  /** Its number, which its name ends with. */
  readonly number: number;
  readonly present = new Set<SimulatedSession>();
  readonly behind = new Set<SimulatedSession>();
  readonly files = new Set<SimulatedFile>();
  /** How far the present sessions are behind, s. */
  lagS = 0;
  isDraining = false;
  isDead = false;
  /** When the machine has more sessions than slots, since when, ms. */
  overSince: number | null = null;
  /** The ids that the next beat reports; null after a change. */
  liveIds: string[] | null = null;
  fileIds: string[] | null = null;
  version = 0;
  #at: number;
  readonly #speed: number;
  readonly #replaySpeed: number;

  constructor(name: string, speed: number, replaySpeed: number, now: number) {
    this.name = name;
    this.number = Number(name.split('-').at(-1));
    this.#speed = speed;
    this.#replaySpeed = replaySpeed;
    this.#at = now;
  }

  get sessions(): number {
    return this.present.size + this.behind.size;
  }

  /** Share of the machine that the present sessions use; above 1 they fall behind. */
  get demand(): number {
    return this.present.size / (INPUTS.carried.value * this.#speed);
  }

  get busy(): number {
    return this.behind.size + this.files.size > 0 ? 1 : Math.min(1, this.demand);
  }

  /** The 95th percentile of a final text after the end of speech, s. */
  get latencyS(): number {
    const share = Math.min(1, this.demand);
    const next = LATENCY.findIndex(([at]) => at >= share);
    if (next <= 0) return LATENCY[0]![1] + this.lagS;
    const [[fromShare, from], [toShare, to]] = [LATENCY[next - 1]!, LATENCY[next]!];
    return from + ((to - from) * (share - fromShare)) / (toShare - fromShare) + this.lagS;
  }

  /** The sessions that are catching up now: those with the shortest backlogs. */
  #inTurn(): SimulatedSession[] {
    if (this.behind.size <= IN_TURN) return [...this.behind];
    return [...this.behind].sort((a, b) => a.backlogS - b.backlogS).slice(0, IN_TURN);
  }

  #rates(): { lag: number; backlog: number; file: number } {
    const spare = this.lagS > 0 ? 0 : Math.max(0, 1 - this.demand);
    const replays = this.behind.size > 0 ? Math.min(REPLAY_SHARE, spare) : 0;
    const lag = this.demand > 1 || this.lagS > 0 ? this.demand - 1 : 0;
    const turns = Math.min(this.behind.size, IN_TURN);
    const each = Math.min(replays / Math.max(turns, 1), 1 / IN_TURN);
    const backlog = 1 - INPUTS.carried.value * this.#speed * this.#replaySpeed * each;
    const file = (INPUTS.conclusionSpeed.value * this.#speed * (spare - each * turns)) / Math.max(this.files.size, 1);
    return { lag, backlog, file };
  }

  /** Works until now. */
  advance(now: number): void {
    const passed = (now - this.#at) / 1000;
    this.#at = now;
    if (passed <= 0) return;
    const { lag, backlog, file } = this.#rates();
    this.lagS = Math.max(0, this.lagS + lag * passed);
    const turns = this.#inTurn();
    for (const session of this.behind)
      session.backlogS = Math.max(0, session.backlogS + (turns.includes(session) ? backlog : 1) * passed);
    for (const one of this.files) one.leftS -= file * passed;
  }

  /** When something changes by itself, ms; infinity when nothing does. */
  get nextAt(): number {
    const { lag, backlog, file } = this.#rates();
    let passed = Number.POSITIVE_INFINITY;
    if (lag < 0) passed = this.lagS / -lag;
    if (backlog < 0)
      for (const { backlogS } of this.#inTurn()) passed = Math.min(passed, (backlogS - PRESENT_S) / -backlog);
    if (file > 0) for (const { leftS } of this.files) passed = Math.min(passed, leftS / file);
    return this.#at + Math.max(1, Math.ceil(passed * 1000));
  }
}
