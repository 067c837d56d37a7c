import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from '../../bench/report.ts';
import setUpTests from '../set-up.ts';
import type { LoadOutcome } from './load.ts';

/** Names the file in which the tests of a run keep their outcomes: several runs may be active at once. */
const FILE = 'FAULT_OUTCOMES';

/** Tries per fault: one in the ordinary tests, and ten in `npm run test:faults` (vitest.faults.config.ts). */
export const TRIES = Number(process.env.FAULT_TRIES ?? 1);
/** The tries of a fault, each with the share of the run at which the fault comes: spread over all of it. */
export const MOMENTS = Array.from({ length: TRIES }, (_, i) => ({ nth: i + 1, moment: (i + 0.5) / TRIES }));

/** Records the outcome of one try of a fault, for the table at the end. */
export function note(fault: string, outcome: LoadOutcome): void {
  const file = process.env[FILE];
  if (file) appendFileSync(file, `${JSON.stringify({ fault, ...outcome })}\n`);
}

/** Runs before and after all tests of `npm run test:faults`. */
export default async function setUp(): Promise<() => void> {
  await setUpTests();
  const folder = mkdtempSync(join(tmpdir(), 'undertone-faults-'));
  process.env[FILE] = join(folder, 'outcomes.ndjson');
  return () => {
    const rows = new Map<string, LoadOutcome & { tries: number }>();
    for (const line of lines()) {
      const { fault, lost, doubled, unequal } = JSON.parse(line) as LoadOutcome & { fault: string };
      const row = rows.get(fault) ?? { tries: 0, lost: 0, doubled: 0, unequal: 0 };
      rows.set(fault, {
        tries: row.tries + 1,
        lost: row.lost + lost,
        doubled: row.doubled + doubled,
        unequal: row.unequal + unequal,
      });
    }
    report('faults', [
      {
        title: 'Faults under 12 live sessions and 4 files at once',
        columns: ['fault', 'tries', 'lost', 'doubled', 'unequal'],
        rows: [...rows].map(([fault, row]) => [fault, row.tries, row.lost, row.doubled, row.unequal]),
        note: 'lost: chunks and uploads acknowledged and not kept; doubled: events told twice; unequal: recordings told otherwise than undisturbed.',
      },
    ]);
    rmSync(folder, { recursive: true });
  };
}

function lines(): string[] {
  try {
    return readFileSync(process.env[FILE] ?? '', 'utf8')
      .trim()
      .split('\n');
  } catch {
    return [];
  }
}
