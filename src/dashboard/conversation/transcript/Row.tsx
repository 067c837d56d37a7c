import { clock, shortened, tier, two } from '../../lib/format.ts';
import { Nth } from '../../lib/Nth.tsx';
import { Badge, speakerClass } from '../../lib/speaker-marks.tsx';
import { hideTip, showTip } from '../../lib/tip.tsx';
import { ToneMark } from '../../lib/tone-mark.tsx';
import { wordAtOffset } from '../highlights.ts';
import { isHard, isHollow, mishearingsOf, NAMELESS, type Pin, type ShownPhase, type UtteranceLine } from '../model.ts';
import { isUnsurePin, PromiseTip, promiseWords, SIGN_NAMES, SignGlyph } from '../signs.tsx';
import type { PageState } from '../state.ts';
import { feelingOf, isOfWordsAlone, measuresOf, soundOf, styleOf } from '../tone-words.ts';

const SPOKEN_OVER = 0.08;

export function PhaseHead({ phase }: { phase: ShownPhase }) {
  return (
    <div class="phh">
      <Nth of={phase.nth} />
      {phase.name === '' ? <span>{NAMELESS}</span> : <b>{phase.name}</b>}
      <span class="num">{clock(phase.start)}</span>
      <span class="ell sp">{phase.theme}</span>
      {phase.source.emotional_tone && <span>tone: {phase.source.emotional_tone}</span>}
    </div>
  );
}

interface RowProps {
  page: PageState;
  name: string;
  line: UtteranceLine;
  isFirst: boolean;
  signs: readonly Pin[];
  isToneHidden: boolean;
  /** Whether there is no sound to play. */
  isSilent: boolean;
}

export function Row({ page, name, line, isFirst, signs, isToneHidden, isSilent }: RowProps) {
  const { entry, speaker, index } = line;
  const isOver = entry.overlap_ratio > SPOKEN_OVER;
  const mishearings = mishearingsOf(page.conversation, line);
  const feeling = isToneHidden ? undefined : feelingOf(line);
  const told = isToneHidden ? '' : (feeling ?? styleOf(line));
  /** The measure that it is of. */
  const toldOf = !feeling ? 'voice:' : isOfWordsAlone(line.felt!) ? 'words:' : 'tone:';
  return (
    <div class={`u ${speakerClass(speaker)} ${isFirst ? 'first' : ''} ${isHard(line) ? 'hard' : ''}`} data-line={index}>
      <button
        type="button"
        class="ts"
        aria-label={`${isSilent ? 'Go to' : 'Play from'} ${clock(line.start)}`}
        onClick={(e) => page.hear(line.start, e)}
      >
        {clock(line.start)}
      </button>
      {isFirst && <Badge speaker={speaker} />}
      <div class="bdy">
        {isFirst && (
          <span class="nm1">
            <bdi>{name}</bdi>
          </span>
        )}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a shortcut by pointer; the time beside it is the button */}
        <div class="txt" dir="auto" onClick={(e) => goToWord(page, line, e)}>
          {line.text}
        </div>
        {(signs.length > 0 || isHard(line) || isOver || entry.unread || mishearings.length > 0) && (
          <div class="tags">
            {signs.length > 0 && <span class="of1">words:</span>}
            {signs.map((sign) => (
              <SignTag key={sign.id} page={page} sign={sign} />
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
        aria-label={`How it sounded: ${isToneHidden ? styleOf(line) : soundOf(line)}${told && `; ${toldOf} ${told}`}`}
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
        {told && (
          <span class="dl">
            <small>{toldOf}</small> {told}
          </span>
        )}
        {!isToneHidden && line.tone && (
          <ToneMark valence={line.tone.valence} arousal={line.voice && line.tone.arousal} hollow={isHollow(line)} />
        )}
      </button>
    </div>
  );
}

/** Characters of a promise that a tag shows. The rest is in its tip. */
const PROMISE_CHARS = 120;

/** A moment or a promise below its words. */
function SignTag({ page, sign }: { page: PageState; sign: Pin }) {
  const isUnsure = isUnsurePin(sign);
  const tip = (box: DOMRect): void => {
    if (sign.category === 'promise')
      showTip(<PromiseTip conversation={page.conversation} pin={sign} />, box.left, box.bottom - 8);
  };
  return (
    <button
      type="button"
      class={`tag ${isUnsure ? 'un' : ''}`}
      onClick={(e) => page.hear(sign.at, e)}
      onPointerEnter={(e) => tip(e.currentTarget.getBoundingClientRect())}
      onPointerLeave={hideTip}
      onFocus={(e) => e.currentTarget.matches(':focus-visible') && tip(e.currentTarget.getBoundingClientRect())}
      onBlur={hideTip}
    >
      <SignGlyph kind={sign.category} size={12} isUnsure={isUnsure} />
      {sign.category === 'promise'
        ? shortened(promiseWords(sign, page.conversation), PROMISE_CHARS)
        : [SIGN_NAMES[sign.category], sign.moment.labels.join(', ')].filter(Boolean).join(': ')}
    </button>
  );
}

/** Plays from the word under the pointer, unless text is being selected. */
function goToWord(page: PageState, line: UtteranceLine, e: MouseEvent): void {
  if (String(getSelection())) return;
  const place = document.caretPositionFromPoint?.(e.clientX, e.clientY);
  page.hear(wordAtOffset(line, place?.offset ?? 0)?.at ?? line.start, e);
}

function Sound({ line }: { line: UtteranceLine }) {
  const { felt } = line;
  return (
    <>
      <b>{soundOf(line)}</b>
      <br />
      {measuresOf(line)}
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
