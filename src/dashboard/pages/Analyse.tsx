import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import '../style/pills.css';
import '../style/analyse.css';
import { GrowingTimeline, MomentNote } from '../lib/AnalysisEventViews.tsx';
import type { AnalysisLine } from '../lib/analysis-events.ts';
import { ErrorMessage, OutageMessage } from '../lib/error-message.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { bytes, clock } from '../lib/format.ts';
import { GoalField } from '../lib/GoalField.tsx';
import { Icon } from '../lib/icons.tsx';
import { Page } from '../lib/page.tsx';
import { RELIABLE } from '../lib/redaction-kinds.ts';
import { type CountAnswer, SpeakerCount, speakersIn } from '../lib/SpeakerCount.tsx';
import { sampleCall } from '../lib/sample.ts';
import { greet, outage } from '../lib/session.ts';
import { Badge, speakerClass } from '../lib/speaker-marks.tsx';
import { ToneMark } from '../lib/tone-mark.tsx';
import { VocabularyField, wordsIn } from '../lib/vocabulary.tsx';
import { affectFor, type Recorded, WhoIsRecorded } from '../lib/WhoIsRecorded.tsx';
import { again, analyse, canHelp, KINDS, type RunningAnalysis, runs, stop } from './analysing.ts';

const ACCEPTED = [...KINDS.map((kind) => `.${kind}`), 'audio/*', 'video/*'].join(',');
const STEPS = ['Uploaded', 'Who speaks', 'Words and tone', 'Summary'] as const;

/** Uploads a recording and shows its analysis line by line. */
export function Analyse() {
  const { query, route } = useLocation();
  const goal = useSignal('');
  const vocabulary = useSignal('');
  const count = useSignal<CountAnswer>('Find out');
  const recorded = useSignal<Recorded | undefined>(undefined);
  const redacts = useSignal(false);
  /** Files that wait for the user to say who is recorded. */
  const waiting = useSignal<readonly File[]>([]);
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);

  const take = (files: readonly File[]): void => {
    if (files.length === 0) return;
    const who = recorded.peek();
    if (who === undefined) {
      waiting.value = [...waiting.peek(), ...files];
      document.querySelector('.recorded')?.scrollIntoView({ block: 'center' });
      return;
    }
    const words = wordsIn(vocabulary.peek());
    analyse(files, {
      goal: goal.peek().trim() || undefined,
      words: words.length > 0 ? words : undefined,
      speakers: speakersIn(count.peek()),
      affect: affectFor(who),
      redact: redacts.peek() ? [...RELIABLE] : undefined,
    });
  };
  const sample = async (): Promise<void> => {
    const file = await sampleCall().catch(() => greet());
    if (file) analyse([file], { goal: 'Was a price agreed?', affect: 'full' });
  };
  useEffect(() => {
    if (!('sample' in query)) return;
    route('/app/analyse', true);
    void sample();
  }, []);
  useEffect(() => {
    // The whole page accepts dropped files.
    const over = (e: DragEvent): void => {
      e.preventDefault();
      setOver(true);
    };
    const leave = (e: DragEvent): void => {
      if (e.relatedTarget === null) setOver(false);
    };
    const drop = (e: DragEvent): void => {
      e.preventDefault();
      setOver(false);
      take([...(e.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);

  const isAway = outage.value !== undefined;
  const all = runs.value;
  const first = all.findLast(({ status: standing }) => standing.value === 'running') ?? all.at(-1);
  const others = all.filter((run) => run !== first).reverse();
  return (
    <Page
      title="Analyse a recording"
      lead="Choose what applies and add your files. They start when you have said who is being recorded. English speech only."
    >
      <OutageMessage />
      <div class={`an ${first ? 'has' : ''}`}>
        <div class="opts">
          {first && <h2 class="sec">For the next recording</h2>}
          <GoalField goal={goal} placeholder="Was the repair booked, and what did it cost?" />
          <WhoIsRecorded
            value={recorded.value}
            waiting={waiting.value.map(({ name }) => name)}
            choose={(value) => {
              recorded.value = value;
              take(waiting.peek());
              waiting.value = [];
            }}
          />
          <SpeakerCount count={count} more="Stereo with one person per channel is detected automatically." />
          <VocabularyField
            where="in these recordings"
            isOptional
            value={vocabulary.value}
            onInput={(text) => (vocabulary.value = text)}
          />
          <label class="check redacts">
            <input
              type="checkbox"
              checked={redacts.value}
              onChange={(e) => (redacts.value = e.currentTarget.checked)}
            />
            <span>
              Remove personal numbers and addresses
              <small class="muted">
                Card, account and phone numbers, email addresses, postcodes, dates of birth and passwords become labels
                in the text and a tone in the sound. The file itself is not kept. Names stay.
              </small>
            </span>
          </label>
          <SameFromTheCommandLine goal={goal.value} redacts={redacts.value} />
        </div>
        <div class={`drop ${isOver ? 'over' : ''}`}>
          <Icon name="up" size={26} />
          <b class="dropped1">Drop audio or video here</b>
          <b class="chosen1">Choose a recording</b>
          <span class="muted">{KINDS.join(', ')}</span>
          <div class="row pick">
            <button type="button" class="btn" onClick={() => picker.current?.click()}>
              Choose files
            </button>
            <button type="button" class="btn ghost" disabled={isAway} onClick={() => void sample()}>
              Use the sample call
            </button>
          </div>
          <p class="t-lab" role="status">
            {isAway
              ? 'Nothing can be sent now. The files that you choose are kept on this page, and start when the service responds.'
              : recorded.value === undefined
                ? 'There is no Start button: a file starts as soon as you have added it and said who is being recorded. The sample call starts at once.'
                : 'There is no Start button: a file starts as soon as you add it.'}
          </p>
          <input
            ref={picker}
            class="vh"
            type="file"
            multiple
            accept={ACCEPTED}
            aria-label="Choose files"
            tabIndex={-1}
            onChange={(e) => {
              take([...(e.currentTarget.files ?? [])]);
              e.currentTarget.value = '';
            }}
          />
        </div>
        <div class="runs">
          {first ? <Running key={first.id} run={first} /> : <Waiting />}
          {others.length > 0 && (
            <div class="card others">
              {others.map((run) => (
                <Other key={run.id} run={run} />
              ))}
            </div>
          )}
        </div>
      </div>
    </Page>
  );
}

function Waiting() {
  return (
    <div class="card empty">
      <b>Nothing is being analysed.</b>
      <p class="muted">Speakers come first, then each line with its tone. The finished conversation has the summary.</p>
    </div>
  );
}

/** Which of the four steps is current, derived from the events. */
function stepOf({ sent, status: standing, events: heard }: RunningAnalysis): number {
  if (standing.value === 'done') return STEPS.length;
  if (sent.value < 1) return 0;
  if (heard.isSummed.value || heard.progress.value >= 0.99) return heard.lines.value.length > 0 ? 3 : 2;
  return heard.lines.value.length > 0 ? 2 : 1;
}

function progressOf(run: RunningAnalysis): string {
  const { sent, status: standing, events: heard, duration } = run;
  const lines = heard.lines.value;
  if (standing.value === 'waiting')
    return outage.value === undefined ? 'waiting' : 'Kept here until the service responds';
  if (standing.value === 'stopped') return 'Stopped. Nothing was stored.';
  if (standing.value === 'done')
    return `Done in ${Math.round((Date.now() - run.startedAt) / 1000)} s: ${lines.length} lines, ${heard.moments.value.length} moments, and a summary: press Open to read it`;
  if (sent.value < 1) return `${Math.round(sent.value * 100)} % of ${bytes(run.file.size)} sent`;
  if (run.isLost.value) return 'The connection was lost. The analysis continues, and this page checks its progress.';
  const share = heard.progress.value;
  const told = [`${Math.round(share * 100)} %`];
  const last = lines.at(-1);
  if (last) told.push(`analysed to ${clock(last.end)}${duration.value > 0 ? ` of ${clock(duration.value)}` : ''}`);
  const past = (Date.now() - run.startedAt) / 1000;
  if (share > 0.2 && share < 1) told.push(`about ${Math.max(1, Math.round((past / share) * (1 - share)))} s left`);
  return told.join(', ');
}

function Running({ run }: { run: RunningAnalysis }) {
  const { events: heard, status: standing, sent } = run;
  const [told, setTold] = useState('');
  const scroll = useRef<HTMLDivElement>(null);
  const lines = heard.lines.value;
  const isDone = standing.value === 'done';
  const share = isDone ? 1 : sent.value < 1 ? sent.value : heard.progress.value;
  const status = progressOf(run);
  useEffect(() => {
    if (!isDone) return;
    // Keeps only the final number, so that a finished analysis stops counting.
    setTold(status);
    // A finished analysis is read from its beginning.
    if (scroll.current) scroll.current.scrollTop = 0;
  }, [isDone]);
  useEffect(() => {
    const box = scroll.current;
    if (box && !isDone) box.scrollTop = box.scrollHeight;
  }, [lines.length]);
  // On a phone, the choices before it are above or below it.
  const card = useRef<HTMLElement>(null);
  useEffect(() => card.current?.scrollIntoView({ block: 'nearest' }), []);
  const at = stepOf(run);
  return (
    <section ref={card} class="card run" aria-label="The file being analysed">
      <div class="rh">
        <Icon name="file" />
        <div class="grow1">
          <div class="ell name2">
            <bdi>{run.file.name}</bdi>
          </div>
          <div class="t-lab muted num">{isDone && told ? told : status}</div>
        </div>
        {(standing.value === 'running' || standing.value === 'waiting') && (
          <button type="button" class="btn sm" onClick={() => stop(run)}>
            Stop
          </button>
        )}
        {isDone && (
          <a class="btn pri" href={`/app/conversations/${heard.doneId.value}`}>
            Open
          </a>
        )}
      </div>
      <div
        class="prog"
        role="progressbar"
        aria-label="Analysis progress"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <ol class="steps">
        {STEPS.map((name, i) => (
          <li key={name} class={i < at ? 'd' : i === at ? 'n' : ''} aria-current={i === at ? 'step' : undefined}>
            <span class="dot" />
            {i === at ? <b>{name}</b> : name}
          </li>
        ))}
      </ol>
      {run.error.value !== undefined && (
        <div class="in1">
          <ErrorMessage
            error={run.error.value}
            retry={standing.value === 'failed' && canHelp(run) ? () => again(run) : undefined}
          />
        </div>
      )}
      {lines.length > 0 && (
        <GrowingTimeline heard={heard} duration={run.duration.value} hasTone={run.options.affect !== 'none'} />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <div class="lines" ref={scroll} role="log" aria-label="Lines as they are analysed" tabIndex={0}>
        {lines.length === 0 && standing.value === 'running' && (
          <p class="wait">
            {sent.value < 1
              ? 'Uploading the file.'
              : 'Reading the recording and identifying the speakers. The first line appears within seconds.'}
          </p>
        )}
        {lines.map((line, i) => (
          <Line key={line.id} line={line} isNew={i === lines.length - 1 && !isDone} run={run} />
        ))}
        {lines.length > 0 && standing.value === 'running' && (
          <p class="wait">
            <i />
            <i />
            <i /> listening on
          </p>
        )}
      </div>
    </section>
  );
}

function Line({ line, isNew, run }: { line: AnalysisLine; isNew: boolean; run: RunningAnalysis }) {
  return (
    <>
      <div class={`l ${speakerClass(line.speaker)} ${isNew ? 'new' : ''}`}>
        <span class="ts num">{clock(line.start)}</span>
        <Badge speaker={line.speaker} />
        <span class="tx" dir="auto">
          {line.text}
        </span>
        {line.tone && <ToneMark valence={line.tone.valence} arousal={line.tone.arousal} hollow={false} />}
      </div>
      {run.events.momentsByLine.value.get(line.id)?.map((moment) => (
        <MomentNote key={moment.moment_id} moment={moment} />
      ))}
    </>
  );
}

function Other({ run }: { run: RunningAnalysis }) {
  const { status: standing, events: heard, error } = run;
  return (
    <div class="q">
      <Icon name={standing.value === 'done' ? 'check' : standing.value === 'failed' ? 'warning' : 'clock'} size={16} />
      <span class="ell">
        <bdi>{run.file.name}</bdi>
      </span>
      {standing.value === 'done' ? (
        <a class="btn sm" href={`/app/conversations/${heard.doneId.value}`}>
          Open
        </a>
      ) : standing.value === 'failed' ? (
        canHelp(run) && (
          <button type="button" class="btn sm" onClick={() => again(run)}>
            Try again
          </button>
        )
      ) : (
        <span class="muted num t-lab">{progressOf(run)}</span>
      )}
      {error.value !== undefined && <span class="e">{errorTextOf(error.value).what}</span>}
    </div>
  );
}

function SameFromTheCommandLine({ goal, redacts }: { goal: string; redacts: boolean }) {
  const redact = redacts ? ` -F redact=${RELIABLE.join(',')}` : '';
  const asked = (goal.trim() ? ` -F ${quoted(`goal=${goal.trim()}`)}` : '') + redact;
  return (
    <details>
      <summary>The same on the command line</summary>
      <pre>{`curl -H "X-API-Key: $KEY" -F "file=@call.mp3"${asked} \\\n  ${location.origin}/analyze`}</pre>
    </details>
  );
}

/** Quotes a string as a single word for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
