import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { PlaylistDetail } from '../../sdk/wire.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { clock, day } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Unready } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { LinkList } from './LinkList.tsx';
import { SharePlaylistDialog } from './ShareDialog.tsx';
import { pieceOfItem, type ShelfPiece } from './shelf/pieces.ts';
import { Shelf, Tool } from './shelf/Shelf.tsx';

const TITLE = 'Playlists';

/** All playlists. */
export function Playlists() {
  const { value, error, again } = useLoaded((signal) => service().playlists.list({ signal }), []);
  const [isAdding, setAdding] = useState(false);
  if (error !== undefined || !value) return <Unready title={TITLE} error={error} again={again} />;
  const add = async (form: FormData): Promise<undefined> => {
    await service().playlists.create(String(form.get('name') ?? '').trim());
    again();
  };
  return (
    <Page
      title={TITLE}
      lead="Pieces of conversations, to hear one after another."
      tools={
        <span class="row">
          <a class="btn ghost" href="/app/patterns">
            Patterns
          </a>
          <button type="button" class="btn" onClick={() => setAdding(true)}>
            <Icon name="plus" size={16} /> New playlist
          </button>
        </span>
      }
    >
      {value.length === 0 ? (
        <Empty>There are no playlists yet.</Empty>
      ) : (
        <LinkList
          name={TITLE}
          links={value.map(({ id, name, items, seconds, updated_at }) => ({
            href: `/app/playlists/${encodeURIComponent(id)}`,
            name,
            size: `${items} ${items === 1 ? 'piece' : 'pieces'} · ${clock(seconds)}`,
            when: day(updated_at),
          }))}
        />
      )}
      {isAdding && <NameDialog title="New playlist" name="" close={() => setAdding(false)} run={add} />}
    </Page>
  );
}

/** One playlist, heard piece by piece. */
export function PlaylistPage() {
  const { id = '' } = useRoute().params;
  const { route, query } = useLocation();
  const { value, error, again } = useLoaded((signal) => service().playlists.get(id, { signal }), [id]);
  const [dialog, setDialog] = useState<'name' | 'delete' | 'share' | ShelfPiece | undefined>(
    'share' in query ? 'share' : undefined,
  );
  if (error !== undefined || !value) return <Unready title="Playlist" error={error} again={again} />;
  const close = (): void => setDialog(undefined);
  const rename = async (form: FormData): Promise<undefined> => {
    await service().playlists.rename(id, String(form.get('name') ?? '').trim());
    again();
  };
  const remove = async (): Promise<undefined> => {
    await service().playlists.delete(id);
    say('Playlist deleted');
    route('/app/playlists');
  };
  const change = (done: Promise<unknown>): void => {
    done.then(again, (reason: unknown) => say(errorTextOf(reason).what));
  };
  return (
    <Page
      title={value.name}
      lead={`${value.items} ${value.items === 1 ? 'piece' : 'pieces'}, ${clock(value.seconds)}`}
      tools={
        <span class="row">
          <a class="btn ghost" href="/app/playlists">
            All playlists
          </a>
          {value.items > 0 && (
            <button type="button" class="btn" onClick={() => setDialog('share')}>
              Share
            </button>
          )}
          <button type="button" class="btn" onClick={() => setDialog('name')}>
            Rename
          </button>
          <button type="button" class="btn danger" onClick={() => setDialog('delete')}>
            Delete
          </button>
        </span>
      }
    >
      {value.items === 0 ? (
        <Empty>This playlist is empty.</Empty>
      ) : (
        <Pieces playlist={value} change={change} note={setDialog} />
      )}
      {dialog === 'name' && <NameDialog title="Rename" name={value.name} close={close} run={rename} />}
      {dialog === 'share' && <SharePlaylistDialog playlist={value} close={close} />}
      {dialog === 'delete' && (
        <Prompt title="Delete this playlist?" act="Delete" isDangerous close={close} run={remove}>
          <p>The conversations stay as they are.</p>
        </Prompt>
      )}
      {typeof dialog === 'object' && <NoteDialog playlist={id} piece={dialog} close={close} again={again} />}
    </Page>
  );
}

const Empty = ({ children }: { children: string }) => (
  <div class="card empty">
    <p>{children} Add pieces on the page Patterns.</p>
    <a class="btn pri" href="/app/patterns">
      Go to Patterns
    </a>
  </div>
);

interface PiecesProps {
  playlist: PlaylistDetail;
  change: (done: Promise<unknown>) => void;
  note: (piece: ShelfPiece) => void;
}

function Pieces({ playlist: { id, list }, change, note }: PiecesProps) {
  const move = (piece: ShelfPiece, position: number): void =>
    change(service().playlists.edit(id, piece.key, { position }));
  return (
    <Shelf
      pieces={list.map(pieceOfItem)}
      tools={(piece, i) => (
        <>
          <Tool icon="pen" label={`Note for this playlist: ${piece.quote}`} word="Note" run={() => note(piece)} />
          <Tool
            icon="upward"
            label={`Move up: ${piece.quote}`}
            word="Up"
            isOff={i === 0}
            run={() => move(piece, i - 1)}
          />
          <Tool
            icon="down"
            label={`Move down: ${piece.quote}`}
            word="Down"
            isOff={i === list.length - 1}
            run={() => move(piece, i + 1)}
          />
          <Tool
            icon="close"
            label={`Remove: ${piece.quote}`}
            run={() => change(service().playlists.remove(id, piece.key))}
          />
        </>
      )}
    />
  );
}

interface NameDialogProps {
  title: string;
  name: string;
  close: () => void;
  run: (form: FormData) => Promise<undefined>;
}

function NameDialog({ title, name, close, run }: NameDialogProps) {
  return (
    <Prompt title={title} act="Save" close={close} run={run}>
      <label class="field">
        <span>Name</span>
        <input class="inp" type="text" name="name" required maxLength={200} defaultValue={name} dir="auto" />
      </label>
    </Prompt>
  );
}

function NoteDialog(p: { playlist: string; piece: ShelfPiece; close: () => void; again: () => void }) {
  const run = async (form: FormData): Promise<undefined> => {
    await service().playlists.edit(p.playlist, p.piece.key, { note: String(form.get('note') ?? '').trim() });
    p.again();
  };
  return (
    <Prompt title="Note" act="Save" close={p.close} run={run}>
      <label class="field">
        <span>Note</span>
        <textarea class="inp" name="note" rows={3} maxLength={1000} dir="auto" defaultValue={p.piece.note} />
      </label>
    </Prompt>
  );
}
