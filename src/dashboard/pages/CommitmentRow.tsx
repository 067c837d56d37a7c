import { useEffect, useRef } from 'preact/hooks';
import type { CommitmentEntry, CommitmentState, OpenQuestionEntry } from '../../sdk/wire.ts';
import type { MenuItem } from '../lib/dialog.tsx';
import { capital, clock, dayName, recordedOn, shortened } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Confidence } from '../lib/speaker-marks.tsx';
import { speakerName } from '../lib/speaker-names.ts';
import { mayBeLater, otherDay } from './next-weekday.ts';
import type { PiecePlayer } from './shelf/piece-player.ts';
import { addressOf } from './shelf/Shelf.tsx';
import { PlayButton } from './shelf/shelf-player.tsx';

export const STATE_WORDS: Readonly<Record<CommitmentState, string>> = {
  open: 'Open',
  // The other side accepts an offer; the owner of a commitment agrees to a request.
  accepted: 'Agreed to',
  offered: 'Offered',
  declined: 'Declined',
  done: 'Done',
};

/** A link to the second at which something was said. */
export function Place({ of }: { of: CommitmentEntry | OpenQuestionEntry }) {
  return (
    <a class="und" href={addressOf({ conversation: of.conversation_id, at: of.t_start })}>
      <bdi>{of.title}</bdi>, <span class="num">{clock(of.t_start)}</span>, {recordedOn(of)}
    </a>
  );
}

/** Whether the quote is a request of another speaker, to which the owner agreed. */
const isAskedFor = (one: CommitmentEntry): one is CommitmentEntry & { speaker: string } =>
  one.speaker !== undefined && one.speaker !== one.owner;

/** The state in words: who agreed, where that was heard. */
function stateOf(one: CommitmentEntry): string {
  const agreed = isAskedFor(one) ? one.owner : one.to;
  if (one.status !== 'accepted' || one.status_source === 'person' || agreed === null) return STATE_WORDS[one.status];
  return `${speakerName(agreed)} agreed`;
}

/** Whether somebody still owes a commitment whose day has passed. */
export const isOverdue = ({ due, status }: CommitmentEntry, today: string): boolean =>
  due !== null && due.date < today && (status === 'open' || status === 'accepted');

interface RowProps {
  one: CommitmentEntry;
  /** Such as `2026-11-29`. */
  today: string;
  player: PiecePlayer;
  index: number;
  change: (status: CommitmentState | null) => void;
  /** Opens the menu of the other states below a button. */
  choose: (at: DOMRect) => void;
}

/** A commitment with its words, its day and its state. */
export function CommitmentRow({ one, today, player, index, change, choose }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const isCurrent = player.at === index;
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const deed = shortened(one.deed, 60);
  return (
    <li ref={row} class={isCurrent ? 'now' : ''} aria-current={isCurrent}>
      <PlayButton player={player} index={index} name={deed} />
      <div class="said">
        <p class="who">
          {one.owner === null ? (
            <span class="hollow">who was not said</span>
          ) : (
            <b dir="auto">{speakerName(one.owner)}</b>
          )}
          {one.to !== null && (
            <span>
              to <bdi>{speakerName(one.to)}</bdi>
            </span>
          )}
          <Place of={one} />
        </p>
        <p class="deed" dir="auto">
          {capital(one.deed)}
        </p>
        <p class="quote" dir="auto">
          {isAskedFor(one) && (
            <>
              <bdi>{speakerName(one.speaker)}</bdi> asked:{' '}
            </>
          )}
          “{one.quote}” <Confidence value={one.confidence} of="promise" />
        </p>
      </div>
      <div class="due">
        <Due one={one} />
        <span class="row">
          {isOverdue(one, today) &&
            (mayBeLater(one, today) ? (
              <span class="chip warn">Probably overdue</span>
            ) : (
              <span class="chip bad">
                <Icon name="warning" size={12} /> Overdue
              </span>
            ))}
          {one.status !== 'open' && (
            <span
              class="chip"
              title={one.status_source === 'person' ? 'Set on this page or by the API' : 'By the words that follow'}
            >
              <bdi>{stateOf(one)}</bdi>
            </span>
          )}
        </span>
      </div>
      <Acts one={one} deed={deed} change={change} choose={choose} />
    </li>
  );
}

function Due({ one: { due, vague_due, recorded_at } }: { one: CommitmentEntry }) {
  if (!due)
    return (
      <p>
        <span class="hollow">{vague_due === null ? 'no date was said' : `“${vague_due}”`}</span>
        {vague_due !== null && <small>date unclear</small>}
      </p>
    );
  const other = otherDay(due, recorded_at);
  return (
    <p>
      <b class="num">
        {other && 'probably '}
        {due.from !== null && `${dayName(due.from)} to `}
        {dayName(due.date)}
        {due.time !== null && `, ${due.time}`}
      </b>
      <small>
        said: “{due.said}”{other && `, or ${dayName(other).replaceAll(' ', '\u00a0')}?`}
        {due.time_zone_source === 'assumed' && ' (time zone unknown: UTC)'}
      </small>
    </p>
  );
}

function Acts({
  one: { status },
  deed,
  change,
  choose,
}: Omit<RowProps, 'today' | 'player' | 'index'> & { deed: string }) {
  return (
    <div class="acts">
      {status === 'done' ? (
        <button type="button" class="btn sm set" aria-label={`Not done: ${deed}`} onClick={() => change('open')}>
          Not done
        </button>
      ) : (
        <button type="button" class="btn sm set" aria-label={`Mark as done: ${deed}`} onClick={() => change('done')}>
          Mark as done
        </button>
      )}
      <button
        type="button"
        class="btn sm icon ghost"
        aria-label={`Other states: ${deed}`}
        title="Other states"
        aria-haspopup="menu"
        onClick={(e) => choose(e.currentTarget.getBoundingClientRect())}
      >
        <Icon name="more" size={16} />
      </button>
    </div>
  );
}

const OTHERS: readonly CommitmentState[] = ['accepted', 'declined', 'open'];

/** The states that a commitment can be given, apart from done. */
export const otherStates = (
  { status, status_source, state }: CommitmentEntry,
  change: (status: CommitmentState | null) => void,
): MenuItem[] => [
  ...OTHERS.filter((other) => other !== status).map((other) => ({
    label: STATE_WORDS[other],
    run: () => change(other),
  })),
  ...(status_source === 'person'
    ? [{ icon: 'undo' as const, label: `As it was said: ${STATE_WORDS[state]}`, run: () => change(null) }]
    : []),
];
