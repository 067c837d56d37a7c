import type { PiecePlayer } from './piece-player.ts';

/** The act of a key in the player of a list with so many pieces; undefined for a key of something else. */
export function playerAct(
  key: string,
  player: Pick<PiecePlayer, 'at' | 'time' | 'playsOn' | 'play' | 'seek' | 'setPlaysOn'>,
  count: number,
): (() => void) | undefined {
  const { at, time, playsOn, play, seek, setPlaysOn } = player;
  if (key === 'j') return () => play(Math.min(at + 1, count - 1));
  if (key === 'k') return () => play(Math.max(at - 1, 0));
  if (key === 'a') return () => setPlaysOn(!playsOn);
  if (key === 'ArrowLeft') return () => seek(time - 5);
  if (key === 'ArrowRight') return () => seek(time + 5);
  return undefined;
}
