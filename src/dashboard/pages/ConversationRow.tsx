import { useLocation } from 'preact-iso';
import type { ConversationEntry, Match, MomentCategory } from '../../sdk/wire.ts';
import { Course, CourseSign } from '../lib/course.tsx';
import { errorTextOf, reasonOf, remedyOf } from '../lib/error-texts.ts';
import { clock, counted, day, shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { service } from '../lib/session.ts';
import { Badge, Glyph, MOMENT_NAMES, MomentKey } from '../lib/speaker-marks.tsx';
import { isOpen } from '../lib/statuses.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';

const MOST_PEOPLE = 4;

interface ConversationRowProps {
  entry: ConversationEntry;
  /** The category that the list is narrowed to. Empty: none. */
  moment: MomentCategory | '';
  isPicked: boolean;
  pick: (isOn: boolean) => void;
  /** Narrows the list to a label. */
  label: (label: string) => void;
  remove: () => void;
  /** Reads the list again. */
  again: () => void;
}

export function ConversationRow(p: ConversationRowProps) {
  const { entry, moment, isPicked, pick, label: narrowTo, remove, again } = p;
  const { route } = useLocation();
  const { conversation_id: id, result } = entry;
  const page = `/app/conversations/${id}`;
  /** Whether it ended without a result. */
  const isEnded = !result && !isOpen(entry);
  const [found] = entry.matches ?? [];
  const isSearched = found !== undefined && found.hits.length > 0;
  const href = isSearched ? hrefOfMatch(page, found) : moment === '' ? page : `${page}?moment=${moment}`;
  return (
    <tr
      class={isPicked ? 'picked' : ''}
      onClick={(e) => {
        if (!(e.target as Element).closest('a, input, label, button') && !String(getSelection())) route(href);
      }}
    >
      <td class="c-title">
        <label class="pick">
          <input
            type="checkbox"
            aria-label={`Select ${titleOf(entry)}`}
            checked={isPicked}
            onChange={(e) => pick(e.currentTarget.checked)}
          />
        </label>
        <a class="t1" href={href} title={titleOf(entry)} data-row>
          <bdi>{titleOf(entry)}</bdi>
        </a>
        <span class="t2" title={subtitleOf(entry)}>
          {entry.on_hold && <span class="held">On hold</span>}
          {!result && <StatusChip entry={entry} />}
          {entry.labels.map((label) => (
            <button
              type="button"
              key={label}
              class="label1"
              title={`Only conversations with the label ${label}`}
              onClick={() => narrowTo(label)}
            >
              {label}
            </button>
          ))}
          {entry.labels.length > 1 && (
            <span class="rest1" title={`Further labels: ${entry.labels.slice(1).join(', ')}`}>
              +{entry.labels.length - 1}
            </span>
          )}
          {!isEnded && <span class="ell">{subtitleOf(entry)}</span>}
        </span>
        {entry.matches?.map((match) => (
          <Found key={match.utterance_id} href={hrefOfMatch(page, match)} match={match} />
        ))}
      </td>
      <td class="c-people">{result && <People result={result} />}</td>
      {isEnded ? (
        <td class="c-next" colSpan={3}>
          <div>
            <span>
              {entry.error && <b>{reasonOf(entry.error.code, entry.error.message)}.</b>} {nextStepOf(entry)}
            </span>
            {entry.kept_until && <Again entry={entry} again={again} />}
            <button type="button" class="btn sm ghost act1" aria-label={`Delete ${titleOf(entry)}`} onClick={remove}>
              <Icon name="trash" size={14} /> Delete
            </button>
          </div>
        </td>
      ) : (
        <>
          <td class="c-course">
            {result && <Course points={result.course} />}
            {isOpen(entry) && <Progress id={id} />}
          </td>
          <td class="c-moments">{result && <Moments of={result} />}</td>
          <td class="c-offers">
            {result && <Outcome of={result} />}
            {entry.commitments && <Promises of={entry.commitments} />}
          </td>
        </>
      )}
      <td class="c-length r num">{result ? clock(result.duration_s) : ''}</td>
      <td class="c-when r num muted">
        <span class="seen1">{shortDay(entry.recorded_at)}</span>
        <span class="paper">{day(entry.recorded_at)}</span>
        {entry.recorded_at_source === 'assumed' && <small class="by1">uploaded</small>}
      </td>
    </tr>
  );
}

function subtitleOf({ goal, result, error, filename, title }: ConversationEntry): string {
  if (error) return reasonOf(error.code, error.message);
  if (goal) return `Asked: ${goal}`;
  if (result && result.speakers.length === 1) return 'One voice';
  if (result && result.warnings > 0) return `${result.warnings} ${result.warnings === 1 ? 'warning' : 'warnings'}`;
  // A title that nobody gave is the name without its ending.
  return filename === title || filename.replace(/\.\w+$/, '') === title ? '' : filename;
}

/** Failures that another recording, or another use of the storage, would not have. */
const WITH_REMEDY: readonly string[] = [
  'NO_UTTERANCES',
  'INVALID_MEDIA',
  'UNSUPPORTED_MEDIA',
  'FILE_TOO_LARGE',
  'STORAGE_FULL',
];

/** The next step for a conversation that ended without a result. */
function nextStepOf({ status, error, kept_until: until }: ConversationEntry): string {
  if (until) return `This is our fault. The recording is kept until ${shortDay(until)}.`;
  if (status !== 'failed') return 'To analyse it, send the recording again.';
  if (error && WITH_REMEDY.includes(error.code)) return remedyOf(error.code);
  return 'This is our fault. Send the recording again.';
}

/** The state of a conversation without a result, beside the reason. */
function StatusChip({ entry: { status, mode } }: { entry: ConversationEntry }) {
  if (status === 'failed')
    return (
      <span class="chip bad">
        <Icon name="warning" size={12} /> Failed
      </span>
    );
  if (status === 'cancelled') return <span class="chip">Stopped before the end</span>;
  if (status === 'completed') return <span class="chip">No result</span>;
  return (
    <span class="chip">
      <Icon name={mode === 'live' ? 'mic' : 'clock'} size={12} /> {mode === 'live' ? 'Live' : 'Being analysed'}
    </span>
  );
}

/** Starts a failed analysis again whose recording the service still has. */
function Again({ entry, again }: { entry: ConversationEntry; again: () => void }) {
  const { conversation_id: id, kept_until: until } = entry;
  const start = async (): Promise<void> => {
    // The client that sends recordings is loaded when it is needed.
    await (await import('./analysing.ts')).continueKept(id);
    say('The conversation is being analysed again');
    again();
  };
  return (
    <button
      type="button"
      class="btn sm ghost act1"
      aria-label={`Analyse ${titleOf(entry)} again`}
      title={until ? `The recording is kept until ${shortDay(until)}` : undefined}
      onClick={() => void start().catch((error: unknown) => say(errorTextOf(error).what))}
    >
      Analyse again
    </button>
  );
}

function Progress({ id }: { id: string }) {
  const { value } = useLoaded((signal) => service().conversations.peek(id, { signal }), [id]);
  const share = value && 'progress' in value ? value.progress : 0;
  const told = `${Math.round(share * 100)} %`;
  return (
    <span class="going1">
      <span
        class="prog1"
        role="progressbar"
        aria-label="Analysis progress"
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={told}
      >
        <i style={{ width: told.replace(' ', '') }} />
      </span>
      <small class="num">{told}</small>
    </span>
  );
}

function People({ result }: { result: NonNullable<ConversationEntry['result']> }) {
  const { speakers } = result;
  const rest = speakers.length - MOST_PEOPLE;
  return (
    <span
      class="ppl1"
      role="img"
      aria-label={speakers.map(({ name }) => name).join(', ')}
      title={speakers.map(({ name }) => name).join(', ')}
    >
      {speakers.slice(0, MOST_PEOPLE).map(({ name }, i) => (
        <Badge key={name} speaker={i} />
      ))}
      {rest > 0 && <small class="num">+{rest}</small>}
    </span>
  );
}

/** The kinds of moments with a place of their own in every row, so that a kind never moves. */
const SLOTS: readonly MomentCategory[] = ['objection', 'cta_offered', 'cta_accepted', 'cta_rejected'];

/** The signs of the list in words. */
export const ListKey = () => (
  <MomentKey kinds={SLOTS}>
    <span>“(2?)”: 2 of them unsure</span>
    <span>
      <CourseSign /> course: the tone from beginning to end, above the dots more positive, below more negative; a gap is
      silence
    </span>
  </MomentKey>
);

type Card = NonNullable<ConversationEntry['result']>;

function Moments({ of: { moments, unsure_moments: unsure = {} } }: { of: Card }) {
  // The next column says that there is no offer.
  if (SLOTS.every((category) => !moments[category])) return <span class="muted">no objection</span>;
  return (
    <span class="moms">
      {SLOTS.map((category) => {
        const count = moments[category] ?? 0;
        if (count === 0) return <span key={category} />;
        const doubtful = unsure[category] ?? 0;
        const told = counted(count, doubtful, MOMENT_NAMES[category].toLowerCase());
        return (
          <span key={category} title={told}>
            <Glyph kind={category} size={13} isUnsure={doubtful === count} />
            <span aria-hidden="true">{count}</span>
            {doubtful > 0 && <small aria-hidden="true">({doubtful}?)</small>}
            <span class="vh">{told}</span>
          </span>
        );
      })}
    </span>
  );
}

/** The number of promises, whoever owes them. */
function Promises({ of: { count, unsure } }: { of: NonNullable<ConversationEntry['commitments']> }) {
  const told = counted(count, unsure, count === 1 ? 'promise' : 'promises');
  return (
    <span class="promised" title={told}>
      <Icon name="flag" size={13} /> {told}
    </span>
  );
}

/** The outcomes of the offers, without a verdict. The cards of earlier versions do not say how many have no answer. */
function Outcome({ of: { moments, unsure_moments: unsure = {}, unanswered_offers } }: { of: Card }) {
  const { cta_offered: offered = 0, cta_accepted: accepted = 0, cta_rejected: declined = 0 } = moments;
  if (offered + accepted + declined === 0) return <span class="muted">no offer</span>;
  const open = unanswered_offers ?? Math.max(0, offered - accepted - declined);
  const unsureOffers = unsure.cta_offered ?? 0;
  const parts = (
    [
      [accepted, unsure.cta_accepted, 'accepted'],
      [declined, unsure.cta_rejected, 'declined'],
      [open, unsureOffers === offered ? open : 0, 'open'],
    ] as const
  ).flatMap(([count, doubtful = 0, word]) => (count === 0 ? [] : [counted(count, doubtful, word)]));
  // Which of several offers are unsure is not known here.
  const all = offered > 0 ? `: of ${counted(offered, unsureOffers, offered === 1 ? 'offer' : 'offers')}` : '';
  return (
    <span class="offers" title={`${parts.join(', ')}${all}`}>
      {parts.map((part, i) => [i > 0 && ' ', <span key={part}>{i < parts.length - 1 ? `${part},` : part}</span>])}
    </span>
  );
}

/** A link to the second of a search hit, with the words that matched. */
/** Number of characters shown after a hit. */
const SHOWN_AFTER = 60;

function hrefOfMatch(page: string, { text, hits, t_start }: Match): string {
  const [[from, to] = [0, 0]] = hits as [number, number][];
  const words = text.slice(from, to);
  return `${page}?${new URLSearchParams({ t: String(t_start), ...(words !== '' && { q: words }) })}`;
}

/** The words of a search hit or of a moment, which link to their second. */
function Found({ href, match: { text, hits, t_start } }: { href: string; match: Match }) {
  const [[from, to] = [0, 0]] = hits as [number, number][];
  const begin = Math.max(0, from - 40);
  return (
    <a class="hit1" href={href}>
      <span class="num">{clock(t_start)}</span> {begin > 0 && '… '}
      {text.slice(begin, from)}
      {to > from && <mark>{text.slice(from, to)}</mark>}
      {text.slice(to, to + SHOWN_AFTER)}
      {text.length > to + SHOWN_AFTER && ' …'}
    </a>
  );
}
