import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import '../style/live.css';
import { ErrorMessage, OutageMessage } from '../lib/error-message.tsx';
import { clamp, clock } from '../lib/format.ts';
import { GoalField } from '../lib/GoalField.tsx';
import { Icon } from '../lib/icons.tsx';
import { Page } from '../lib/page.tsx';
import { type CountAnswer, SpeakerCount, speakersIn } from '../lib/SpeakerCount.tsx';
import { outage } from '../lib/session.ts';
import { VocabularyField, wordsIn } from '../lib/vocabulary.tsx';
import { affectFor, type Recorded, WhoIsRecorded } from '../lib/WhoIsRecorded.tsx';
import { capture, currentCapture, type PageCapture } from './capturing.ts';
import { LiveSide } from './LiveSide.tsx';
import { LiveTranscript } from './LiveTranscript.tsx';
import { MicrophoneField, MicrophoneSelect } from './MicrophoneChoice.tsx';

/** Duration after which a lost connection is shown as an error, ms. */
const LONG_LOST_MS = 60_000;

/** Captures the microphone and shows the words as they are spoken. */
export function LiveCapturePage() {
  const now = currentCapture.value;
  const standing = now?.status.value;
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
    (standing === 'failed' && now.events.lines.value.length === 0)
  )
    return <Begin isOpening={standing === 'opening'} isCancelled={standing === 'cancelled'} error={now?.error.value} />;
  return <Session now={now} />;
}

function Begin({ isOpening, isCancelled, error }: { isOpening: boolean; isCancelled: boolean; error: unknown }) {
  const recorded = useSignal<Recorded | undefined>(undefined);
  const goal = useSignal('');
  const count = useSignal<CountAnswer>('Find out');
  const vocabulary = useSignal('');
  const start = (): void => {
    if (recorded.value === undefined) return;
    const words = wordsIn(vocabulary.value);
    capture({
      goal: goal.value.trim() || undefined,
      affect: affectFor(recorded.value),
      speakers: speakersIn(count.value),
      words: words.length > 0 ? words : undefined,
    });
  };
  const gap =
    outage.value !== undefined
      ? 'This needs a connection to the service.'
      : recorded.value === undefined
        ? 'First choose who is being recorded.'
        : undefined;
  return (
    <Page title="Live" lead="Speak and see who says what, and how it sounds. English speech only.">
      <div class="begin">
        {isCancelled && (
          <div class="notice" role="status">
            <Icon name="check" size={16} />
            <span>Cancelled. Nothing was stored.</span>
          </div>
        )}
        {error === undefined ? <OutageMessage /> : <ErrorMessage error={error} />}
        <GoalField goal={goal} />
        <WhoIsRecorded
          value={recorded.value}
          choose={(value) => {
            recorded.value = value;
          }}
        />
        <SpeakerCount count={count} />
        <VocabularyField
          where="in this session"
          isOptional
          value={vocabulary.value}
          onInput={(text) => (vocabulary.value = text)}
        />
        <MicrophoneField />
        <div class="row">
          <button type="button" class="btn pri" disabled={isOpening || gap !== undefined} onClick={start}>
            <Icon name="mic" size={16} /> {isOpening ? 'Opening the microphone' : 'Go live'}
          </button>
          <span class="muted" role="status">
            {gap}
          </span>
        </div>
      </div>
    </Page>
  );
}

function Session({ now }: { now: PageCapture }) {
  return (
    <main class="lv">
      <div>
        <Head now={now} />
        {now.status.value === 'live' && <DeviceNotice now={now} />}
      </div>
      <div class="lm">
        <LiveTranscript now={now} />
        <LiveSide now={now} />
      </div>
      <footer class="foot">
        <Icon name="info" size={14} />
        <span>
          Names and tone are provisional while you speak. After Finish the whole recording is analysed again and they
          become final. Tell everyone on the call that it is being recorded and that emotion is estimated.
        </span>
      </footer>
    </main>
  );
}

/** Says that the microphone disappeared or delivers no sound. */
function DeviceNotice({ now }: { now: PageCapture }) {
  const { device, lostDevice, isSilent } = now;
  if (lostDevice.value === undefined && !isSilent.value) return null;
  return (
    <div class="notice warn" role="status">
      <Icon name="warning" size={16} />
      <span>
        {lostDevice.value !== undefined && `${lostDevice.value} was disconnected. `}
        {device.value === '' && 'There is no other microphone: silence is recorded until you connect one.'}
        {device.value !== '' && lostDevice.value !== undefined && `${device.value} records now. `}
        {device.value !== '' && isSilent.value && `No sound comes from ${device.value}. Choose another microphone.`}
      </span>
    </div>
  );
}

function Head({ now }: { now: PageCapture }) {
  const { status: standing, events: heard } = now;
  const isLive = standing.value === 'live';
  const share = Math.round(heard.progress.value * 100);
  return (
    <header class="lh">
      <h1 class="rec">
        {isLive && <i />}{' '}
        {{ live: 'Live', finishing: 'Finishing', done: 'Finished', failed: 'Interrupted' }[standing.value as 'live'] ??
          ''}
      </h1>
      <Timer now={now} />
      {isLive && <Meter now={now} />}
      {isLive && <MicrophoneSelect current={now.device.value} choose={now.switchTo} />}
      {isLive ? (
        <Sending now={now} />
      ) : (
        <span class="conn" role="status">
          <b>
            {standing.value === 'finishing' && 'Analysing the whole recording'}
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
            currentCapture.value = undefined;
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

function Timer({ now }: { now: PageCapture }) {
  const told = useComputed(() => clock(now.seconds.value));
  return (
    <span class="big2 num" role="timer">
      {told}
    </span>
  );
}

/** The microphone's level over the last 5.6 seconds. */
function Meter({ now }: { now: PageCapture }) {
  const levels = now.levels.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> is drawn by the browser
    <span
      class="meter"
      role="meter"
      aria-label="Microphone level"
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

function Sending({ now }: { now: PageCapture }) {
  const { lostAt, owed, chunks } = now;
  const lostFor = lostAt.value === undefined ? 0 : Date.now() - lostAt.value;
  const isLost = lostAt.value !== undefined && owed.value >= 1;
  return (
    <span class={`conn ${isLost && lostFor > LONG_LOST_MS ? 'bad' : ''}`} role="status">
      <b>
        {isLost ? (
          <>Buffered here, {Math.round(owed.value)} s to send</>
        ) : (
          <>
            <Icon name="check" size={14} width={2} /> Everything sent
          </>
        )}
      </b>
      <span class="num">
        {isLost && lostFor > LONG_LOST_MS
          ? 'The connection has been lost for over a minute'
          : `${chunks.value} chunks of sound`}
      </span>
    </span>
  );
}
