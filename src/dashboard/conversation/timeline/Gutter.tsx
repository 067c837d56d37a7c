import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { percents, timeSpan } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import { Nth } from '../../lib/Nth.tsx';
import { Badge, speakerClass } from '../../lib/speaker-marks.tsx';
import { isMeasured } from '../model.ts';
import { isUnsurePin, kindsOf, SIGN_NAMES, SignGlyph } from '../signs.tsx';
import type { PageState } from '../state.ts';
import { Toggle } from '../Toggle.tsx';
import { Clock, PlayButton, RateButton, StepButtons } from '../Transport.tsx';
import type { TimelineRows } from './geometry.ts';
import { hasHatches } from './lanes.ts';
import { arcsIn } from './paint.ts';
import { type Picture, shownPins } from './picture.ts';
import { shownShifts } from './tone.ts';

interface GutterProps {
  page: PageState;
  rows: TimelineRows;
  picture: ReadonlySignal<Picture>;
  openMenu: (speaker: number, at: DOMRect) => void;
}

/**
 * The strip to the left of the timeline. It contains the playback controls, the speakers, and the legend of the tone.
 */
export function Gutter({ page, rows, picture, openMenu }: GutterProps) {
  return (
    <div class="gut">
      <div class="tp" style={{ height: `${rows.lanes}px` }}>
        <PlayButton page={page} />
        <Clock page={page} />
        <StepButtons page={page} kind="btn sm icon ghost" size={16} />
      </div>
      <Speakers page={page} rows={rows} openMenu={openMenu} />
      {rows.tone > 0 && <ToneLabel rows={rows} picture={picture} />}
      <div class="axlab">
        <RateButton page={page} kind="btn" />
        {!page.player.problem.value && (
          <Toggle of={page.player.skipsSilence} kind="btn" title="Skip silences over 1 s">
            Skip silence
          </Toggle>
        )}
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

function Speakers({ page, rows, openMenu }: Omit<GutterProps, 'picture'>) {
  const { conversation } = page;
  const metrics = conversation.result.insights.metrics.speakers;
  const shares = percents(conversation.labels.map((label) => metrics[label]?.talk_ratio ?? 0));
  const solo = page.solo.value;
  return (
    <>
      {conversation.names.map((name, k) => (
        <div
          key={conversation.labels[k]}
          class={`lanelab ${speakerClass(k)} ${rows.lane < 24 ? 'thin' : ''} ${solo !== undefined && solo !== k ? 'dim' : ''}`}
          style={{ height: `${rows.lane}px` }}
        >
          <button
            type="button"
            aria-haspopup="menu"
            title={`${name} (${conversation.labels[k]} in the API)`}
            onClick={(e) => openMenu(k, e.currentTarget.getBoundingClientRect())}
          >
            <Badge speaker={k} />
            <span class="ell" dir="auto">
              {name}
            </span>
            {page.hidden.value.has(k) && (
              <span class="muted" title="Tone and emotion are left out">
                <Icon name="shield" size={13} />
              </span>
            )}
            {shares.length > 1 && <span class="sh num">{shares[k]} %</span>}
          </button>
        </div>
      ))}
    </>
  );
}

/** Length of the mean that the ribbon shows, s. Undefined when each utterance has a separate stroke. */
const useMean = (picture: ReadonlySignal<Picture>): ReadonlySignal<number | undefined> =>
  useComputed(() => {
    const { mode, view } = picture.value;
    return mode === 'ribbon' ? Math.max(1, Math.round((view.to - view.from) * 0.024)) : undefined;
  });

/** The contents of the row of moments, apart from one sign for each: numbers over bars, circled numbers, unsure moments. */
const usePinKey = (picture: ReadonlySignal<Picture>) =>
  useComputed(() => {
    const shown = shownPins(picture.value);
    if (shown.bins) return { per: timeSpan(shown.step), hasCircles: false, hasUnsure: false };
    return {
      per: undefined,
      hasCircles: shown.signs.some(({ items }) => items.length > 1),
      hasUnsure: shown.signs.some(({ items }) => items.every(({ pin }) => isUnsurePin(pin))),
    };
  });

/** The signs of the kinds of moments and promises that the conversation has, in words. */
export function SignKey({ picture }: Pick<GutterProps, 'picture'>) {
  const { conversation } = picture.value;
  const kinds = kindsOf(conversation);
  if (kinds.length === 0) return null;
  return (
    <p class="signkey">
      {kinds.map((kind) => (
        <span key={kind}>
          <SignGlyph kind={kind} size={12} /> {SIGN_NAMES[kind].toLowerCase()}
        </span>
      ))}
      {conversation.signs.some(isUnsurePin) && (
        <span>
          <SignGlyph kind={kinds[0]!} size={12} isUnsure /> unsure
        </span>
      )}
    </p>
  );
}

/** The sign of moments that share a place, for a window. */
export function ManyKey({ picture }: Pick<GutterProps, 'picture'>) {
  if (!usePinKey(picture).value.hasCircles) return null;
  return (
    <p class="signkey">
      <span>
        <b class="many num">2</b> a number: several moments, press to see them
      </span>
    </p>
  );
}

/** The legend of the timeline in a few lines, for a phone. */
export function PhoneKey({ rows, picture }: Pick<GutterProps, 'rows' | 'picture'>) {
  const mean = useMean(picture);
  const { per, hasCircles, hasUnsure } = usePinKey(picture).value;
  const { conversation } = picture.value;
  const hasTone = rows.tone > 0;
  const hasShifts = hasTone && shownShifts(picture.value).length > 0;
  const bars = isMeasured(conversation) ? 'thick: lively' : 'from the words alone';
  const signs = [
    hasShifts && (
      <span>
        <b>Dots:</b> shifts of tone
      </span>
    ),
    per !== undefined && (
      <span>
        <b>Numbers:</b> moments per {per}
      </span>
    ),
    hasCircles && (
      <span>
        <b class="many num">2</b> {rows.isPhone ? 'a number: several moments, press to see them' : 'that many moments'}
      </span>
    ),
    hasUnsure && (
      <span>
        <b>Dashed:</b> unsure moment
      </span>
    ),
    arcsIn(picture.value).length > 0 && (
      <span>
        <b>Curve:</b> offer to its answer
      </span>
    ),
    hasHatches(picture.value) && (
      <span>
        <b>Hatched:</b> overlap
      </span>
    ),
    conversation.phases.length > 1 && (
      <span>
        <Nth of={1} />
        phase
      </span>
    ),
  ].filter(Boolean);
  if (!hasTone && signs.length === 0) return null;
  return (
    <p class="toneline">
      {hasTone && (
        <span>
          <span>
            <b>Tone</b> + positive, − negative
          </span>
          <span>{mean.value === undefined ? bars : `mean of ${timeSpan(mean.value)}`}</span>
          <span>{mean.value === undefined ? 'hollow: heard badly' : 'marks: what stands out'}</span>
        </span>
      )}
      {signs.length > 0 && <span>{signs}</span>}
    </p>
  );
}

function ToneLabel({ rows, picture }: Pick<GutterProps, 'rows' | 'picture'>) {
  const mean = useMean(picture);
  const { per, hasCircles } = usePinKey(picture).value;
  const isOfStrokes = mean.value === undefined;
  const hasShifts = shownShifts(picture.value).length > 0;
  const arc = arcsIn(picture.value).length > 0 && <ArcKey />;
  const hatch = hasHatches(picture.value) && <HatchKey />;
  // Five lines have room, and the last one only beside "negative".
  const isArcBeside = hasShifts && hasCircles;
  return (
    <div class="tonelab" style={{ height: `${rows.tone}px` }}>
      <span>
        <b>Tone</b>
        {mean.value !== undefined && `, mean of ${timeSpan(mean.value)}`}
      </span>
      <span class="end">positive</span>
      <span class="end">negative</span>
      {isOfStrokes ? (
        <ToneKey isTall={rows.tone > 70} hasVoice={isMeasured(picture.value.conversation)} hatch={hatch} />
      ) : (
        <span>marks: what stands out</span>
      )}
      {hasShifts && (
        <span class="k">
          {isOfStrokes ? <ShiftKey /> : 'dots: shifts of tone'}
          {isOfStrokes && isArcBeside && arc}
        </span>
      )}
      {isOfStrokes && !isArcBeside && arc && <span class="k">{arc}</span>}
      {!isOfStrokes && (hatch || arc) && (
        <span class="k">
          {hatch}
          {arc}
        </span>
      )}
      {per !== undefined && <span>bars: moments per {per}</span>}
    </div>
  );
}

function ToneKey({ isTall, hasVoice, hatch }: Record<'isTall' | 'hasVoice', boolean> & { hatch: ComponentChildren }) {
  return (
    <>
      {hasVoice ? (
        <span class="k">
          <svg width="30" height="10" aria-hidden="true">
            <path d="M4 5h7" stroke="var(--ink-3)" stroke-width="2" stroke-linecap="round" />
            <path d="M19 5h6" stroke="var(--ink-3)" stroke-width="8" stroke-linecap="round" />
          </svg>
          thin calm, thick lively
        </span>
      ) : (
        <span>from the words alone</span>
      )}
      {isTall && (
        <span class="k">
          <svg width="30" height="10" aria-hidden="true">
            <rect x="3" y="2" width="23" height="5.5" rx="2.75" fill="none" stroke="var(--ink-3)" stroke-width="1.3" />
          </svg>
          heard badly
          {hatch}
        </span>
      )}
    </>
  );
}

const ShiftKey = () => (
  <>
    <svg width="30" height="13" aria-hidden="true">
      <circle cx="15" cy="3" r="2.6" fill="var(--ink-3)" />
      <path d="M15 5v8" stroke="var(--ink-4)" stroke-dasharray="1 2" />
    </svg>
    shift of tone
  </>
);

/** A line of the row of moments. */
const ArcKey = () => (
  <>
    <svg width="30" height="10" aria-hidden="true">
      <path d="M5 2q10 10 20 0" fill="none" stroke="var(--ink-3)" stroke-width="1.2" stroke-dasharray="3 2" />
    </svg>
    <span title="A curve leads from an offer to its answer. It is dashed where the answer is unsure.">answer</span>
  </>
);

/** Lines across the bars of a lane. */
const HatchKey = () => (
  <>
    <svg width="16" height="10" aria-hidden="true">
      <path d="M1 10l7-10M7 10l7-10" stroke="var(--ink-3)" stroke-width="2" />
    </svg>
    <span title="Hatched: another person speaks at the same time">overlap</span>
  </>
);
