import type { Operations, PoolInstance } from '../../sdk/wire.ts';
import { ago, bytes } from '../lib/format.ts';
import { TableCard } from './OperationsTable.tsx';

const STATES: Readonly<Record<PoolInstance['state'], string>> = {
  starting: 'starting',
  ready: 'ready',
  draining: 'takes no new work',
  silent: 'does not answer',
};
/** Lag above which a pipeline takes no more live sessions, ms. */
const MUCH_LAG_MS = 2_000;

/** The busy slots for files in all pipelines, as the table says them of each. Undefined where nothing counts them. */
export function fileSlotsOf({ pool, queue }: Operations): PoolInstance['files'] | undefined {
  if (!pool) return queue && { slots: queue.slots, used: queue.running };
  const sumOf = (part: keyof PoolInstance['files']): number =>
    pool.instances.reduce((sum, { files }) => sum + files[part], 0);
  return { slots: sumOf('slots'), used: sumOf('used') };
}

/** The pipelines that run: their slots, load and lag. */
export function Instances({ now: { pool } }: { now: Operations }) {
  if (!pool) return null;
  const used = (work: PoolInstance['live']): string => `${work.used} of ${work.slots}`;
  return (
    <TableCard<PoolInstance>
      name="Pipelines"
      empty="None runs. The next analysis or live session starts one."
      rows={pool.instances}
      keyOf={({ name }) => name}
      columns={[
        { name: 'Pipeline', width: '26%', kind: 'mono', of: ({ name }) => name, title: ({ name }) => name },
        {
          name: 'State',
          kind: ({ state }) => (state === 'silent' ? 'bad1' : ''),
          of: ({ state }) => STATES[state],
        },
        { name: 'Live slots busy', kind: 'r num', of: ({ live }) => used(live) },
        { name: 'File slots busy', kind: 'r num', of: ({ files }) => used(files) },
        { name: 'Processor', kind: 'r num', of: ({ busy }) => `${Math.round(busy * 100)} %` },
        {
          name: 'Lag',
          kind: 'r num',
          of: ({ lag_ms: lag }) => <span class={lag > MUCH_LAG_MS ? 'bad1' : ''}>{(lag / 1000).toFixed(1)} s</span>,
        },
        { name: 'Memory', kind: 'r num', of: ({ memory_bytes: size }) => (size === null ? '–' : bytes(size)) },
        { name: 'Reported', kind: 'r muted', of: ({ reported_at: at }) => ago(at) },
      ]}
    />
  );
}
