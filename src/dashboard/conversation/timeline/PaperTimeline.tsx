import { useComputed } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { clock } from '../../lib/format.ts';
import { NAMELESS } from '../model.ts';
import { isUnsurePin, SignGlyph } from '../signs.tsx';
import type { PageState } from '../state.ts';
import { busiestOf, longClock } from './busy-parts.ts';
import { PhoneKey, SignKey } from './Gutter.tsx';
import { MOMENTS_PX, PHASES_PX, rowsOf, scaleOf, signWidth } from './geometry.ts';
import { FIELD_PX, nameIn, roomFor } from './Pins.tsx';
import { paint } from './paint.ts';
import { modeOf, type Palette, type Picture, paletteOf, shownPins } from './picture.ts';

/** Width of the drawing, which is scaled to that of the paper, and of the names at its left, px. */
const WIDTH_PX = 680;
const LEFT_PX = 112;
/** Left edge of the names, px, and number of letters that fit. */
const NAME_LEFT_PX = 16;
const NAME_LETTERS = 16;
/** Dots of the canvas per px. */
const DENSITY = 3;
/** Height up to which it is drawn: less than that of a sheet across. */
const HIGHEST_CM = 15;
const GLYPH_PX = 15;

/** The whole conversation on one axis, for paper: neither zoomed nor filtered, and without controls. */
export function PaperTimeline({ page }: { page: PageState }) {
  const { conversation, levels, hidden } = page;
  const { labels, names, lines, phases, duration } = conversation;
  const picture = useComputed<Picture>(() => {
    const view = { from: 0, to: duration };
    const rows = {
      ...rowsOf(
        labels.length,
        false,
        lines.some((line) => line.tone),
      ),
      left: LEFT_PX,
    };
    const mode = modeOf(conversation, view, WIDTH_PX - LEFT_PX, undefined);
    return {
      ...{ conversation, rows, view, mode, levels: levels.value, hidden: hidden.value },
      ...{ width: WIDTH_PX, scale: scaleOf(view, WIDTH_PX, rows, mode, duration), solo: undefined, shown: undefined },
    };
  });
  const sheet = useRef<HTMLCanvasElement>(null);
  const now = picture.value;
  const { rows, scale } = now;
  const busiest = busiestOf(conversation);
  useLayoutEffect(() => {
    // A canvas that is drawn while the page is about to be printed is replayed by Chromium at another scale, so it gets
    // the finished dots.
    const dots = new OffscreenCanvas(WIDTH_PX * DENSITY, rows.height * DENSITY);
    const ctx = dots.getContext('2d') as unknown as CanvasRenderingContext2D;
    ctx.scale(DENSITY, DENSITY);
    paint(ctx, now, coloursOfPaper(sheet.current!));
    sheet.current!.getContext('bitmaprenderer')!.transferFromImageBitmap(dots.transferToImageBitmap());
  }, [now, rows]);
  const fields = phases.map(({ nth, name, start }, i) => {
    const x = i === 0 ? LEFT_PX : scale.x(start);
    const width = (phases[i + 1] ? scale.x(phases[i + 1]!.start) : WIDTH_PX) - x;
    return { nth, x, width, name: cut(nameIn(width, name), roomFor(width)), isWhole: roomFor(width) >= name.length };
  });
  return (
    <section class="paper papertime" style={{ maxWidth: `${((HIGHEST_CM * WIDTH_PX) / rows.height).toFixed(2)}cm` }}>
      <div class="drawn">
        <canvas ref={sheet} width={WIDTH_PX * DENSITY} height={rows.height * DENSITY} />
        <svg viewBox={`0 0 ${WIDTH_PX} ${rows.height}`} aria-hidden="true">
          {fields
            .filter(({ width }) => width >= FIELD_PX)
            .map(({ nth, x, width, name }) => (
              <g key={nth}>
                <path d={`M${x} 0v${PHASES_PX}`} stroke="var(--line-2)" />
                {width >= DIGIT_PX * String(nth).length && (
                  <text x={x + 2} y={15}>
                    <tspan class="nth">{nth}</tspan> {name}
                  </text>
                )}
              </g>
            ))}
          {names.map((name, k) => (
            <text key={labels[k]} x={NAME_LEFT_PX} y={rows.lanes + k * rows.lane + rows.lane / 2 + 3.5}>
              {cut(name, NAME_LETTERS)}
            </text>
          ))}
          {rows.tone > 0 && (
            <>
              <text x={NAME_LEFT_PX} y={rows.toneTop + 13}>
                positive
              </text>
              <text class="of" x={NAME_LEFT_PX} y={rows.toneTop + rows.tone / 2 + 3.5}>
                Tone
              </text>
              <text x={NAME_LEFT_PX} y={rows.axis - 6}>
                negative
              </text>
            </>
          )}
          <PaperPins picture={now} />
        </svg>
      </div>
      <SignKey picture={picture} />
      <PhoneKey rows={rows} picture={picture} />
      {busiest.length > 0 && (
        <p class="toneline">
          <b>Most moments:</b>{' '}
          {busiest.map(({ from, to, count }) => `${longClock(from)} to ${longClock(to)}, ${count} moments`).join('; ')}
        </p>
      )}
      {phases.length > 1 && fields.some(({ isWhole }) => !isWhole) && (
        <p class="toneline">
          <b>Phases:</b>{' '}
          {phases.map(({ nth, name, start }, i) => (
            <>
              {i > 0 && ' · '}
              {nth} {name === '' ? <span class="muted">{NAMELESS}</span> : name} ({clock(start)})
            </>
          ))}
        </p>
      )}
    </section>
  );
}

/** Width of a digit, px. */
const DIGIT_PX = 7;

/** The first letters of a text. */
const cut = (text: string, letters: number): string =>
  text.length <= Math.max(0, letters) ? text : `${text.slice(0, Math.max(0, letters - 1)).trimEnd()}…`;

/** The colours of the light theme. Their styles apply only after the drawing, so the dark theme is taken off meanwhile. */
function coloursOfPaper(sheet: Element): Palette {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = 'light';
  const colours = paletteOf(sheet);
  dataset.theme = theme;
  return colours;
}

/** The moments, as in the window: a sign for each, a number for those that share a place, or counted by intervals. */
function PaperPins({ picture }: { picture: Picture }) {
  const shown = shownPins(picture);
  const middle = PHASES_PX + MOMENTS_PX / 2;
  if (shown.bins) {
    const most = Math.max(...shown.bins.map(({ items }) => items.length));
    return shown.bins.map(({ from, x, width, items }) => {
      const height = (items.length / most) * BAR_PX;
      return (
        <g key={from}>
          <rect class="bar" x={x} y={PHASES_PX + MOMENTS_PX - height} width={width - 1} height={height} />
          <text class="many" x={x + width / 2} y={PHASES_PX + 12}>
            {items.length}
          </text>
        </g>
      );
    });
  }
  return shown.signs.map(({ x, items }) => {
    const areUnsure = items.every(({ pin }) => isUnsurePin(pin));
    return items.length === 1 ? (
      <g key={x} transform={`translate(${x - GLYPH_PX / 2} ${middle - GLYPH_PX / 2})`}>
        <SignGlyph kind={items[0]!.pin.category} size={GLYPH_PX} isUnsure={areUnsure} />
      </g>
    ) : (
      <Many key={x} x={x} y={middle} count={items.length} areUnsure={areUnsure} />
    );
  });
}

/** Height of the bar of the interval with the most moments, and of the sign of several moments, px. */
const BAR_PX = 11;
const MANY_PX = 16;

function Many({ x, y, count, areUnsure }: { x: number; y: number; count: number; areUnsure: boolean }) {
  const width = signWidth(count);
  return (
    <g class={areUnsure ? 'un' : ''}>
      <rect x={x - width / 2} y={y - MANY_PX / 2} width={width} height={MANY_PX} rx={MANY_PX / 2} />
      <text class="many" x={x} y={y + 3.5}>
        {count}
      </text>
    </g>
  );
}
