import type { ComponentChildren } from 'preact';
import { MOMENT_CATEGORIES, type MomentCategory, type MomentCategoryInfo } from '../../sdk/wire.ts';
import { clamp, tier, two } from './format.ts';
import { letter } from './speaker-names.ts';

/**
 * Marks that all pages share: a badge for the speaker, a mark for the tone, a glyph for a moment, and bars for the
 * confidence.
 */

/** All speakers after the eighth share its colour. Their letters are replaced by numbers. */
export const speakerClass = (index: number): string => `s${Math.min(index, 7)}`;

export function Badge({ speaker }: { speaker: number }) {
  return (
    <span class={`bd ${speakerClass(speaker)}`} aria-hidden="true">
      {letter(speaker)}
    </span>
  );
}

/** The dashes of a speaker's lines, beside the name. Only forced colours need them. */
export const LineSample = ({ speaker }: { speaker: number }) => (
  <svg class={`sample1 ${speakerClass(speaker)}`} width="20" height="8" aria-hidden="true">
    <path class="line2" d="M0 4H20" stroke="var(--sp)" stroke-width="4" />
  </svg>
);

/** Valences (0..1) at which the tone's colour changes. */
const STEPS = [0.36, 0.43, 0.47, 0.53, 0.57, 0.66];
const COLOURS = ['neg-3', 'neg-2', 'neg-1', 'mid', 'pos-1', 'pos-2', 'pos-3'] as const;
export const toneColour = (valence: number): (typeof COLOURS)[number] => {
  const step = STEPS.findIndex((edge, i) => (i < 3 ? valence < edge : valence <= edge));
  return COLOURS[step < 0 ? 6 : step]!;
};

/**
 * One staff line. The bar's height shows the valence and its thickness the arousal; a hollow bar marks speech that is
 * hard to hear. Without an arousal, the bar is thin. It is built from boxes, because there are thousands of lines.
 */
export function ToneMark(p: {
  valence: number;
  arousal: number | undefined;
  hollow: boolean;
  width?: number;
  height?: number;
}) {
  const { width = 26, height = 18 } = p;
  const y = clamp(height / 2 - ((p.valence - 0.5) / 0.38) * (height / 2 - 3), 3, height - 3);
  const calm = p.arousal === undefined ? 2 : clamp(1.6 + ((p.arousal - 0.35) / 0.3) * 4.2, 1.6, 6);
  const thick = p.hollow ? Math.max(calm, 3) + 1.2 : calm;
  const colour = p.hollow ? 'var(--surface)' : `var(--${toneColour(p.valence)})`;
  return (
    <span
      class={p.hollow ? 'tm hol' : 'tm'}
      style={`width:${width}px;height:${height}px;padding-top:${(y - thick / 2).toFixed(1)}px`}
      aria-hidden="true"
    >
      <i style={`height:${thick.toFixed(1)}px;background:${colour}`} />
    </span>
  );
}

export const MOMENT_NAMES = Object.fromEntries(MOMENT_CATEGORIES.map(({ name, label }) => [name, label])) as Readonly<
  Record<MomentCategory, string>
>;

/** Whether moments of a category can be answered by moments of another. */
export const isAnswerable = (category: MomentCategory): boolean =>
  MOMENT_CATEGORIES.some(({ answers }) => answers === category);

/** Whether moments of a category answer moments of another. */
export const isAnswer = (category: MomentCategory): boolean =>
  MOMENT_CATEGORIES.some(({ name, answers }) => name === category && answers !== undefined);

const COLOUR = { ink: 'currentColor', ground: 'var(--glyph, var(--surface))' };
const DASHES = '2.2 1.5';
type Icon = MomentCategoryInfo['icon'];
const shapesOf = (icon: Icon): ComponentChildren =>
  icon.map(({ path, fill, stroke, strokeWidth, roundCap, roundJoin }) => (
    <path
      key={path}
      d={path}
      fill={fill ? COLOUR[fill] : 'none'}
      stroke={stroke && COLOUR[stroke]}
      stroke-width={strokeWidth}
      stroke-linecap={roundCap && 'round'}
      stroke-linejoin={roundJoin && 'round'}
    />
  ));
/** The same shape hollow, with a dashed outline. */
const hollowShapesOf = (icon: Icon): ComponentChildren =>
  icon.map(({ path, fill, strokeWidth }) => (
    <path
      key={path}
      d={path}
      fill={fill ? COLOUR.ground : 'none'}
      stroke={COLOUR.ink}
      stroke-width={strokeWidth ?? 1.5}
      stroke-dasharray={fill || icon.every((shape) => !shape.fill) ? DASHES : undefined}
    />
  ));
const glyphs = (drawn: (icon: Icon) => ComponentChildren) =>
  Object.fromEntries(MOMENT_CATEGORIES.map(({ name, icon }) => [name, drawn(icon)])) as Record<
    MomentCategory,
    ComponentChildren
  >;
const GLYPHS = glyphs(shapesOf);
const HOLLOW_GLYPHS = glyphs(hollowShapesOf);
const TRANSITION_GLYPH = (
  <path d="M2 11c3.5 0 3.5-6 6-6s2.5 6 6 6" fill="none" stroke="currentColor" stroke-width="1.8" />
);

interface GlyphProps {
  kind: MomentCategory | 'shift';
  size?: number;
  /** Whether the moment is unsure, or all moments that the glyph stands for. */
  isUnsure?: boolean;
}

/** Categories are distinguished by shape, never by colour alone. What is unsure is hollow. */
export function Glyph({ kind, size = 16, isUnsure: isHollow = false }: GlyphProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" class={isHollow ? 'hollow1' : undefined} aria-hidden="true">
      {kind === 'shift' ? TRANSITION_GLYPH : (isHollow ? HOLLOW_GLYPHS : GLYPHS)[kind]}
    </svg>
  );
}

/** Signs of moments in words, and further signs after them. */
export function MomentKey({ kinds, children }: { kinds: readonly MomentCategory[]; children?: ComponentChildren }) {
  return (
    <p class="key1">
      {kinds.map((category) => (
        <span key={category}>
          <Glyph kind={category} size={13} /> {MOMENT_NAMES[category].toLowerCase()}
        </span>
      ))}
      {kinds.length > 0 && (
        <span>
          <Glyph kind="objection" size={13} isUnsure /> hollow and dashed: unsure
        </span>
      )}
      {children}
    </p>
  );
}

/** The number of a phase. */
export const Nth = ({ of: nth }: { of: number }) => (
  <b class="nth1 num" aria-hidden="true">
    {nth}
  </b>
);

/** @param of what it is about, if that is not said beside it */
export function Confidence({ value, of }: { value: number; of?: string }) {
  const { word, bars } = tier(value);
  return (
    <span class="cfd" title={`Confidence ${two(value)}: ${word}`}>
      {of && `${of}: `}
      <i aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <b key={bar} class={bar <= bars ? 'f' : ''} />
        ))}
      </i>
      {word} {two(value)}
    </span>
  );
}
