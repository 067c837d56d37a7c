import type { Memory } from './memory.ts';
import type { Played, Siege } from './siege.ts';
import { ROLES } from './started-service.ts';
import { type Finding, LATER } from './verdict.ts';

/** Number of findings shown per kind; the others are counted. */
const SHOWN = 12;
const SLOWEST = 10;
/** Width of route names. */
const WIDTH = 66;

/** A line without the parts that differ between requests. */
const kindOf = (line: string): string =>
  line
    .replace(/(request_id\W+)[^"\\]*/, '$1…')
    .replace(/[0-9a-f-]{8,}|\d+/g, 'N')
    .slice(0, 150);

interface MemoryRecord {
  before: Memory;
  peak: Memory;
  after: Memory;
  seconds: number;
}

/** The report that the run prints. */
export class Report {
  readonly #seed: number;
  readonly #begun = Date.now();
  readonly #statuses = new Map<string, Map<string, number>>();
  readonly #later = new Map<string, number>();
  #slowest: { milliseconds: number; what: string }[] = [];
  #memory: MemoryRecord | undefined;
  #requests = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  say(line: string): void {
    console.log(`${String(Math.round((Date.now() - this.#begun) / 1000)).padStart(4)} s  ${line}`);
  }

  count({ attempt, outcomes }: Played): void {
    const row = this.#statuses.get(attempt.route) ?? new Map<string, number>();
    this.#statuses.set(attempt.route, row);
    for (const { answers, garbage, ended, milliseconds } of outcomes) {
      this.#requests++;
      const seen = answers.map(({ status }) => String(status));
      for (const { status, body } of answers) if (LATER.includes(status)) this.#noteLater(`${status} ${body}`);
      if (garbage !== '') seen.push('no HTTP');
      if (seen.length === 0) seen.push(ended === 'left' ? 'left' : 'none');
      for (const status of seen) row.set(status, (row.get(status) ?? 0) + 1);
      if (answers.length > 0)
        this.#noteTime(milliseconds, `#${attempt.index} ${attempt.route} (${attempt.kind}) ${seen[0]}`);
    }
  }

  #noteLater(text: string): void {
    const detail = kindOf(text);
    this.#later.set(detail, (this.#later.get(detail) ?? 0) + 1);
  }

  #noteTime(milliseconds: number, what: string): void {
    if (milliseconds <= (this.#slowest[SLOWEST - 1]?.milliseconds ?? 0)) return;
    this.#slowest = [...this.#slowest, { milliseconds, what }]
      .toSorted((a, b) => b.milliseconds - a.milliseconds)
      .slice(0, SLOWEST);
  }

  memory(record: MemoryRecord): void {
    this.#memory = record;
  }

  print(siege: Siege): void {
    this.#printStatuses();
    console.log('\nrefused for later');
    for (const [detail, count] of this.#later) console.log(`  ${String(count).padStart(5)}  ${detail}`);
    console.log('\nslowest answers (to the first byte of the whole answer)');
    for (const { milliseconds, what } of this.#slowest) console.log(`  ${(milliseconds / 1000).toFixed(2)} s  ${what}`);
    this.#printHealth(siege);
    this.#printMemory();
    this.#printLines(siege);
    this.#printFindings(siege.findings);
  }

  #printStatuses(): void {
    const columns = [...new Set([...this.#statuses.values()].flatMap((row) => [...row.keys()]))].toSorted();
    const rows = [...this.#statuses].toSorted(([a], [b]) => (a < b ? -1 : 1));
    console.log(`\n${this.#requests} connections of ${rows.length} kinds\n`);
    console.log(`${''.padEnd(WIDTH)}${columns.map((name) => name.padStart(8)).join('')}`);
    for (const [route, row] of rows)
      console.log(`${route.padEnd(WIDTH)}${columns.map((name) => String(row.get(name) ?? '').padStart(8)).join('')}`);
  }

  #printHealth({ pulses, restarts }: Siege): void {
    const times = pulses.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
    const at = (share: number): string => `${Math.round(times[Math.floor(share * (times.length - 1))] ?? 0)} ms`;
    const lateness = Math.round(Math.max(0, ...pulses.map((pulse) => pulse.lateness)));
    console.log(
      `\n/health: asked ${times.length} times; half within ${at(0.5)}, 99 % within ${at(0.99)}, max ${at(1)}`,
    );
    console.log(`  (the asking thread itself was up to ${lateness} ms late); service started again ${restarts} times`);
  }

  #printMemory(): void {
    if (!this.#memory) return;
    const { before, peak, after, seconds } = this.#memory;
    console.log(
      `\nmemory, resident MB: after warm-up and quiet, at the end of the load, ${Math.round(seconds)} s later`,
    );
    for (const role of ROLES) {
      const values = [before, peak, after].map((memory) => (memory[role] / 2 ** 20).toFixed(0).padStart(7));
      console.log(`  ${role.padEnd(12)}${values.join('')}  ${(after[role] / before[role]).toFixed(2)} x`);
    }
  }

  /** The service's output, by kind of line. */
  #printLines({ lines }: Siege): void {
    const kinds = new Map<string, number>();
    for (const { text, at } of lines) {
      if (at === 0) continue;
      const kind = kindOf(text);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const sorted = [...kinds].toSorted(([, a], [, b]) => b - a);
    console.log(
      `\n${[...kinds.values()].reduce((sum, n) => sum + n, 0)} lines printed, of ${kinds.size} kinds; most often`,
    );
    for (const [kind, count] of sorted.slice(0, 12)) console.log(`  ${String(count).padStart(5)}  ${kind}`);
  }

  #printFindings(findings: readonly Finding[]): void {
    const classes = Map.groupBy(findings, ({ what }) => what);
    console.log(`\n${findings.length} findings of ${classes.size} classes`);
    for (const [what, all] of [...classes].toSorted(([, a], [, b]) => b.length - a.length)) {
      console.log(`\n${what}: ${all.length}`);
      // One of each kind first: they are more informative than three of the same.
      const kinds = [
        ...Map.groupBy(all, ({ route, kind, seen }) => (route ? `${route} ${kind}` : kindOf(seen))).values(),
      ];
      for (const same of kinds.slice(0, SHOWN)) {
        const { index, route, kind, seen } = same[0]!;
        const who = [index === undefined ? '' : `#${index}`, route === undefined ? '' : `${route} (${kind})`];
        const times = same.length > 1 ? [`${same.length} times`] : [];
        const label = [...times, ...who].filter((part) => part !== '').join(' ');
        console.log(`  ${label === '' ? '' : `${label}: `}${seen}`);
      }
      if (kinds.length > SHOWN) console.log(`  and ${kinds.length - SHOWN} other kinds`);
    }
    if (findings.length > 0)
      console.log(`\none alone: ATTACK_SEED=${this.#seed} ATTACK_ONLY=<number> npm run test:attack`);
  }
}
