import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import '../style/live.css';
import { clamp, clock, percents } from '../lib/format.ts';
import type { HeardLine } from '../lib/heard.ts';
import { Icon } from '../lib/icons.tsx';
import { Page } from '../lib/page.tsx';
import { Badge, Glyph, letter, MOMENT_NAMES, speakerClass, ToneMark } from '../lib/signs.tsx';
import { Trouble } from '../lib/trouble.tsx';
import { affectFor, type Recorded, WhoIsRecorded } from '../lib/WhoIsRecorded.tsx';
import { type Captured, capture, captured } from './capturing.ts';

/** After that, a lost connection is told as a danger. */
const LONG_LOST_MS = 60_000;

/** What is said now, as it is said. */
export function LiveCapturePage() {
  const now = captured.value;
  const standing = now?.standing.value;
  useEffect(() => {
    if (standing !== 'live' && standing !== 'finishing') return;
    const warn = (e: BeforeUnloadEvent): void => e.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [standing]);
  useEffect(() => {
    document.title = 'Live · Undertone';
  }, []);
  if (
    !now ||
    standing === 'cancelled' ||
    standing === 'opening' ||
    (standing === 'failed' && now.heard.lines.value.length === 0)
  )
    return <Begin isOpening={standing === 'opening'} isCancelled={standing === 'cancelled'} error={now?.error.value} />;
  return <Session now={now} />;
}

function Begin({ isOpening, isCancelled, error }: { isOpening: boolean; isCancelled: boolean; error: unknown }) {
  const recorded = useSignal<Recorded | undefined>(undefined);
  const goal = useSignal('');
  const [isMissing, setMissing] = useState(false);
  const start = (): void => {
    if (recorded.value === undefined) setMissing(true);
    else capture({ goal: goal.value.trim() || undefined, affect: affectFor(recorded.value) });
  };
  return (
    <Page title="Live" lead="Speak, and read along: who says what, and how it sounds. English speech.">
      <div class="begin">
        {isCancelled && (
          <div class="notice" role="status">
            <Icon name="check" size={16} />
            <span>Cancelled. Nothing of it was stored.</span>
          </div>
        )}
        {error !== undefined && <Trouble error={error} />}
        <label class="field">
          <span>
            What do you want to know? <span class="muted">optional</span>
          </span>
          <input
            class="inp"
            type="text"
            maxLength={500}
            value={goal.value}
            onInput={(e) => (goal.value = e.currentTarget.value)}
          />
        </label>
        <WhoIsRecorded
          value={recorded.value}
          isMissing={isMissing}
          choose={(value) => {
            recorded.value = value;
            setMissing(false);
          }}
        />
        <button type="button" class="btn pri" disabled={isOpening} onClick={start}>
          <Icon name="mic" size={16} /> {isOpening ? 'Opening the microphone' : 'Go live'}
        </button>
      </div>
    </Page>
  );
}

function Session({ now }: { now: Captured }) {
  return (
    <main class="lv">
      <Head now={now} />
      <div class="lm">
        <Transcript now={now} />
        <Side now={now} />
      </div>
      <footer class="foot">
        <Icon name="info" size={14} />
        <span>
          Names and tone are provisional while you speak. After Finish the whole recording is heard again and they
          become final. Tell everyone on the call that it is recorded and that emotion is estimated.
        </span>
      </footer>
    </main>
  );
}

function Head({ now }: { now: Captured }) {
  const { standing, heard } = now;
  const isLive = standing.value === 'live';
  const share = Math.round(heard.progress.value * 100);
  return (
    <header class="lh">
      <h1 class="rec">
        {isLive && <i />}{' '}
        {{ live: 'Live', finishing: 'Finishing', done: 'Finished', failed: 'Broken off' }[standing.value as 'live'] ??
          ''}
      </h1>
      <span class="big2 num" role="timer">
        {clock(now.seconds.value)}
      </span>
      {isLive && <Meter now={now} />}
      {isLive ? (
        <Sending now={now} />
      ) : (
        <span class="conn" role="status">
          <b>
            {standing.value === 'finishing' && 'Hearing the whole recording again'}
            {standing.value === 'done' && 'The conversation is ready'}
          </b>
          {standing.value === 'finishing' && heard.phase.value === 'processing' && <span class="num">{share} %</span>}
        </span>
      )}
      <span class="sp" />
      {isLive && (
        <>
          <button type="button" class="btn" aria-pressed={now.isMuted.value} onClick={now.mute}>
            {now.isMuted.value ? 'Muted' : 'Mute'}
          </button>
          <button type="button" class="btn danger" onClick={now.cancel}>
            Cancel
          </button>
          <button type="button" class="btn pri" onClick={now.finish}>
            Finish
          </button>
        </>
      )}
      {standing.value === 'finishing' && (
        <button type="button" class="btn danger" onClick={now.cancel}>
          Cancel
        </button>
      )}
      {(standing.value === 'done' || standing.value === 'failed') && (
        <button
          type="button"
          class="btn"
          onClick={() => {
            captured.value = undefined;
          }}
        >
          Another
        </button>
      )}
      {standing.value === 'done' && (
        <a class="btn pri" href={`/app/conversations/${heard.doneId.value}`}>
          Open the conversation
        </a>
      )}
    </header>
  );
}

/** The last 5.6 seconds of the microphone. */
function Meter({ now }: { now: Captured }) {
  const levels = now.levels.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> is drawn by the browser
    <span
      class="meter"
      role="meter"
      aria-label="Level of the microphone"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((levels.at(-1) ?? 0) * 100)}
    >
      {levels.map((level, i) => (
        <i
          key={i}
          style={{ height: `${clamp(Math.sqrt(level) * 140, 8, 100)}%`, opacity: 0.3 + (0.7 * i) / levels.length }}
        />
      ))}
    </span>
  );
}

function Sending({ now }: { now: Captured }) {
  const { lostAt, owed, chunks } = now;
  const lostFor = lostAt.value === undefined ? 0 : Date.now() - lostAt.value;
  const isLost = lostAt.value !== undefined && owed.value >= 1;
  return (
    <span class={`conn ${isLost && lostFor > LONG_LOST_MS ? 'bad' : ''}`} role="status">
      <b>
        {isLost ? (
          <>Kept here, {Math.round(owed.value)} s to send</>
        ) : (
          <>
            <Icon name="check" size={14} width={2} /> Everything sent
          </>
        )}
      </b>
      <span class="num">
        {isLost && lostFor > LONG_LOST_MS
          ? 'The connection is away for over a minute'
          : `${chunks.value} chunks, ${now.device.value}`}
      </span>
    </span>
  );
}

function Transcript({ now }: { now: Captured }) {
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
  const moments = now.heard.moments.value.filter(({ utterance_ids }) => utterance_ids[0] === line.id);
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
        {moments.map(({ moment_id, category, labels }) => (
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

const WINDOW_S = 30;
const TONE_W = 318;

function Side({ now }: { now: Captured }) {
  const { heard } = now;
  const lines = heard.lines.value;
  const last = lines.at(-1);
  const spoken = heard.speakers.value.map((_, speaker) =>
    lines.reduce((sum, line) => sum + (line.speaker === speaker ? line.end - line.start : 0), 0),
  );
  const shares = percents(spoken);
  const total = spoken.reduce((sum, seconds) => sum + seconds, 0);
  const until = Math.max(last?.end ?? 0, 0.1);
  const pace =
    last && last.end > last.start
      ? Math.round((last.text.split(/\s+/).length / (last.end - last.start)) * 60)
      : undefined;
  const facts: [string, string, string][] = [
    ['Pace of the last line', pace === undefined ? '–' : String(pace), 'words/min'],
    ['Questions', String(lines.filter(({ text }) => text.trimEnd().endsWith('?')).length), ''],
    ['Longest turn', `${Math.round(Math.max(0, ...lines.map(({ start, end }) => end - start)))}`, 's'],
    ['Silence', `${Math.round(clamp(1 - total / until, 0, 1) * 100)}`, '%'],
  ];
  const moments = heard.moments.value;
  const shift = heard.shift.value;
  return (
    <aside class="side" aria-label="So far">
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
        {facts.map(([name, value, unit]) => (
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
        <Tone lines={lines} seconds={Math.max(WINDOW_S, now.seconds.value)} />
        {shift && (
          <p class="muted t-lab">
            {shift.from_state} to {shift.to_state} at {clock(shift.at_ms / 1000)}
          </p>
        )}
      </div>
      <div class="sec2">
        <h2 class="sec">
          Moments <span class="num muted">{moments.length}</span>
        </h2>
        {[...moments].reverse().map((moment) => (
          <div key={moment.moment_id} class="mo2">
            <Glyph kind={moment.category} size={15} />
            <span>
              <b>{MOMENT_NAMES[moment.category]}</b> <span class="muted">{moment.labels.join(', ')}</span>
            </span>
            <span class="num muted">{clock(moment.start_ms / 1000)}</span>
            <span class="q1">“{moment.evidence[0]?.quote ?? moment.summary}”</span>
          </div>
        ))}
      </div>
      <div class="notice sec2">
        <Icon name="clock" size={16} />
        <span>
          The session stays open for 15 min without sound. If the connection drops, sound is kept and sent when it is
          back.
        </span>
      </div>
    </aside>
  );
}

function Tone({ lines, seconds }: { lines: readonly HeardLine[]; seconds: number }) {
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
