import type { Playlist } from '../../../sdk/wire.ts';
import { errorTextOf } from '../../lib/error-texts.ts';
import { service } from '../../lib/session.ts';
import { say } from '../../lib/tip.tsx';
import type { ShelfPiece } from './pieces.ts';

/** The playlist to which this tab added last. */
let last: Pick<Playlist, 'id' | 'name'> | undefined;

export const lastPlaylist = () => last;

/** Adds a piece to a playlist. */
export async function addTo(
  list: Pick<Playlist, 'id' | 'name'>,
  { conversation, from, to }: ShelfPiece,
): Promise<void> {
  await service().playlists.add(list.id, { conversation_id: conversation, from, to });
  last = list;
  say(`Added to ${list.name}`);
}

/** Adds a piece to the last playlist. @returns whether there is one */
export async function addToLast(piece: ShelfPiece): Promise<boolean> {
  if (!last) return false;
  try {
    await addTo(last, piece);
  } catch (error) {
    last = undefined;
    say(errorTextOf(error).what);
  }
  return true;
}
