import { computed, type ReadonlySignal, signal, useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { clamp, clock, percents, shortened, two } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import { Badge, Confidence, Glyph, MOMENT_NAMES, speakerClass } from '../../lib/signs.tsx';
import { theme } from '../../lib/theme.ts';
import { hideTip, showTip } from '../../lib/tip.tsx';
import { isHollow, lineAt } from '../model.ts';
import type { Page } from '../state.ts';
import { rowsOf, scaleOf } from './geometry.ts';
import { joinedPins, modeOf, type Palette, type Picture, paint, paletteOf } from './paint.ts';

const phone = matchMedia('(max-width: 760px)');
export const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** The conversation on one axis: phases, moments, who spoke, and tone. */
export function Score({ page, openMenu }: { page: Page; openMenu: (speaker: number, at: DOMRect) => void }) {
  const width = useRef(signal(0)).current;
  const { conversation } = page;
  const hasTone = conversation.lines.some((line) => line.tone);
  const picture = useComputed<Picture>(() => {
    const rows = rowsOf(conversation.labels.length, isPhone.value, hasTone);
    const view = page.view.value;
    const mode = modeOf(conversation.lines, view, width.value, page.solo.value);
    return {
      conversation,
      levels: page.levels.value,
      rows,
      view,
      width: width.value,
      mode,
      scale: scaleOf(view, width.value, rows, mode, conversation.duration),
      emphasis: {
        solo: page.solo.value,
        shown: page.shown.value,
        selected: page.selected.value,
        evidence: page.evidence.value,
        hits: page.hits.value.map((hit) => hit.line),
        hidden: page.hidden.value,
      },
    };
  });
  return (
    <section class="score" aria-label="The conversation over time">
      <Gutter page={page} picture={picture} openMenu={openMenu} />
      <Plot page={page} picture={picture} width={width} />
    </section>
  );
}

type PictureSignal = ReadonlySignal<Picture>;

function Gutter(p: { page: Page; picture: PictureSignal; openMenu: (speaker: number, at: DOMRect) => void }) {
  const { page, picture } = p;
  const { conversation, player } = page;
  const { rows, mode, view } = picture.value;
  const metrics = conversation.result.insights.metrics.speakers;
  const shares = percents(conversation.labels.map((label) => metrics[label]?.talk_ratio ?? 0));
  return (
    <div class="gut">
      <div class="tp" style={{ height: `${rows.lanes}px` }}>
        <PlayButton page={page} />
        <div class="tm1 num">
          <span>{clock(player.time.value)}</span>
          <small>of {clock(conversation.duration)}</small>
        </div>
        <button type="button" class="btn sm icon ghost" aria-label="Previous utterance" onClick={() => player.back()}>
          <Icon name="previous" size={16} />
        </button>
        <button type="button" class="btn sm icon ghost" aria-label="Next utterance" onClick={() => player.on()}>
          <Icon name="next" size={16} />
        </button>
      </div>
      {conversation.names.map((name, k) => (
        <div
          key={conversation.labels[k]}
          class={`lanelab ${speakerClass(k)} ${rows.lane < 24 ? 'thin' : ''} ${page.solo.value !== undefined && page.solo.value !== k ? 'dim' : ''}`}
          style={{ height: `${rows.lane}px` }}
        >
          <button
            type="button"
            aria-haspopup="menu"
            title={`${name} (${conversation.labels[k]} in the API)`}
            onClick={(e) => p.openMenu(k, e.currentTarget.getBoundingClientRect())}
          >
            <Badge speaker={k} />
            <span class="ell">{name}</span>
            {page.hidden.value.has(k) && (
              <span class="muted" title="Tone and emotion are left out">
                <Icon name="shield" size={13} />
              </span>
            )}
            <span class="sh num">{shares[k]} %</span>
          </button>
        </div>
      ))}
      {rows.tone > 0 && (
        <div class="tonelab" style={{ height: `${rows.tone}px` }}>
          <b>Tone</b>
          {mode === 'ribbon' ? (
            <>
              <span>ribbon: mean of {Math.max(1, Math.round((view.to - view.from) * 0.024))} s</span>
              <span>marks: what stands out</span>
            </>
          ) : (
            <ToneKey isTall={rows.tone > 70} />
          )}
        </div>
      )}
      <div class="axlab">
        <button
          type="button"
          class="btn"
          title="Speed"
          onClick={() => (player.rate.value === 2 ? player.setRate(0.75) : player.faster(1))}
        >
          {player.rate.value}×
        </button>
        <button
          type="button"
          class="btn"
          aria-pressed={player.skipsSilence.value}
          title="Skip silences over 1 s"
          onClick={() => {
            player.skipsSilence.value = !player.skipsSilence.peek();
          }}
        >
          Skip silence
        </button>
        <span class="sp" />
        <button type="button" class="btn" aria-label="Zoom out" onClick={() => page.zoom(1 / 0.6)}>
          <Icon name="minus" size={12} width={2} />
        </button>
        <button type="button" class="btn" aria-label="Zoom in" onClick={() => page.zoom(0.6)}>
          <Icon name="plus" size={12} width={2} />
        </button>
      </div>
    </div>
  );
}

function ToneKey({ isTall }: { isTall: boolean }) {
  return (
    <>
      <span class="k">
        <svg width="30" height="10" aria-hidden="true">
          <path d="M4 5h7" stroke="var(--ink-3)" stroke-width="2" stroke-linecap="round" />
          <path d="M19 5h6" stroke="var(--ink-3)" stroke-width="8" stroke-linecap="round" />
        </svg>
        thin calm, thick lively
      </span>
      {isTall && (
        <span class="k">
          <svg width="30" height="10" aria-hidden="true">
            <rect x="3" y="2" width="23" height="5.5" rx="2.75" fill="none" stroke="var(--ink-3)" stroke-width="1.3" />
          </svg>
          heard badly
        </span>
      )}
    </>
  );
}

export function PlayButton({ page }: { page: Page }) {
  const playing = page.player.isPlaying.value;
  return (
    <button type="button" class="pl" aria-label={playing ? 'Pause' : 'Play'} onClick={() => page.player.toggle()}>
      <Icon name={playing ? 'pause' : 'play'} size={playing ? 16 : 18} />
    </button>
  );
}

function Plot({ page, picture, width }: { page: Page; picture: PictureSignal; width: { value: number } }) {
  const plot = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cross = useRef<HTMLElement>(null);
  const { conversation } = page;

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      width.value = plot.current?.clientWidth ?? 0;
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

  const palette = useRef<{ theme: string; colours: Palette } | undefined>(undefined);
  useSignalEffect(() => {
    const { rows, width: px } = picture.value;
    const element = canvas.current;
    const name = theme.value;
    if (!element || px === 0) return;
    // Reading a style makes the browser lay out; the colours change with the theme alone.
    if (palette.current?.theme !== name) palette.current = { theme: name, colours: paletteOf(element) };
    const density = window.devicePixelRatio || 1;
    element.width = Math.round(px * density);
    element.height = Math.round(rows.height * density);
    element.style.height = `${rows.height}px`;
    const ctx = element.getContext('2d')!;
    ctx.scale(density, density);
    paint(ctx, picture.value, palette.current.colours);
  });

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

  const { rows, view } = picture.value;
  const isZoomed = view.to - view.from < conversation.duration - 0.01;
  return (
    <div class="plot" ref={plot} style={{ height: `${rows.height}px` }}>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing of a canvas takes the focus; the slider beside it speaks */}
      <canvas ref={canvas} class="main" aria-hidden="true" />
      <Seek page={page} onPointerMove={move} onPointerLeave={leave} onPointerDown={(e) => page.goTo(timeAt(e))} />
      <PhaseRow page={page} picture={picture} />
      <PinRow page={page} picture={picture} />
      <Playhead page={page} picture={picture} />
      <i class="cross" ref={cross} hidden />
      {isZoomed && (
        <div class="mini">
          <i
            style={{
              left: `${(view.from / conversation.duration) * 100}%`,
              width: `${((view.to - view.from) / conversation.duration) * 100}%`,
            }}
          />
        </div>
      )}
    </div>
  );
}

/** The score's one control: its value speaks time and speaker. */
function Seek(p: {
  page: Page;
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

/** Moves by a transform alone: playing draws nothing anew. */
function Playhead({ page, picture }: { page: Page; picture: PictureSignal }) {
  const head = useRef<HTMLElement>(null);
  useSignalEffect(() => {
    const { scale, width } = picture.value;
    const x = scale.x(page.player.time.value);
    if (!head.current) return;
    head.current.style.transform = `translateX(${clamp(x, 0, width - 1)}px)`;
    head.current.hidden = x < -1 || x > width + 1;
  });
  return <i class="head-line" ref={head} />;
}

function PhaseRow({ page, picture }: { page: Page; picture: PictureSignal }) {
  const { scale, width } = picture.value;
  const { phases } = page.conversation;
  const now = useComputed(() => phases.findLastIndex((phase) => phase.start <= page.player.time.value + 0.01));
  return (
    <>
      {phases.map((phase, i) => {
        const x0 = Math.max(0, i === 0 ? 0 : scale.x(phase.start));
        const next = phases[i + 1];
        const x1 = Math.min(width, next ? scale.x(next.start) : width);
        if (x1 - x0 < 4) return null;
        const { theme: about, emotional_tone: tone, transition_signal: signalled } = phase.source;
        return (
          <button
            type="button"
            key={phase.source.phase_id}
            class={`ph ${now.value === i ? 'on' : ''}`}
            tabIndex={-1}
            style={{ left: `${x0}px`, width: `${x1 - x0}px` }}
            aria-label={`Phase ${phase.name}, ${clock(phase.start)} to ${clock(phase.end)}`}
            onClick={() => page.goTo(phase.start)}
            onPointerLeave={hideTip}
            onPointerMove={(e) =>
              showTip(
                <>
                  <b>{phase.name}</b>{' '}
                  <span class="num">
                    {clock(phase.start)} to {clock(phase.end)}
                  </span>
                  <br />
                  {about}
                  <br />
                  <span class="muted">{[tone, signalled].filter(Boolean).join('. ')}</span>
                </>,
                e.clientX,
                e.clientY,
              )
            }
          >
            {x1 - x0 > 44 ? phase.name : ''}
          </button>
        );
      })}
    </>
  );
}

function PinRow({ page, picture }: { page: Page; picture: PictureSignal }) {
  const groups = computed(() => joinedPins(picture.value)).value;
  const { width } = picture.value;
  const { names, duration } = page.conversation;
  return (
    <>
      {groups.map((group) => {
        const { pin, x } = group[0]!;
        const left = `${clamp(x, 9, width - 9)}px`;
        if (group.length > 1)
          return (
            <button
              type="button"
              key={`${pin.moment.moment_id}+`}
              class="mo cl"
              tabIndex={-1}
              style={{ left }}
              aria-label={`${group.length} moments`}
              onClick={() => {
                const last = group.at(-1)!.pin;
                const span = Math.min(duration, Math.max(20, (last.at - pin.at) * 1.6));
                const from = clamp((pin.at + last.at) / 2 - span / 2, 0, duration - span);
                page.view.value = { from, to: from + span };
              }}
            >
              <span>{group.length}</span>
            </button>
          );
        return (
          <button
            type="button"
            key={pin.moment.moment_id}
            class={`mo ${pin.moment.confidence < 0.5 ? 'un' : ''}`}
            tabIndex={-1}
            style={{ left }}
            aria-label={`${MOMENT_NAMES[pin.category]}, ${names[pin.speaker]}, ${clock(pin.at)}`}
            onClick={() => {
              page.goTo(pin.at);
              page.select(pin.line);
            }}
            onPointerLeave={hideTip}
            onPointerMove={(e) =>
              showTip(
                <>
                  <b>{MOMENT_NAMES[pin.category]}</b>, {names[pin.speaker]} <span class="num">{clock(pin.at)}</span>
                  <br />“{pin.quote}”<br />
                  <Confidence value={pin.moment.confidence} />
                </>,
                e.clientX,
                e.clientY,
              )
            }
          >
            <Glyph kind={pin.category} size={15} />
          </button>
        );
      })}
    </>
  );
}

function Hover({ page, t }: { page: Page; t: number }) {
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
            ? `valence ${two(line.tone.valence)}, arousal ${two(line.tone.arousal)}${isHollow(line) ? '; heard badly' : ''}`
            : 'tone was not read'}
      </span>
    </>
  );
}
