import { useState } from 'preact/hooks';
import { ErrorMessage } from '../../lib/error-message.tsx';
import { clock } from '../../lib/format.ts';
import { useLoaded } from '../../lib/load.ts';
import { Prompt } from '../../lib/prompt.tsx';
import { service } from '../../lib/session.ts';
import { say } from '../../lib/tip.tsx';
import { addTo, lastPlaylist } from './last-playlist.ts';
import type { ShelfPiece } from './pieces.ts';

interface PieceDialog {
  piece: ShelfPiece;
  close: () => void;
}

const NEW = '';
/** A field that appears after its dialog. */
const toField = (field: HTMLInputElement | null): void => field?.focus();

export function ToPlaylist({ piece, close }: PieceDialog) {
  const { value, error, again } = useLoaded((signal) => service().playlists.list({ signal }), []);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const list =
    value?.find(({ id }) => id === (chosen ?? lastPlaylist()?.id)) ?? (chosen === NEW ? undefined : value?.[0]);
  const run = async (form: FormData): Promise<undefined> => {
    await addTo(list ?? (await service().playlists.create(String(form.get('name') ?? '').trim())), piece);
  };
  return (
    <Prompt title="Add to a playlist" act="Add" close={close} run={run} isReady={value !== undefined}>
      {error !== undefined && <ErrorMessage error={error} retry={again} />}
      {value && value.length > 0 && (
        <label class="field">
          <span>Playlist</span>
          <select class="inp" value={list?.id ?? NEW} onChange={(e) => setChosen(e.currentTarget.value)}>
            {value.map(({ id, name, items }) => (
              <option key={id} value={id}>
                {name} ({items})
              </option>
            ))}
            <option value={NEW}>A new playlist</option>
          </select>
        </label>
      )}
      {value && !list && (
        <label class="field">
          <span>Name of the new playlist</span>
          <input ref={toField} class="inp" type="text" name="name" required maxLength={200} dir="auto" />
        </label>
      )}
    </Prompt>
  );
}

export function CommentOnPiece({ piece, close }: PieceDialog) {
  const run = async (form: FormData): Promise<undefined> => {
    const text = String(form.get('text') ?? '').trim();
    await service().conversations.addComment(piece.conversation, { at: piece.at, text });
    say('Comment saved');
  };
  return (
    <Prompt title={`Comment at ${clock(piece.at)}`} act="Save" close={close} run={run}>
      <label class="field">
        <span>Comment</span>
        <textarea class="inp" name="text" rows={3} required maxLength={1000} dir="auto" />
        <small>It is shown at this second on the page of the conversation.</small>
      </label>
    </Prompt>
  );
}
