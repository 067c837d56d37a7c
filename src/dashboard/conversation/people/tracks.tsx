import { clamp, plus, two } from '../../lib/format.ts';

/** Positions of values on a line. */

const TRACK = { width: 140, middle: 70, sigma: 62 / 3 };

/**
 * A measure relative to the speaker's typical range, in standard deviations.
 * @param word the same in plain words; undefined where the voice was measured poorly
 */
export function Deviation({
  name,
  z,
  word,
  value,
}: {
  name: string;
  z: number;
  word: string | undefined;
  value: string;
}) {
  const x = TRACK.middle + clamp(z, -3, 3) * TRACK.sigma;
  const isMarked = Math.abs(z) >= 1;
  return (
    <div class="zr worded">
      <span>{name}</span>
      <svg
        width="100%"
        height="20"
        viewBox={`0 0 ${TRACK.width} 20`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${plus(z, 1)} standard deviations`}
      >
        <rect x={TRACK.middle - TRACK.sigma} y="4" width={TRACK.sigma * 2} height="12" rx="3" fill="var(--sunken)" />
        <path d={`M6 10H${TRACK.width - 6}`} stroke="var(--line-2)" />
        <path d={`M${TRACK.middle} 5v10`} stroke="var(--ink-4)" />
        <path d={`M${TRACK.middle} 10H${x}`} stroke="var(--ink)" stroke-width={isMarked ? 2.5 : 1.5} />
        <circle cx={x} cy="10" r={isMarked ? 4.5 : 3.5} fill="var(--ink)" />
      </svg>
      <span class="v">
        {word && <span>{word}</span>}
        <small>
          {value}, {plus(z, 1)} σ
        </small>
      </span>
    </div>
  );
}

/** Valence, arousal or dominance, from 0 to 1 with 0.5 in the middle. */
export function MeasureScale({
  name,
  value,
  word,
  colour,
}: {
  name: string;
  value: number;
  word: string;
  colour: string;
}) {
  const x = 8 + value * (TRACK.width - 16);
  return (
    <div class="zr">
      <span>{name}</span>
      <svg width="100%" height="20" viewBox={`0 0 ${TRACK.width} 20`} preserveAspectRatio="none" aria-hidden="true">
        <path d={`M8 10H${TRACK.width - 8}`} stroke="var(--line-2)" />
        <path d={`M${TRACK.middle} 5v10`} stroke="var(--ink-4)" />
        <path d={`M${TRACK.middle} 10H${x}`} stroke={colour} stroke-width="4" />
        <circle cx={x} cy="10" r="4" fill={colour} />
      </svg>
      <span class="v">
        {word} <small>{two(value)}</small>
      </span>
    </div>
  );
}

export function Bars({ rows, top }: { rows: readonly [string, number, string][]; top?: string }) {
  return (
    <div class="bars">
      {rows.map(([name, share, told]) => (
        <>
          <span class={name === top ? 'top' : ''}>{name}</span>
          <span class="t">
            <i class={name === 'neutral' ? 'quiet' : ''} style={{ width: `${share * 100}%` }} />
          </span>
          <span class="n">{told}</span>
        </>
      ))}
    </div>
  );
}
