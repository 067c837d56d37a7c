import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { MomentEvent } from '../../sdk/wire.ts';
import type { AnalysisLine } from '../lib/analysis-events.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { clock, isUnsure } from '../lib/format.ts';
import { memo } from '../lib/memo.ts';
import { Badge, Glyph, MOMENT_NAMES, speakerClass } from '../lib/speaker-marks.tsx';
import { letter } from '../lib/speaker-names.ts';
import { ToneMark } from '../lib/tone-mark.tsx';
import type { PageCapture } from './capturing.ts';

/** Final and interim words. The view stays at the end unless the user has scrolled away. */
export function LiveTranscript({ now }: { now: PageCapture }) {
  const { events: heard } = now;
  const scroll = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useSignalEffect(() => {
    void heard.lines.value;
    void heard.partial.value;
    // Runs once per frame, after layout.
    const frame = requestAnimationFrame(() => {
      const box = scroll.current;
      if (box && follows.current) box.scrollTop = box.scrollHeight;
    });
    return () => cancelAnimationFrame(frame);
  });
  return (
    <div
      class="ltx"
      ref={scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
      tabIndex={0}
      onScroll={(e) => {
        const { scrollHeight, scrollTop, clientHeight } = e.currentTarget;
        follows.current = scrollHeight - scrollTop - clientHeight < 80;
      }}
    >
      <Finals now={now} />
      <Partial now={now} />
    </div>
  );
}

function Finals({ now: { events: heard, error } }: { now: PageCapture }) {
  const lines = heard.lines.value;
  const momentsByLine = heard.momentsByLine.value;
  return (
    <div class="in" role="log" aria-label="Live transcript">
      {lines.map((line, i) => (
        <Line
          key={line.id}
          line={line}
          isSame={lines[i - 1]?.speaker === line.speaker}
          moments={momentsByLine.get(line.id)}
        />
      ))}
      {error.value !== undefined && <ErrorMessage error={error.value} />}
    </div>
  );
}

/** The interim words are a separate component, because they change several times a second and nothing else does. */
function Partial({ now: { events: heard, status: standing } }: { now: PageCapture }) {
  const partial = heard.partial.value;
  return (
    <div class="in last" aria-hidden="true">
      {partial ? (
        <div class="lu part">
          <span class="bd who0">?</span>
          <div>
            <span class="nm1">
              <small>speaking now</small>
            </span>
            <div class="tx">
              <b>{partial.stable_text}</b>
              {partial.text.slice(partial.stable_text.length)}
            </div>
          </div>
        </div>
      ) : (
        standing.value === 'live' && (
          <div class="lu part">
            <span />
            <div class="tx quiet">Listening</div>
          </div>
        )
      )}
    </div>
  );
}

interface LineProps {
  line: AnalysisLine;
  isSame: boolean;
  moments: readonly MomentEvent[] | undefined;
}

/** Memoised, because a session has hundreds of lines. */
const Line = memo(({ line, isSame, moments }: LineProps) => (
  <div class={`lu ${speakerClass(line.speaker)}`}>
    {isSame ? <span /> : <Badge speaker={line.speaker} />}
    <div>
      {!isSame && (
        <span class="nm1">
          Speaker {letter(line.speaker)} <small class="num">{clock(line.start)}</small>
        </span>
      )}
      <div class="tx" dir="auto">
        {line.text}
      </div>
      {moments?.map(({ moment_id, category, labels, confidence }) => (
        <span key={moment_id} class={`chip ${isUnsure(confidence) ? 'un' : ''}`}>
          <Glyph kind={category} size={12} isUnsure={isUnsure(confidence)} />
          {[MOMENT_NAMES[category], labels.join(', ')].filter(Boolean).join(': ')}
        </span>
      ))}
    </div>
    {line.tone ? <ToneMark valence={line.tone.valence} arousal={line.tone.arousal} hollow={false} /> : <span />}
  </div>
));
