import { clock, isUnsure, tier, two } from '../../lib/format.ts';
import { Badge, Glyph, MOMENT_NAMES, speakerClass, ToneMark } from '../../lib/speaker-marks.tsx';
import { hideTip, showTip } from '../../lib/tip.tsx';
import { wordAtOffset } from '../highlights.ts';
import { isHard, isHollow, type MomentPin, mishearingsOf, type ShownPhase, type UtteranceLine } from '../model.ts';
import type { PageState } from '../state.ts';

/** Minimum confidence for the transcript to show the name of an emotion. */
const NAMED = 0.5;
const SPOKEN_OVER = 0.08;

export function PhaseHead({ phase }: { phase: ShownPhase }) {
  return (
    <div class="phh">
      <b>{phase.name}</b>
      <span class="num">{clock(phase.start)}</span>
      <span class="ell sp">{phase.source.theme}</span>
      <span>{phase.source.emotional_tone}</span>
    </div>
  );
}

interface RowProps {
  page: PageState;
  name: string;
  line: UtteranceLine;
  isFirst: boolean;
  pins: readonly MomentPin[];
  isToneHidden: boolean;
}

export function Row({ page, name, line, isFirst, pins, isToneHidden }: RowProps) {
  const { entry, speaker, index } = line;
  const isOver = entry.overlap_ratio > SPOKEN_OVER;
  const mishearings = mishearingsOf(page.conversation, line);
  const told = isToneHidden ? '' : (feelingOf(line) ?? styleOf(line));
  return (
    <div class={`u ${speakerClass(speaker)} ${isFirst ? 'first' : ''} ${isHard(line) ? 'hard' : ''}`} data-line={index}>
      <button
        type="button"
        class="ts"
        aria-label={`Play from ${clock(line.start)}`}
        onClick={(e) => page.hear(line.start, e)}
      >
        {clock(line.start)}
      </button>
      {isFirst && <Badge speaker={speaker} />}
      <div class="bdy">
        {isFirst && <span class="nm1">{name}</span>}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a shortcut by pointer; the time beside it is the button */}
        <div class="txt" dir="auto" onClick={(e) => goToWord(page, line, e)}>
          {line.text}
        </div>
        {(pins.length > 0 || isHard(line) || isOver || entry.unread || mishearings.length > 0) && (
          <div class="tags">
            {pins.map((pin) => (
              <button
                type="button"
                key={pin.moment.moment_id}
                class={`tag ${isUnsure(pin.moment.confidence) ? 'un' : ''}`}
                onClick={(e) => page.hear(pin.at, e)}
              >
                <Glyph kind={pin.category} size={12} isUnsure={isUnsure(pin.moment.confidence)} />
                {MOMENT_NAMES[pin.category]}
                {pin.moment.labels.length > 0 && `: ${pin.moment.labels.join(', ')}`}
              </button>
            ))}
            {entry.unread && (
              <span class="tag un" title="Nothing was concluded from these words">
                {entry.unread === 'language' ? 'in an unsupported language' : 'not understood'}
              </span>
            )}
            {isHard(line) && !entry.unread && (
              <span class="tag un" title="The recogniser was uncertain about these words">
                hard to hear {two(line.heard)}
              </span>
            )}
            {mishearings.map(({ heard, meant }) => (
              <span class="tag un" key={heard} title="A suggestion of the language model. The transcript is unchanged.">
                “{heard}”: probably “{meant}”
              </span>
            ))}
            {isOver && <span class="tag">spoken over</span>}
          </div>
        )}
      </div>
      <button
        type="button"
        class="cue"
        aria-label={`How it sounded: ${isToneHidden ? (entry.delivery_style ?? '') : soundOf(line)}`}
        onClick={() => {
          hideTip();
          page.select(page.selected.peek() === index ? undefined : index);
        }}
        onPointerLeave={hideTip}
        onPointerEnter={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          if (!isToneHidden) showTip(<Sound line={line} />, box.right, box.bottom - 8, 'before');
        }}
      >
        {told && <span class="dl">{told}</span>}
        {!isToneHidden && line.tone && (
          <ToneMark valence={line.tone.valence} arousal={line.tone.arousal} hollow={isHollow(line)} />
        )}
      </button>
    </div>
  );
}

/** Plays from the word under the pointer, unless text is being selected. */
function goToWord(page: PageState, line: UtteranceLine, e: MouseEvent): void {
  if (String(getSelection())) return;
  const place = document.caretPositionFromPoint?.(e.clientX, e.clientY);
  page.hear(wordAtOffset(line, place?.offset ?? 0)?.at ?? line.start, e);
}

function feelingOf(line: UtteranceLine): string | undefined {
  if (!line.felt) return undefined;
  const { dominant_emotion: emotion, emotion: reading } = line.felt;
  return emotion !== 'neutral' && reading.confidence >= NAMED ? emotion : undefined;
}

const UNREMARKABLE = ['even', 'not judged', 'not measured'];
function styleOf(line: UtteranceLine): string {
  const style = line.entry.delivery_style ?? '';
  return UNREMARKABLE.includes(style) ? '' : style.replace(/, with.*/, '').replace(' and ', ', ');
}

/** The tone of a line in words for screen readers. */
function soundOf(line: UtteranceLine): string {
  const { tone } = line;
  if (!tone) return 'tone was not measured';
  const { valence, arousal } = tone;
  const height =
    valence < 0.43
      ? 'clearly negative'
      : valence < 0.47
        ? 'slightly negative'
        : valence <= 0.53
          ? 'neutral'
          : valence <= 0.66
            ? 'slightly positive'
            : 'clearly positive';
  const energy = arousal < 0.42 ? 'calm' : arousal <= 0.55 ? 'usual energy' : 'lively';
  return [height, energy, line.entry.delivery_style, isHollow(line) ? 'heard badly' : ''].filter(Boolean).join(', ');
}

function Sound({ line }: { line: UtteranceLine }) {
  const { felt, tone } = line;
  return (
    <>
      <b>{soundOf(line)}</b>
      <br />
      {tone && `valence ${two(tone.valence)}, arousal ${two(tone.arousal)}`}
      <br />
      <span class="muted">
        {!felt || felt.dominant_emotion === 'neutral'
          ? 'no emotion stands out'
          : `most like ${felt.dominant_emotion} (${two(felt.emotion.confidence)}, ${tier(felt.emotion.confidence).word})`}
        . Click to see the measures
      </span>
    </>
  );
}
