import '../style/lines.css';
import { useComputed } from '@preact/signals';
import { clamp, clock, isUnsure, unsurePart } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { figuresOf } from '../lib/live-figures.ts';
import { Badge, Glyph, MOMENT_NAMES, speakerClass } from '../lib/speaker-marks.tsx';
import type { PageCapture } from './capturing.ts';

const WINDOW_S = 30;
const STEP_S = 15;
const TONE_W = 318;

/** The findings so far. */
export function LiveSide({ now }: { now: PageCapture }) {
  const { events: heard } = now;
  const lines = heard.lines.value;
  const { shares, figures } = figuresOf(lines, heard.speakers.value.length);
  const shift = heard.shift.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <aside class="side" aria-label="So far" tabIndex={0}>
      <div>
        <h2 class="sec">Talk share so far</h2>
        <div class="share2">
          {shares.map((share, speaker) => (
            <div key={heard.speakers.value[speaker]} class={`row ${speakerClass(speaker)}`}>
              <Badge speaker={speaker} />
              <span class="t">
                <i style={{ width: `${share}%` }} />
              </span>
              <span class="num r">{share} %</span>
            </div>
          ))}
          {shares.length === 0 && <span class="muted">Nobody has spoken yet.</span>}
        </div>
      </div>
      <div class="four">
        {figures.map(([name, value, unit]) => (
          <div key={name}>
            <span>{name}</span>
            <b class="num">{value}</b> <small class="muted">{unit}</small>
          </div>
        ))}
      </div>
      <div class="sec2">
        <h2 class="sec">
          Tone <span class="muted">provisional</span>
        </h2>
        <Tone now={now} />
        <p class="muted t-lab">
          One bar is one line<span class="coloured1">, in its speaker’s colour</span>: above the dots more positive,
          below more negative, thicker is livelier.
        </p>
        {shift && (
          <p class="muted t-lab">
            {shift.from_state} to {shift.to_state} at {clock(shift.at_ms / 1000)}
          </p>
        )}
      </div>
      <Moments now={now} />
      <div class="notice sec2">
        <Icon name="clock" size={16} />
        <span>
          The session stays open for 15 min without sound. If the connection drops, audio is kept here and sent when it
          returns.
        </span>
      </div>
    </aside>
  );
}

function Moments({ now }: { now: PageCapture }) {
  const moments = now.events.moments.value;
  const unsure = moments.filter(({ confidence }) => isUnsure(confidence)).length;
  return (
    <div class="sec2">
      <h2 class="sec">
        Moments{' '}
        <span class="num muted">
          {moments.length}
          {unsurePart(moments.length, unsure)}
        </span>
      </h2>
      {moments.toReversed().map((moment) => (
        <div key={moment.moment_id} class="mo2">
          <Glyph kind={moment.category} size={15} isUnsure={isUnsure(moment.confidence)} />
          <span>
            <b>{MOMENT_NAMES[moment.category]}</b>{' '}
            <span class="muted">
              {[...moment.labels, ...(isUnsure(moment.confidence) ? ['unsure'] : [])].join(', ')}
            </span>
          </span>
          <span class="num muted">{clock(moment.start_ms / 1000)}</span>
          <span class="q1">“{moment.evidence[0]?.quote ?? moment.summary}”</span>
        </div>
      ))}
    </div>
  );
}

function Tone({ now }: { now: PageCapture }) {
  const lines = now.events.lines.value;
  // The axis grows in steps, because every change moves all strokes.
  const seconds = useComputed(() => Math.max(WINDOW_S, Math.ceil(now.seconds.value / STEP_S) * STEP_S)).value;
  const x = (t: number): number => (t / seconds) * TONE_W;
  return (
    <svg class="tone1" viewBox={`0 0 ${TONE_W} 64`} aria-hidden="true">
      <rect width={TONE_W} height="32" fill="var(--wash-pos)" />
      <rect y="32" width={TONE_W} height="32" fill="var(--wash-neg)" />
      <path d={`M0 32H${TONE_W}`} stroke="var(--line-2)" stroke-dasharray="2 3" />
      {lines.map(({ id, speaker, start, end, tone }) => {
        if (!tone) return null;
        const thick = clamp(2 + ((tone.arousal - 0.35) / 0.3) * 7, 2, 9);
        const from = x(start) + thick / 2;
        return (
          <path
            key={id}
            class={speakerClass(speaker)}
            d={`M${from} ${32 - clamp((tone.valence - 0.5) / 0.36, -1, 1) * 25}H${Math.max(from + 0.5, x(end) - thick / 2)}`}
            stroke="var(--sp)"
            stroke-width={thick}
            stroke-linecap="round"
          />
        );
      })}
    </svg>
  );
}
