import type { ComponentChildren } from 'preact';
import { MOMENT_CATEGORIES, type MomentCategory, type MomentCategoryInfo } from '../../sdk/wire.ts';
import { tier, two } from './format.ts';
import { letter } from './speaker-names.ts';

/** Marks that all pages share: a badge for the speaker, a glyph for a moment, and bars for the confidence. */

/** All speakers after the eighth share its colour. Their letters are replaced by numbers. */
export const speakerClass = (index: number): string => `s${Math.min(index, 7)}`;

export function Badge({ speaker }: { speaker: number }) {
  return (
    <span class={`bd ${speakerClass(speaker)}`} aria-hidden="true">
      {letter(speaker)}
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
