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
  /** Itself on the machine that is prepared for it, while its present one drains. */
  prepared: SimulatedSession | null;
  /** The session that this one is prepared for. */
  of: SimulatedSession | null;
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

/**
 * Largest share of a machine that a session which is catching up can use, one of its two cores, and that all of them can
 * use together: one thread does three quarters of what they have left to compute (docs/internals/live.md).
 */
const MOST_OF_ONE = 0.5;
const MOST_OF_ALL = 0.65;
/** A session that is less behind than this counts as present, s. */
export const PRESENT_S = 0.5;

/**
 * A machine as a fluid: present sessions take their share of it first, then those that are catching up, in equal parts,
 * then files. In the pipeline, the sessions take turns: a present one needs less than its turn, and what it leaves is for
 * those that have more to do.
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

  #rates(): { lag: number; backlog: number; file: number } {
    const spare = this.lagS > 0 ? 0 : Math.max(0, 1 - this.demand);
    const lag = this.demand > 1 || this.lagS > 0 ? this.demand - 1 : 0;
    const each = Math.min(Math.min(spare, MOST_OF_ALL) / Math.max(this.behind.size, 1), MOST_OF_ONE);
    const backlog = 1 - INPUTS.carried.value * this.#speed * this.#replaySpeed * each;
    const left = spare - each * this.behind.size;
    const file = (INPUTS.conclusionSpeed.value * this.#speed * left) / Math.max(this.files.size, 1);
    return { lag, backlog, file };
  }

  /** Works until now. */
  advance(now: number): void {
    const passed = (now - this.#at) / 1000;
    this.#at = now;
    if (passed <= 0) return;
    const { lag, backlog, file } = this.#rates();
    this.lagS = Math.max(0, this.lagS + lag * passed);
    for (const session of this.behind) session.backlogS = Math.max(0, session.backlogS + backlog * passed);
    for (const one of this.files) one.leftS -= file * passed;
  }

  /** When something changes by itself, ms; infinity when nothing does. */
  get nextAt(): number {
    const { lag, backlog, file } = this.#rates();
    let passed = Number.POSITIVE_INFINITY;
    if (lag < 0) passed = this.lagS / -lag;
    if (backlog < 0)
      for (const { backlogS } of this.behind) passed = Math.min(passed, (backlogS - PRESENT_S) / -backlog);
    if (file > 0) for (const { leftS } of this.files) passed = Math.min(passed, leftS / file);
    return this.#at + Math.max(1, Math.ceil(passed * 1000));
  }
}
