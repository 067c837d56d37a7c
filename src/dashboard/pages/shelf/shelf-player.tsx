import '../../style/shelf.css';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { clock, recordedOn } from '../../lib/format.ts';
import { Icon } from '../../lib/icons.tsx';
import { handlesSpace, listenToKeys } from '../../lib/keys.ts';
import { usePageFoot } from '../../lib/page.tsx';
import { type PiecePlayer, usePiecePlayer } from './piece-player.ts';
import { isUnsurePiece, placeIn, type ShelfPiece } from './pieces.ts';
import { playerAct } from './player-keys.ts';

const FIELDS = 'input, select, textarea, dialog, [role="menu"], [popover]';

interface Keys {
  /** Further keys for the current piece. */
  of?: (piece: ShelfPiece) => Readonly<Record<string, () => void>>;
  /** The further keys, in words. */
  hint?: string;
  /** The number of pieces, in words. */
  count?: string | undefined;
}

/**
 * A player for a list of pieces, with the bar below the page and the keys that all such lists share.
 * @returns the player, and the element that plays, which belongs on the page
 */
export function useShelfPlayer(
  pieces: readonly ShelfPiece[],
  { of: keysOf, hint = '', count }: Keys = {},
): { player: PiecePlayer; audio: JSX.Element } {
  const player = usePiecePlayer(pieces);
  const act = (e: KeyboardEvent): void => {
    const target = e.target as Element;
    if (target.closest(FIELDS) || e.ctrlKey || e.metaKey || e.altKey) return;
    const piece = pieces[player.at];
    const own = piece && keysOf?.(piece)[e.key];
    const isToggle = e.key === ' ' && !handlesSpace(target);
    const run = isToggle ? player.toggle : (own ?? playerAct(e.key, player, pieces.length));
    if (!run) return;
    e.preventDefault();
    run();
  };
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => listenToKeys((e) => latest.current(e)), []);
  usePageFoot(pieces.length === 0 ? null : <PlayerBar pieces={pieces} player={player} hint={hint} count={count} />);
  return {
    player,
    // biome-ignore lint/a11y/useMediaCaption: the quotes on the page are the text of the recording
    audio: <audio ref={player.audio} preload="none" />,
  };
}

interface PlayButtonProps {
  player: PiecePlayer;
  index: number;
  /** The piece, in words. */
  name: string;
}

/** Plays or pauses one piece. */
export function PlayButton({ player, index, name }: PlayButtonProps) {
  const isCurrent = player.at === index;
  const isPlaying = isCurrent && player.isPlaying;
  return (
    <button
      type="button"
      class="btn icon play"
      aria-label={`${isPlaying ? 'Pause' : 'Play'}: ${name}`}
      title={isPlaying ? 'Pause' : 'Play'}
      onClick={() => (isCurrent ? player.toggle() : player.play(index))}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} size={16} />
    </button>
  );
}

interface PlayerBarProps {
  pieces: readonly ShelfPiece[];
  player: PiecePlayer;
  hint: string;
  count: string | undefined;
}

function PlayerBar({ pieces, player, hint, count }: PlayerBarProps) {
  const { at, isPlaying, time, playsOn } = player;
  const piece = pieces[at];
  const all = count ?? `${pieces.length} ${pieces.length === 1 ? 'piece' : 'pieces'}`;
  return (
    <section class="pbar2" aria-label="Player">
      <button
        type="button"
        class="btn icon pri"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        title={isPlaying ? 'Pause' : 'Play'}
        onClick={player.toggle}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} size={16} />
      </button>
      <span class="num">{piece ? `${at + 1} of ${pieces.length}` : all}</span>
      <span class="track" aria-hidden="true">
        <i style={{ width: `${piece ? placeIn(piece, time) : 0}%` }} />
      </span>
      <span class="num">{clock(piece ? time : pieces.reduce((sum, { from, to }) => sum + to - from, 0))}</span>
      <button
        type="button"
        class={playsOn ? 'btn sm pri' : 'btn sm'}
        aria-pressed={playsOn}
        title="When a piece ends, the next one plays"
        onClick={() => player.setPlaysOn(!playsOn)}
      >
        {playsOn && <Icon name="check" size={14} />} One after another
      </button>
      <span class="keys1 muted">J next · K previous · Space play{hint}</span>
      <span class="vh" role="status">
        {piece &&
          `${piece.speaker ?? 'Nobody'}, ${recordedOn(piece.recorded)}${isUnsurePiece(piece) ? ', unsure' : ''}`}
      </span>
    </section>
  );
}
