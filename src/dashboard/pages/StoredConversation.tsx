import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, useLocation, useRoute } from 'preact-iso';
import { UndertoneError } from '../../sdk/error.ts';
import type { DeletionReceipt, Job, TimelineEntry } from '../../sdk/wire.ts';
import { reasonOf } from '../lib/error-texts.ts';
import { isOpen } from '../lib/statuses.ts';
import '../style/conversation.css';
import { ConversationPage } from '../conversation/ConversationPage.tsx';
import type { Comments } from '../conversation/comments.ts';
import { FirstWords } from '../conversation/FirstWords.tsx';
import { conversationOf, type SoundLevels } from '../conversation/model.ts';
import type { ConversationContext } from '../conversation/PageHead.tsx';
import { useRecording } from '../conversation/recording.ts';
import { levelsOf, openStored, type StoredConversationData } from '../conversation/stored.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { bytes, day, recordedOnDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { isSample } from '../lib/sample.ts';
import { save } from '../lib/save.ts';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';
import { type Editing, editingOf, hiddenAffectOf } from './editing.ts';
import { exportItems } from './exporting.ts';
import { thumbsOf } from './thumbing.ts';

const Delete = lazy(() => import('./EditDialogs.tsx').then((dialogs) => dialogs.Delete));
const EditDialogs = lazy(() => import('./EditDialogs.tsx').then((dialogs) => dialogs.EditDialogs));

/** How often a running analysis is refreshed, ms. */
const AGAIN_MS = 2_000;

/**
 * A stored conversation. It shows the conversation's page if there is a result, and otherwise the state of its
 * analysis.
 */
export function StoredConversation() {
  const { id = '' } = useRoute().params;
  const [words, setWords] = useState<readonly TimelineEntry[]>([]);
  const { value, error, isSlow, again } = useLoaded((signal) => openStored(service(), id, signal, setWords), [id]);
  const [receipt, setReceipt] = useState<DeletionReceipt | undefined>(undefined);
  const reanalysis = value?.record.reanalysis;
  const isGoingOn = (value && !value.result && goesOn(value.job)) || (reanalysis ? goesOn(reanalysis) : false);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isGoingOn, again]);
  if (receipt) return <Receipt receipt={receipt} />;
  if (error !== undefined && !value)
    return (
      <Page title="This conversation cannot be shown">
        <ErrorMessage error={error} retry={again} />
        <BackToList />
      </Page>
    );
  if (!value)
    return isSlow || words.length > 0 ? (
      <FirstWords entries={words} home="/app" />
    ) : (
      <main class="page" aria-busy="true" />
    );
  if (!value.result) return <UnderWay stored={value} removed={setReceipt} />;
  return <Shown key={id} stored={value} again={again} removed={setReceipt} />;
}

const BackToList = () => (
  <a class="btn" href="/app">
    <Icon name="left" size={16} /> All conversations
  </a>
);

const goesOn = (job: Job | undefined | null): boolean => job != null && isOpen(job);

function Shown({
  stored,
  again,
  removed,
}: {
  stored: StoredConversationData;
  again: () => void;
  removed: (receipt: DeletionReceipt) => void;
}) {
  const { record } = stored;
  const id = record.conversation_id;
  const conversation = useMemo(() => conversationOf(stored.result!), [stored.result]);
  const turn = useTurn(stored.result);
  const [levels, setLevels] = useState<SoundLevels | undefined>(undefined);
  const { reanalysis } = record;
  const version = reanalysis?.status === 'completed' ? reanalysis.created_at : undefined;
  const recording = useRecording(service(), id, { version });
  const time = useRef<number | undefined>(undefined);
  const thumbs = useMemo(() => thumbsOf(record), [record]);
  const hiddenAffect = useMemo(() => hiddenAffectOf(record), [record]);
  const comments = useMemo<Comments>(
    () => ({
      all: record.comments,
      change: (comment) => {
        dialog.value = { kind: 'comment', at: comment.at, comment };
      },
    }),
    [record],
  );
  const dialog = useSignal<Editing | undefined>(undefined);
  useEffect(() => {
    const leave = new AbortController();
    void levelsOf(service(), id, leave.signal).then((found) => leave.signal.aborted || setLevels(found));
    return () => leave.abort();
  }, [id, version]);
  const edit = editingOf({ stored, conversation, again, open: (what) => (dialog.value = what) });
  const around: ConversationContext = {
    title: titleOf(record),
    when: recordedOnDay(record),
    levels,
    ...recording,
    exports: exportItems(service(), record, recording.playbackProblem !== 'deleted'),
    home: '/app',
    startAt: () => time.current,
    onTime: (seconds) => {
      time.current = seconds;
    },
    thumbs,
    comments,
    hiddenAffect,
    ...edit,
    notice: (
      <>
        {isSample(record) && <Sample />}
        <Labels labels={record.labels} />
        {record.on_hold && <OnHold open={() => (dialog.value = { kind: 'hold' })} />}
        <Standing stored={stored} />
      </>
    ),
  };
  return (
    <>
      <ConversationPage key={turn} conversation={conversation} around={around} />
      {dialog.value && (
        <ErrorBoundary>
          <EditDialogs dialog={dialog} stored={stored} conversation={conversation} again={again} removed={removed} />
        </ErrorBoundary>
      )}
    </>
  );
}

/** A number that changes whenever the value changes. */
function useTurn(value: unknown): number {
  const last = useRef({ value, turn: 0 });
  if (last.current.value !== value) last.current = { value, turn: last.current.turn + 1 };
  return last.current.turn;
}

/** The labels. Each links to the conversations that have it. */
function Labels({ labels }: { labels: readonly string[] }) {
  if (labels.length === 0) return null;
  return (
    <ul class="warnrow labels1" aria-label="Labels">
      {labels.map((label) => (
        <li key={label}>
          <a class="label1" href={`/app?${new URLSearchParams({ label })}`}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Sample() {
  return (
    <div class="warnrow">
      <div class="notice">
        <Icon name="info" size={16} />
        <span>This is the sample call that comes with Undertone. Its people and their offer are made up.</span>
      </div>
    </div>
  );
}

function OnHold({ open }: { open: () => void }) {
  return (
    <div class="warnrow">
      <button type="button" class="chip" title="It cannot be deleted. Show why" onClick={open}>
        <Icon name="shield" size={12} /> On hold
      </button>
    </div>
  );
}

/** The state of the conversation's new analysis. */
function Standing({ stored: { record } }: { stored: StoredConversationData }) {
  const { reanalysis } = record;
  if (goesOn(reanalysis))
    return (
      <div class="warnrow">
        <div class="notice" role="status">
          <Icon name="clock" size={16} />
          <span>
            It is being analysed again, {Math.round((reanalysis?.progress ?? 0) * 100)} %. This page updates
            automatically.
          </span>
        </div>
      </div>
    );
  if (reanalysis?.status === 'failed')
    return (
      <div class="warnrow">
        <div class="notice warn" role="status">
          <Icon name="warning" size={16} />
          <span>
            Analysing it again failed
            {reanalysis.error && `: ${reasonOf(reanalysis.error.code, reanalysis.error.message)}`}. The previous result
            is shown.
          </span>
        </div>
      </div>
    );
  return null;
}

interface UnderWayProps {
  stored: StoredConversationData;
  removed: (receipt: DeletionReceipt) => void;
}

function UnderWay({ stored, removed }: UnderWayProps) {
  const { record, job } = stored;
  const [isDeleting, setDeleting] = useState(false);
  const { route } = useLocation();
  const share = Math.round((job?.progress ?? 0) * 100);
  const failure = job?.error ?? record.error;
  const stop = async (): Promise<void> => {
    await service().conversations.cancel(record.conversation_id);
    say('Stopped');
    route('/app');
  };
  return (
    <Page
      title={titleOf(record)}
      lead={[record.goal, `Sent on ${day(record.created_at)}`, record.filename].filter(Boolean).join(' · ')}
    >
      <div class="card empty">
        {goesOn(job) ? (
          <>
            <b>{job?.status === 'queued' ? 'Waiting in the queue' : `Analysing, ${share} %`}</b>
            <progress max={100} value={share} aria-label="Analysis progress" />
            <p class="muted">The conversation opens here when it is done.</p>
            <button
              type="button"
              class="btn danger"
              onClick={() => void stop().catch((error: unknown) => say(String(error)))}
            >
              Stop
            </button>
            <BackToList />
          </>
        ) : record.mode === 'live' && isOpen(record) ? (
          <>
            <b>A live session is running.</b>
            <BackToList />
          </>
        ) : (
          <>
            {record.status === 'cancelled' ? (
              <b>It was stopped before the end{on(record)}.</b>
            ) : (
              <>
                <b>The analysis failed{on(record)}.</b>
                <ErrorMessage
                  error={
                    new UndertoneError(
                      failure?.code ?? 'ANALYSIS_FAILURE',
                      failure?.message ?? 'The analysis ended without a result',
                    )
                  }
                />
              </>
            )}
            <div class="row">
              <a class="btn pri" href="/app/analyse">
                Analyse another
              </a>
              <BackToList />
              <button type="button" class="btn danger" onClick={() => setDeleting(true)}>
                Delete
              </button>
            </div>
            {isDeleting && (
              <ErrorBoundary>
                <Delete stored={stored} close={() => setDeleting(false)} removed={removed} />
              </ErrorBoundary>
            )}
          </>
        )}
      </div>
    </Page>
  );
}

/** The day of an ending, as the end of a sentence. */
const on = ({ ended_at: ended }: StoredConversationData['record']): string =>
  ended === null ? '' : ` on ${day(ended)}`;

/** The confirmation of a deletion. */
function Receipt({ receipt }: { receipt: DeletionReceipt }) {
  return (
    <Page title="Deleted" lead={`Deleted on ${day(receipt.deleted_at)}. The service stores nothing of it any longer.`}>
      <div class="card receipt">
        <table>
          <thead>
            <tr>
              <th scope="col">Removed from storage</th>
              <th scope="col" class="r">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {receipt.objects.map(({ key, bytes: size }) => (
              <tr key={key}>
                <td class="mono">{key.split('/').slice(1).join('/')}</td>
                <td class="r num">{bytes(size)}</td>
              </tr>
            ))}
            <tr>
              <td>Rows of the index: {receipt.index.join(', ')}</td>
              <td class="r num">{bytes(receipt.bytes)} in all</td>
            </tr>
          </tbody>
        </table>
      </div>
      <div class="row">
        <a class="btn pri" href="/app">
          Go to conversations
        </a>
        <button
          type="button"
          class="btn"
          onClick={() => save(new Blob([JSON.stringify(receipt)]), `receipt-${receipt.conversation_id}.json`)}
        >
          <Icon name="download" size={15} /> Save the signed receipt
        </button>
        <button type="button" class="btn" onClick={() => print()}>
          <Icon name="print" size={15} /> Print this receipt
        </button>
        <a class="btn" href="/app/receipts">
          All receipts
        </a>
      </div>
    </Page>
  );
}
