import { clamp } from './format.ts';
import { toneColour } from './tone-mark.tsx';

const WIDTH = 210;
const HEIGHT = 28;
/** Distance of the valence from neutral that reaches the upper or lower edge. */
const SPAN = 0.3;

/**
 * The course of a conversation: the valence in equal parts of its length. Positive parts are above the dots, and gaps
 * are silence.
 */
export function Course({ points }: { points: readonly (number | null)[] }) {
  const step = WIDTH / Math.max(1, points.length);
  const y = (value: number): number => HEIGHT / 2 - clamp((value - 0.5) / SPAN, -1, 1) * (HEIGHT / 2 - 3);
  return (
    <svg class="course" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" preserveAspectRatio="none">
      <path d={`M0 ${HEIGHT / 2}H${WIDTH}`} stroke="var(--line-2)" stroke-dasharray="2 3" />
      {points.map((value, i) => {
        if (value === null) return null;
        const next = points[i + 1] ?? value;
        return (
          <path
            key={i}
            d={`M${(i * step).toFixed(1)} ${y(value).toFixed(1)}L${((i + 1) * step).toFixed(1)} ${y(next).toFixed(1)}`}
            stroke={`var(--${toneColour(value)})`}
            stroke-width="2.2"
            stroke-linecap="round"
          />
        );
      })}
    </svg>
  );
}

/** A course in small, for a key. */
export const CourseSign = () => (
  <svg class="sign1" viewBox="0 0 28 14" width="28" height="14" aria-hidden="true">
    <path d="M0 7H28" stroke="var(--line-2)" stroke-dasharray="2 3" />
    <path d="M1 4L8 3L13 6" fill="none" stroke="var(--pos-2)" stroke-width="2" />
    <path d="M18 9L27 11" fill="none" stroke="var(--neg-2)" stroke-width="2" />
  </svg>
);
