import '../../style/shelf.css';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { listenToKeys } from '../../conversation/keyboard.ts';
import { errorTextOf } from '../../lib/error-texts.ts';
import { clamp, clock, shortDay, shortened, two } from '../../lib/format.ts';
import { Icon, type IconName } from '../../lib/icons.tsx';
import { service } from '../../lib/session.ts';
import { Glyph, MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { say } from '../../lib/tip.tsx';
import { type PiecePlayer, usePiecePlayer } from './piece-player.ts';
import { isUnsure, type ShelfPiece } from './pieces.ts';
import { addToLast, CommentOnPiece, ToPlaylist } from './ShelfDialogs.tsx';

type Thumb = 'up' | 'down';

interface ShelfProps {
  pieces: readonly ShelfPiece[];
  /** The key of a piece that plays as soon as it is there. */
  chosen?: string;
  /** Further controls of a row. */
  tools?: (piece: ShelfPiece, index: number) => ComponentChildren;
  /** Controls below the last row. */
  more?: ComponentChildren;
}

const FIELDS = 'input, select, textarea, dialog, [role="menu"]';

/** Pieces of conversations as quotes, heard one after another. */
export function Shelf({ pieces, chosen, tools, more }: ShelfProps) {
  const player = usePiecePlayer(pieces);
  const [thumbs, setThumbs] = useState<ReadonlyMap<string, Thumb>>(new Map());
  const [dialog, setDialog] = useState<{ kind: 'comment' | 'playlist'; piece: ShelfPiece } | undefined>(undefined);
  const { route } = useLocation();
  const judge = (piece: ShelfPiece, thumb: Thumb): void => {
    const { moment, key } = piece;
    if (!moment) return;
    const given = thumbs.get(key) === thumb ? null : thumb;
    service()
      .conversations.feedback(piece.conversation, { moment_id: moment.moment_id, thumb: given })
      .then(
        () =>
          setThumbs((before) => {
            const after = new Map(before);
            if (given) after.set(key, given);
            else after.delete(key);
            return after;
          }),
        (error: unknown) => say(errorTextOf(error).what),
      );
  };
  const act = (e: KeyboardEvent): void => {
    const target = e.target as Element;
    if (target.closest(FIELDS) || e.ctrlKey || e.metaKey || e.altKey) return;
    const piece = pieces[player.at];
    const keys: Record<string, () => void> = {
      j: () => player.play(Math.min(player.at + 1, pieces.length - 1)),
      k: () => player.play(Math.max(player.at - 1, 0)),
      a: () => player.setPlaysOn(!player.playsOn),
      ArrowLeft: () => player.seek(player.time - 5),
      ArrowRight: () => player.seek(player.time + 5),
    };
    if (!target.closest('button, a, summary')) keys[' '] = player.toggle;
    if (piece) {
      keys.o = () => route(addressOf(piece));
      keys.w = () => setDialog({ kind: 'comment', piece });
      keys.s = () => void addToLast(piece).then((isAdded) => isAdded || setDialog({ kind: 'playlist', piece }));
      keys.S = () => setDialog({ kind: 'playlist', piece });
      keys.y = () => judge(piece, 'up');
      keys.n = () => judge(piece, 'down');
    }
    const run = keys[e.key];
    if (!run) return;
    e.preventDefault();
    run();
  };
  const first = chosen === undefined ? -1 : pieces.findIndex(({ key }) => key === chosen);
  useEffect(() => {
    if (first >= 0) player.play(first);
  }, [chosen, first]);
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => listenToKeys((e) => latest.current(e)), []);
  return (
    <div class="shelf">
      <ol aria-label="Pieces">
        {pieces.map((piece, i) => (
          <Row
            key={piece.key}
            piece={piece}
            player={player}
            index={i}
            thumb={thumbs.get(piece.key)}
            judge={(thumb) => judge(piece, thumb)}
            open={(kind) => setDialog({ kind, piece })}
          >
            {tools?.(piece, i)}
          </Row>
        ))}
      </ol>
      {more}
      <Bar pieces={pieces} player={player} />
      {/* biome-ignore lint/a11y/useMediaCaption: the quotes on the page are the text of the recording */}
      <audio ref={player.audio} preload="none" />
      {dialog?.kind === 'comment' && <CommentOnPiece piece={dialog.piece} close={() => setDialog(undefined)} />}
      {dialog?.kind === 'playlist' && <ToPlaylist piece={dialog.piece} close={() => setDialog(undefined)} />}
    </div>
  );
}

const addressOf = ({ conversation, at }: ShelfPiece): string =>
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
  const isPlaying = isCurrent && player.isPlaying;
  const quote = shortened(piece.quote, 60);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const { moment } = piece;
  return (
    <li ref={row} class={`${isCurrent ? 'now' : ''} ${isUnsure(piece) ? 'uns' : ''}`} aria-current={isCurrent}>
      <button
        type="button"
        class="btn icon play"
        aria-label={`${isPlaying ? 'Pause' : 'Play'}: ${quote}`}
        onClick={() => (isCurrent ? player.toggle() : player.play(index))}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} size={16} />
      </button>
      <div class="said">
        <p class="who">
          {moment && <Glyph kind={moment.category} size={14} />}
          <b>
            <bdi>{piece.speaker ?? 'Nobody'}</bdi>
          </b>
          {piece.role !== null && <span>{piece.role}</span>}
          <a class="und" href={addressOf(piece)}>
            <bdi>{piece.title}</bdi>, {clock(piece.at)}
          </a>
          <span class="num">{shortDay(piece.recordedAt)}</span>
        </p>
        {isCurrent && piece.before !== null && <p class="near">{piece.before}</p>}
        <p class="quote" dir="auto">
          {piece.quote}
        </p>
        {isCurrent && piece.after !== null && <p class="near">{piece.after}</p>}
        {piece.note !== '' && <p class="note">{piece.note}</p>}
        <p class="tags">
          {moment && <span>{MOMENT_NAMES[moment.category]}</span>}
          {moment && isUnsure(piece) && <span class="hollow">unsure {two(moment.confidence)}</span>}
          {piece.outcome !== null && <span>{piece.outcome}</span>}
        </p>
      </div>
      <div class="acts">
        {moment && <Tool icon="thumbUp" label={`Right: ${quote}`} isOn={thumb === 'up'} run={() => judge('up')} />}
        {moment && (
          <Tool icon="thumbDown" label={`Wrong: ${quote}`} isOn={thumb === 'down'} run={() => judge('down')} />
        )}
        <Tool icon="comment" label={`Comment on: ${quote}`} run={() => open('comment')} />
        <Tool icon="plus" label={`Add to a playlist: ${quote}`} run={() => open('playlist')} />
        {children}
      </div>
    </li>
  );
}

/** A button of a row that shows only a sign. */
export function Tool(p: { icon: IconName; label: string; isOn?: boolean; isOff?: boolean; run: () => void }) {
  return (
    <button
      type="button"
      class="btn sm icon ghost"
      aria-label={p.label}
      title={p.label.split(':')[0]}
      aria-pressed={p.isOn}
      disabled={p.isOff}
      onClick={p.run}
    >
      <Icon name={p.icon} size={15} />
    </button>
  );
}

function Bar({ pieces, player }: { pieces: readonly ShelfPiece[]; player: PiecePlayer }) {
  const { at, isPlaying, time, playsOn } = player;
  const piece = pieces[at];
  const share = piece ? clamp((time - piece.from) / (piece.to - piece.from), 0, 1) : 0;
  return (
    <section class="pbar2" aria-label="Player">
      <button type="button" class="btn icon pri" aria-label={isPlaying ? 'Pause' : 'Play'} onClick={player.toggle}>
        <Icon name={isPlaying ? 'pause' : 'play'} size={16} />
      </button>
      <span class="num">{piece ? `${at + 1} of ${pieces.length}` : `${pieces.length}`}</span>
      <span class="track" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
      <span class="num">{piece ? clock(time) : ''}</span>
      <button
        type="button"
        class={playsOn ? 'btn sm pri' : 'btn sm'}
        aria-pressed={playsOn}
        onClick={() => player.setPlaysOn(!playsOn)}
      >
        Play all on
      </button>
      <span class="keys muted">
        J next · K last · Space play · Y N right, wrong · W comment · S to a playlist · O open
      </span>
      <span class="vh" role="status">
        {piece && `${piece.speaker ?? 'Nobody'}, ${shortDay(piece.recordedAt)}${isUnsure(piece) ? ', unsure' : ''}`}
      </span>
    </section>
  );
}
