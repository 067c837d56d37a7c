import type { Operations, PoolInstance } from '../../sdk/wire.ts';
import { ago, bytes } from '../lib/format.ts';
import { Scrolling } from '../lib/scrolling.tsx';

const STATES: Readonly<Record<PoolInstance['state'], string>> = {
  starting: 'starting',
  ready: 'ready',
  draining: 'takes no new work',
  silent: 'does not answer',
};
/** Lag above which a pipeline takes no more live sessions, ms. */
const MUCH_LAG_MS = 2_000;

/** The pipelines that run: their slots, load and lag. */
export function Instances({ now: { pool } }: { now: Operations }) {
  if (!pool) return null;
  return (
    <Scrolling name="Pipelines" kind="ops">
      {pool.instances.length === 0 ? (
        <p class="muted in2">None runs. The next analysis or live session starts one.</p>
      ) : (
        <table class="fix pool">
          <thead>
            <tr>
              <th scope="col">Pipeline</th>
              <th scope="col">State</th>
              {['Live', 'Files', 'Processor', 'Lag', 'Memory', 'Reported'].map((name) => (
                <th key={name} scope="col" class="r">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {pool.instances.map((one) => (
              <tr key={one.name}>
                <td class="mono ell" title={one.name}>
                  {one.name}
                </td>
                <td class={one.state === 'silent' ? 'bad1' : ''}>{STATES[one.state]}</td>
                <td class="r num">
                  {one.live.used} of {one.live.slots}
                </td>
                <td class="r num">
                  {one.files.used} of {one.files.slots}
                </td>
                <td class="r num">{Math.round(one.busy * 100)} %</td>
                <td class={`r num ${one.lag_ms > MUCH_LAG_MS ? 'bad1' : ''}`}>{(one.lag_ms / 1000).toFixed(1)} s</td>
                <td class="r num">{one.memory_bytes === null ? '–' : bytes(one.memory_bytes)}</td>
                <td class="r muted">{ago(one.reported_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scrolling>
  );
}
