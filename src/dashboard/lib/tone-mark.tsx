import '../style/tone-mark.css';
import { clamp } from './format.ts';

/** Distance of a valence from neutral at which it reaches the end of the scale, in marks and in lanes. */
export const TONE_REACH = 0.34;

/** Valences (0..1) at which the tone's colour changes. */
const STEPS = [0.36, 0.43, 0.47, 0.53, 0.57, 0.66];
const COLOURS = ['neg-3', 'neg-2', 'neg-1', 'mid', 'pos-1', 'pos-2', 'pos-3'] as const;
export const toneColour = (valence: number): (typeof COLOURS)[number] => {
  const step = STEPS.findIndex((edge, i) => (i < 3 ? valence < edge : valence <= edge));
  return COLOURS[step < 0 ? 6 : step]!;
};

/**
 * One staff line. The bar's height shows the valence and its thickness the arousal; a hollow bar marks speech that is
 * hard to hear. Without an arousal, the bar is thin. With forced colours, a sign repeats the height. It is built from boxes, because there are thousands of lines.
 */
export function ToneMark(p: {
  valence: number;
  arousal: number | undefined;
  hollow: boolean;
  width?: number;
  height?: number;
}) {
  const { width = 26, height = 18 } = p;
  const y = clamp(height / 2 - ((p.valence - 0.5) / TONE_REACH) * (height / 2 - 3), 3, height - 3);
  const calm = p.arousal === undefined ? 2 : clamp(1.6 + ((p.arousal - 0.35) / 0.3) * 4.2, 1.6, 6);
  const thick = p.hollow ? Math.max(calm, 3) + 1.2 : calm;
  const colour = p.hollow ? 'var(--surface)' : `var(--${toneColour(p.valence)})`;
  return (
    <span
      class={p.hollow ? 'tm hol' : 'tm'}
      data-tone={toneColour(p.valence).slice(0, 3)}
      style={`width:${width}px;height:${height}px;padding-top:${(y - thick / 2).toFixed(1)}px`}
      aria-hidden="true"
    >
      <i style={`height:${thick.toFixed(1)}px;background:${colour}`} />
    </span>
  );
}
