import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ErrorBoundary, lazy, useLocation } from 'preact-iso';
import type { Thumb } from '../../conversation/thumbs.ts';
import { errorTextOf } from '../../lib/error-texts.ts';
import { clock, recordedOn, shortened, two } from '../../lib/format.ts';
import { Icon, type IconName } from '../../lib/icons.tsx';
import { service } from '../../lib/session.ts';
import { Glyph, MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { say } from '../../lib/tip.tsx';
import { addToLast } from './last-playlist.ts';
import type { PiecePlayer } from './piece-player.ts';
import { isUnsurePiece, placeIn, type ShelfPiece } from './pieces.ts';
import { PlayButton, useShelfPlayer } from './shelf-player.tsx';
import { keepThumb, thumbOf } from './thumbs.ts';

const CommentOnPiece = lazy(() => import('./ShelfDialogs.tsx').then((dialogs) => dialogs.CommentOnPiece));
const ToPlaylist = lazy(() => import('./ShelfDialogs.tsx').then((dialogs) => dialogs.ToPlaylist));

interface ShelfProps {
  pieces: readonly ShelfPiece[];
  /** The key of a piece that plays as soon as it is there. */
  chosen?: string;
  /** The number of pieces, in words. */
  count?: string | undefined;
  /** Further controls of a row. */
  tools?: (piece: ShelfPiece, index: number) => ComponentChildren;
  /** Controls below the last row. */
  more?: ComponentChildren;
}

/** Pieces of conversations as quotes, heard one after another. */
export function Shelf({ pieces, chosen, count, tools, more }: ShelfProps) {
  const [dialog, setDialog] = useState<{ kind: 'comment' | 'playlist'; piece: ShelfPiece } | undefined>(undefined);
  const { route } = useLocation();
  const judge = (piece: ShelfPiece, thumb: Thumb): void => {
    if (!piece.moment) return;
    const { moment_id, thumb: loaded } = piece.moment;
    const given = thumbOf(moment_id, loaded) === thumb ? null : thumb;
    service()
      .conversations.feedback(piece.conversation, { moment_id, thumb: given })
      .then(
        () => keepThumb(moment_id, given),
        (error: unknown) => say(errorTextOf(error).what),
      );
  };
  const { player, audio } = useShelfPlayer(pieces, {
    of: (piece) => ({
      o: () => route(addressOf(piece)),
      w: () => setDialog({ kind: 'comment', piece }),
      s: () => void addToLast(piece).then((isAdded) => isAdded || setDialog({ kind: 'playlist', piece })),
      S: () => setDialog({ kind: 'playlist', piece }),
      y: () => judge(piece, 'up'),
      n: () => judge(piece, 'down'),
    }),
    count,
    hint: `${pieces.some(({ moment }) => moment) ? ' · Y N right, wrong' : ''} · W comment · S to a playlist · O open`,
  });
  const first = chosen === undefined ? -1 : pieces.findIndex(({ key }) => key === chosen);
  useEffect(() => {
    if (first >= 0) player.play(first);
  }, [chosen, first]);
  return (
    <div class="shelf">
      <ol aria-label="Pieces">
        {pieces.map((piece, i) => (
          <Row
            key={piece.key}
            piece={piece}
            player={player}
            index={i}
            thumb={piece.moment ? thumbOf(piece.moment.moment_id, piece.moment.thumb) : undefined}
            judge={(thumb) => judge(piece, thumb)}
            open={(kind) => setDialog({ kind, piece })}
          >
            {tools?.(piece, i)}
          </Row>
        ))}
      </ol>
      {more}
      {audio}
      <ErrorBoundary>
        {dialog?.kind === 'comment' && <CommentOnPiece piece={dialog.piece} close={() => setDialog(undefined)} />}
        {dialog?.kind === 'playlist' && <ToPlaylist piece={dialog.piece} close={() => setDialog(undefined)} />}
      </ErrorBoundary>
    </div>
  );
}

/** How many of all a page has. Paper ends where the page does, and has no button. */
export function Loaded({ count, all, what }: { count: number; all: number; what: string }) {
  if (count >= all) return null;
  return (
    <p class="loaded1">
      <span class="num">{count}</span> of <span class="num">{all}</span> {what} are shown.{' '}
      <span class="paper">The page has the others.</span>
    </p>
  );
}

/** The page of a conversation at the second of a piece. */
export const addressOf = ({ conversation, at }: Pick<ShelfPiece, 'conversation' | 'at'>): string =>
  `/app/conversations/${encodeURIComponent(conversation)}?t=${Math.floor(at)}`;

interface RowProps {
  piece: ShelfPiece;
  player: PiecePlayer;
  index: number;
  thumb: Thumb | undefined;
  judge: (thumb: Thumb) => void;
  open: (kind: 'comment' | 'playlist') => void;
  children: ComponentChildren;
}

function Row({ piece, player, index, thumb, judge, open, children }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const isCurrent = player.at === index;
  const quote = shortened(piece.quote, 60);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const { moment } = piece;
  return (
    <li ref={row} class={`${isCurrent ? 'now' : ''} ${isUnsurePiece(piece) ? 'uns' : ''}`} aria-current={isCurrent}>
      <PlayButton player={player} index={index} name={quote} />
      <div class="said">
        <p class="who">
          {moment && <Glyph kind={moment.category} size={14} isUnsure={isUnsurePiece(piece)} />}
          <b>
            <bdi>{piece.speaker ?? 'Nobody'}</bdi>
          </b>
          {piece.role !== null && <span>{piece.role}</span>}
          <a class="und" href={addressOf(piece)}>
            <bdi>{piece.title}</bdi>, {clock(piece.at)}
          </a>
          <span class="num">{recordedOn(piece.recorded)}</span>
        </p>
        {isCurrent && piece.before !== null && <p class="near">{piece.before}</p>}
        <p class="quote" dir="auto">
          {piece.quote}
        </p>
        {isCurrent && piece.after !== null && <p class="near">{piece.after}</p>}
        {isCurrent && piece.around.length > 0 && <Strip piece={piece} time={player.time} />}
        {piece.note !== '' && <p class="note">{piece.note}</p>}
        <p class="tags">
          {moment && <span>{MOMENT_NAMES[moment.category]}</span>}
          {thumb === 'down' && <b>You said this is wrong</b>}
          {moment && isUnsurePiece(piece) && <span class="hollow">unsure {two(moment.confidence)}</span>}
          {piece.outcome !== null && <span>{piece.outcome}</span>}
        </p>
      </div>
      <div class="acts">
        {moment && <Tool icon="thumbUp" label={`Right: ${quote}`} isOn={thumb === 'up'} run={() => judge('up')} />}
        {moment && (
          <Tool icon="thumbDown" label={`Wrong: ${quote}`} isOn={thumb === 'down'} run={() => judge('down')} />
        )}
        <Tool
          icon="comment"
          label={`Comment on this moment, shown in its conversation: ${quote}`}
          word="Comment"
          run={() => open('comment')}
        />
        <Tool icon="plus" label={`Add to a playlist: ${quote}`} word="Playlist" run={() => open('playlist')} />
        {children}
      </div>
    </li>
  );
}

/** Speech in a piece: the others above, the speaker of the quote below, and a line at the second that is heard. */
function Strip({ piece, time }: { piece: ShelfPiece; time: number }) {
  return (
    <span class="strip4" aria-hidden="true">
      {piece.around.map(({ from, to, isOwn, isQuote }) => (
        <i
          key={`${from} ${isOwn}`}
          class={`${isOwn ? 'own' : ''} ${isQuote ? 'quoted' : ''}`}
          style={{ left: `${placeIn(piece, from)}%`, right: `${100 - placeIn(piece, to)}%` }}
        />
      ))}
      <b style={{ left: `${placeIn(piece, time)}%` }} />
    </span>
  );
}

interface ToolProps {
  icon: IconName;
  /** The act, a colon, and its object. */
  label: string;
  /** The word below the sign, which the label contains. By default what stands before the colon. */
  word?: string;
  isOn?: boolean;
  isOff?: boolean;
  run: () => void;
}

/** A button of a row: a sign with a word below it. */
export function Tool(p: ToolProps) {
  const [deed] = p.label.split(':');
  return (
    <button
      type="button"
      class="btn ghost tool1"
      aria-label={p.label}
      title={deed}
      aria-pressed={p.isOn}
      disabled={p.isOff}
      onClick={p.run}
    >
      <Icon name={p.icon} size={15} />
      <small>{p.word ?? deed}</small>
    </button>
  );
}
