import { Fragment } from 'preact';
import type { MomentEvent } from '../../sdk/wire.ts';
import type { AnalysisEvents } from './analysis-events.ts';
import { clamp, clock, isUnsure, tier, two } from './format.ts';
import { LineSample } from './LineSample.tsx';
import { Badge, Glyph, MOMENT_NAMES, speakerClass } from './speaker-marks.tsx';
import { TONE_REACH, ToneMark } from './tone-mark.tsx';

/** Number of lanes in the small timeline. Additional people share the last one. */
const LANES = 4;
const LANE = 30;
const TONE = 58;
const UNITS = 1000;

/** Valences of the marks that explain the tone, 0..1. */
const TONES = [
  [0.72, 'more positive'],
  [0.5, 'neutral'],
  [0.28, 'more negative'],
] as const;

/**
 * The timeline as it grows: a lane for each person, and the tone below.
 * @param duration of the recording in seconds, 0 if unknown
 */
export function GrowingTimeline(p: { heard: AnalysisEvents; duration: number; hasTone: boolean }) {
  const lines = p.heard.lines.value;
  const people = p.heard.speakers.value.length;
  const lanes = clamp(people, 2, LANES);
  const height = lanes * LANE + (p.hasTone ? TONE : 0);
  // A line that touched the edge would look cut off.
  const until = Math.max(p.duration, (lines.at(-1)?.end ?? 0) * 1.02, 1);
  const x = (t: number): number => (t / until) * UNITS;
  const middle = lanes * LANE + TONE / 2;
  return (
    <div aria-hidden="true">
      <div class="grow">
        <div>
          {Array.from({ length: Math.min(people, lanes) }, (_, lane) => (
            <span key={lane} style={{ height: `${LANE}px` }}>
              <Badge speaker={lane} /> <LineSample speaker={lane} />
              {lane === lanes - 1 && people > lanes && '+'}
            </span>
          ))}
          {/* One person leaves the second lane empty. */}
          {p.hasTone && (
            <span style={{ height: `${TONE}px`, marginTop: `${Math.max(0, lanes - people) * LANE}px` }}>Tone</span>
          )}
        </div>
        <svg
          viewBox={`0 0 ${UNITS} ${height}`}
          style={{ height: `${height}px` }}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <rect x={x(lines.at(-1)?.end ?? 0)} width={UNITS} height={height} fill="var(--sunken)" opacity={0.5} />
          {Array.from({ length: lanes }, (_, lane) => (
            <path
              key={lane}
              d={`M0 ${(lane + 1) * LANE}H${UNITS}`}
              stroke="var(--line)"
              vector-effect="non-scaling-stroke"
            />
          ))}
          {p.hasTone && (
            <path
              d={`M0 ${middle}H${UNITS}`}
              stroke="var(--line-2)"
              stroke-dasharray="2 3"
              vector-effect="non-scaling-stroke"
            />
          )}
          {lines.map(({ id, speaker, start, end, tone }) => (
            <g key={id} class={speakerClass(speaker)}>
              <rect
                x={x(start)}
                y={Math.min(speaker, lanes - 1) * LANE + 7}
                width={Math.max(2, x(end) - x(start))}
                height={16}
                fill="var(--sp)"
              />
              {p.hasTone && tone && (
                <path
                  class="stroke line2"
                  d={`M${x(start)} ${middle - clamp((tone.valence - 0.5) / TONE_REACH, -1, 1) * 24}H${Math.max(x(start) + 1, x(end))}`}
                  stroke="var(--sp)"
                  stroke-width={clamp(2 + ((tone.arousal - 0.35) / 0.3) * 6, 2, 8)}
                  vector-effect="non-scaling-stroke"
                />
              )}
            </g>
          ))}
        </svg>
      </div>
      <p class="grown muted t-lab">
        Each lane shows when one person speaks.
        {p.hasTone && (
          <>
            {' '}
            <span class="coloured1">
              In the lane of tone, colour is the speaker; beside each line, it is the tone:{' '}
            </span>
            <span class="forced1">Tone, in its lane and beside each line: </span>
            {TONES.map(([valence, word]) => (
              <Fragment key={word}>
                <span class="sign1">
                  <ToneMark valence={valence} arousal={0.5} hollow={false} width={24} height={14} /> {word},
                </span>{' '}
              </Fragment>
            ))}
            thicker is livelier.
          </>
        )}
        {p.hasTone && <span class="forced1"> In the lane of tone, strokes are dashed as beside the letters.</span>}
      </p>
    </div>
  );
}

export function MomentNote({ moment }: { moment: MomentEvent }) {
  return (
    <div class="ml">
      <Glyph kind={moment.category} size={14} isUnsure={isUnsure(moment.confidence)} />
      <b>{MOMENT_NAMES[moment.category]}</b>
      <span class="muted num">
        at {clock(moment.start_ms / 1000)}, {tier(moment.confidence).word} {two(moment.confidence)}
      </span>
    </div>
  );
}
