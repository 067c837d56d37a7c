import { type ReadonlySignal, type Signal, useComputed, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clamp, clock, shortened } from '../../lib/format.ts';
import { look } from '../../lib/theme.ts';
import { hideTip, showTip } from '../../lib/tip.tsx';
import { isHollow, lineAt } from '../model.ts';
import type { PageState } from '../state.ts';
import { measuresOf } from '../tone-words.ts';
import type { TimelineRows } from './geometry.ts';
import { PhaseRow, PinRow } from './Pins.tsx';
import { paint, paintBands, paintHits } from './paint.ts';
import { type Palette, type Picture, paletteOf } from './picture.ts';

type PictureSignal = ReadonlySignal<Picture>;

interface PlotProps {
  page: PageState;
  rows: TimelineRows;
  picture: PictureSignal;
  /** Width measured by this component, px. */
  width: Signal<number>;
}

/** The picture with phases, moments, the playhead and the pointer on top. */
export function Plot({ page, rows, picture, width }: PlotProps) {
  const plot = useRef<HTMLDivElement>(null);
  const cross = useRef<HTMLElement>(null);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = Math.round(entry!.contentRect.width);
    });
    observer.observe(plot.current!);
    return () => observer.disconnect();
  }, [width]);

  useEffect(() => {
    const element = plot.current!;
    const wheel = (e: WheelEvent): void => {
      const isZoom = e.ctrlKey || e.metaKey;
      if (!isZoom && Math.abs(e.deltaX) < Math.abs(e.deltaY)) return;
      e.preventDefault();
      const { scale, view } = picture.peek();
      if (isZoom) page.zoom(e.deltaY > 0 ? 1.18 : 0.85, scale.t(e.clientX - element.getBoundingClientRect().left));
      else page.pan((e.deltaX / Math.max(1, width.value)) * (view.to - view.from));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  }, [page, picture, width]);

  const timeAt = (e: PointerEvent): number =>
    picture.peek().scale.t(e.clientX - plot.current!.getBoundingClientRect().left);
  const move = (e: PointerEvent): void => {
    const t = timeAt(e);
    if (e.buttons & 1 && e.target === e.currentTarget) page.player.seek(t);
    if (cross.current) {
      cross.current.hidden = false;
      cross.current.style.transform = `translateX(${picture.peek().scale.x(t)}px)`;
    }
    if (e.target === e.currentTarget) showTip(<Hover page={page} t={t} />, e.clientX, e.clientY);
  };
  const leave = (): void => {
    hideTip();
    if (cross.current) cross.current.hidden = true;
  };

  return (
    <div class="plot" ref={plot} style={{ height: `${rows.height}px` }}>
      <Sheets page={page} picture={picture} />
      <Seek page={page} onPointerMove={move} onPointerLeave={leave} onPointerDown={(e) => page.goTo(timeAt(e))} />
      <PhaseRow page={page} picture={picture} />
      <PinRow page={page} picture={picture} />
      <Playhead page={page} picture={picture} />
      <i class="cross" ref={cross} hidden />
      <Mini page={page} />
    </div>
  );
}

/**
 * Three canvases: the picture, which is redrawn when the view or the data change, and one each for temporary highlights
 * below and above it.
 */
function Sheets({ page, picture }: { page: PageState; picture: PictureSignal }) {
  const under = useRef<HTMLCanvasElement>(null);
  const middle = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const palette = useRef<{ theme: string; colours: Palette }>(undefined);
  /** Caches the colours, because reading a style forces a layout and they change only with the theme. */
  const coloursOf = (name: string): Palette => {
    if (palette.current?.theme !== name) palette.current = { theme: name, colours: paletteOf(middle.current!) };
    return palette.current.colours;
  };
  useDrawing(middle, () => {
    const now = picture.value;
    const name = look.value;
    return (sheet) => now.width > 0 && paint(contextOf(sheet, now), now, coloursOf(name));
  });
  useDrawing(under, () => {
    const now = picture.value;
    const name = look.value;
    const { selected, evidence } = page;
    const lit = { selected: selected.value, evidence: evidence.value };
    return (sheet) => now.width > 0 && paintBands(contextOf(sheet, now), now, lit, coloursOf(name));
  });
  useDrawing(over, () => {
    const now = picture.value;
    const name = look.value;
    const hits = page.hits.value.map((hit) => hit.line);
    return (sheet) => now.width > 0 && paintHits(contextOf(sheet, now), now, hits, coloursOf(name));
  });
  // These elements cannot be focused. The slider next to them serves keyboards and screen readers instead.
  return (
    <div aria-hidden="true">
      <canvas ref={under} class="main" />
      <canvas ref={middle} class="main" />
      <canvas ref={over} class="main" />
    </div>
  );
}

/**
 * Draws once in the next frame, however often its input has changed. Does nothing if the canvas no longer exists by
 * then.
 */
function useDrawing(sheet: RefObject<HTMLCanvasElement | null>, look: () => (sheet: HTMLCanvasElement) => void): void {
  const frame = useRef(0);
  useSignalEffect(() => {
    const draw = look();
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => sheet.current && draw(sheet.current));
  });
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
}

/** A cleared drawing context of the picture's size, in CSS pixels. */
function contextOf(element: HTMLCanvasElement, { width, rows }: Picture): CanvasRenderingContext2D {
  const density = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * density), Math.round(rows.height * density)];
  // Setting the size clears the canvas, even if the size stays the same.
  if (element.width !== w) element.width = w;
  if (element.height !== h) {
    element.height = h;
    element.style.height = `${rows.height}px`;
  }
  const ctx = element.getContext('2d')!;
  ctx.setTransform(density, 0, 0, density, 0, 0);
  ctx.clearRect(0, 0, width, rows.height);
  return ctx;
}

/** The timeline's only control. A screen reader announces its value as a time and a speaker. */
function Seek(p: {
  page: PageState;
  onPointerMove: (e: PointerEvent) => void;
  onPointerLeave: () => void;
  onPointerDown: (e: PointerEvent) => void;
}) {
  const { conversation, player } = p.page;
  const second = useComputed(() => Math.round(player.time.value));
  const line = conversation.lines[player.current.value];
  return (
    <div
      class="seek"
      role="slider"
      tabIndex={0}
      aria-label="Position in the conversation"
      aria-valuemin={0}
      aria-valuemax={Math.round(conversation.duration)}
      aria-valuenow={second.value}
      aria-valuetext={`${clock(second.value)} of ${clock(conversation.duration)}${line ? `, ${conversation.names[line.speaker]}` : ''}`}
      onPointerMove={p.onPointerMove}
      onPointerLeave={p.onPointerLeave}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        p.onPointerDown(e);
      }}
    />
  );
}

/** While playing, only its transform changes, so that playback redraws nothing. */
function Playhead({ page, picture }: { page: PageState; picture: PictureSignal }) {
  const head = useRef<HTMLElement>(null);
  useSignalEffect(() => {
    const { scale, width, rows } = picture.value;
    const x = scale.x(page.player.time.value);
    if (!head.current) return;
    head.current.style.transform = `translateX(${clamp(x, 0, width - 1)}px)`;
    head.current.style.bottom = `${rows.height - rows.axis}px`;
    head.current.hidden = x < -1 || x > width + 1;
  });
  return <i class="head-line" ref={head} />;
}

/** Shows the position of a zoomed view in the whole conversation. */
function Mini({ page }: { page: PageState }) {
  const { from, to } = page.view.value;
  const { duration } = page.conversation;
  if (to - from >= duration - 0.01) return null;
  return (
    <div class="mini">
      <i style={{ left: `${(from / duration) * 100}%`, width: `${((to - from) / duration) * 100}%` }} />
    </div>
  );
}

function Hover({ page, t }: { page: PageState; t: number }) {
  const { lines, names } = page.conversation;
  const line = lines[lineAt(lines, t)];
  if (!line || t > line.end) return <span class="num">{clock(t)} silence</span>;
  const isHidden = page.hidden.value.has(line.speaker);
  return (
    <>
      <span class="num">{clock(t)}</span> <b>{names[line.speaker]}</b>
      <br />
      {shortened(line.text, 110)}
      <br />
      <span class="muted">
        {isHidden
          ? 'tone hidden'
          : line.tone
            ? `${measuresOf(line)}${isHollow(line) ? '; hard to hear' : ''}`
            : 'tone was not measured'}
      </span>
    </>
  );
}
