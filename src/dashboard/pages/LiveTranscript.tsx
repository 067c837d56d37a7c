import { useEffect, useRef } from 'preact/hooks';
import { clock } from '../lib/format.ts';
import type { HeardLine } from '../lib/heard.ts';
import { Badge, Glyph, letter, MOMENT_NAMES, speakerClass, ToneMark } from '../lib/signs.tsx';
import { Trouble } from '../lib/trouble.tsx';
import type { Captured } from './capturing.ts';

/** What was said is large and stays; what is being said is below it, agreed words in ink. */
export function LiveTranscript({ now }: { now: Captured }) {
  const { heard, standing, error } = now;
  const lines = heard.lines.value;
  const partial = heard.partial.value;
  const scroll = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    const box = scroll.current;
    if (box && follows.current) box.scrollTop = box.scrollHeight;
  }, [lines.length, partial?.text]);
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
      <div class="in" role="log" aria-label="What is said">
        {lines.map((line, i) => (
          <Line key={line.id} line={line} isSame={lines[i - 1]?.speaker === line.speaker} now={now} />
        ))}
        {error.value !== undefined && <Trouble error={error.value} />}
      </div>
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
    </div>
  );
}

function Line({ line, isSame, now }: { line: HeardLine; isSame: boolean; now: Captured }) {
  return (
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
        {now.heard.momentsOf(line.id).map(({ moment_id, category, labels }) => (
          <span key={moment_id} class="chip">
            <Glyph kind={category} size={12} />
            {[MOMENT_NAMES[category], labels.join(', ')].filter(Boolean).join(': ')}
          </span>
        ))}
      </div>
      {line.tone ? <ToneMark valence={line.tone.valence} arousal={line.tone.arousal} hollow={false} /> : <span />}
    </div>
  );
}
