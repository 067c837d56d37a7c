import '../style/sharing.css';
import { useState } from 'preact/hooks';
import type { Playlist, Share, ShareOpen } from '../../sdk/wire.ts';
import { TOKEN_SECONDS } from '../conversation/stored.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { clock, day, shortDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Prompt } from '../lib/prompt.tsx';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

const DAY_S = 86_400;
/** A link for up to an hour has a browser token, which nobody can take back. One for days is a share. */
const TIMES = [
  [600, '10 minutes'],
  [TOKEN_SECONDS, '1 hour'],
  [DAY_S, '1 day'],
  [7 * DAY_S, '7 days'],
  [30 * DAY_S, '30 days'],
] as const;

const USUAL_S = 7 * DAY_S;

interface Link {
  url: string;
  until: string;
  isShare: boolean;
}

/** The target of a link. */
type Shared = { conversation_id: string } | { playlist_id: string };

/** Makes links to a conversation, lists its shares, and takes them back. */
export function ShareDialog({ id, close }: { id: string; close: () => void }) {
  const [link, setLink] = useState<Link | undefined>(undefined);
  if (link) return <MadeLink {...link} close={close} />;
  const run = async (form: FormData): Promise<'stay'> => {
    setLink(await linkTo(id, Number(form.get('ttl'))));
    return 'stay';
  };
  return (
    <Prompt title="Share a link" act="Make a link" close={close} run={run}>
      <label class="field">
        <span>The link works for</span>
        <select class="inp" name="ttl">
          {TIMES.map(([seconds, name]) => (
            <option key={seconds} value={seconds} selected={seconds === USUAL_S}>
              {name}
            </option>
          ))}
        </select>
        <small>Anyone with the link can read and hear this conversation, and nothing else.</small>
      </label>
      <SharesOf of={{ conversation_id: id }} />
    </Prompt>
  );
}

/** Makes links to the pieces of a playlist, lists them, and takes them back. */
export function SharePlaylistDialog({ playlist, close }: { playlist: Playlist; close: () => void }) {
  const [link, setLink] = useState<Link | undefined>(undefined);
  if (link) return <MadeLink {...link} close={close} of={{ playlist_id: playlist.id }} />;
  const run = async (form: FormData): Promise<'stay'> => {
    const share = { days: Number(form.get('days')), hide_names: form.get('names') !== null };
    const made = await service().playlists.share(playlist.id, share);
    setLink({ url: new URL(made.path, location.origin).href, until: made.expires_at, isShare: true });
    return 'stay';
  };
  return (
    <Prompt title="Share this playlist" act="Make a link" close={close} run={run}>
      <p>
        Anyone with the link hears {playlist.items === 1 ? 'this piece' : `these ${playlist.items} pieces`} and reads
        their quotes and notes, and nothing else of the conversations. Pieces that you add later are left out.
      </p>
      <label class="field">
        <span>The link works for</span>
        <select class="inp" name="days">
          {[1, 7, 30].map((days) => (
            <option key={days} value={days} selected={days === USUAL_S / DAY_S}>
              {days} {days === 1 ? 'day' : 'days'}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" name="names" defaultChecked /> Hide the names of speakers and the titles
      </label>
      <SharesOf of={{ playlist_id: playlist.id }} />
    </Prompt>
  );
}

/** The token follows the `#`, because browsers do not send that part to servers. */
async function linkTo(id: string, seconds: number): Promise<Link> {
  if (seconds >= DAY_S) {
    const made = await service().shares.create({ conversation_id: id, days: seconds / DAY_S });
    return { url: new URL(made.path, location.origin).href, until: made.expires_at, isShare: true };
  }
  const made = await service().tokens.mint({ for: { conversation: id }, ttl_seconds: seconds });
  const url = `${location.origin}/app/shared/${encodeURIComponent(id)}#token=${encodeURIComponent(made.token)}`;
  return { url, until: made.expires_at, isShare: false };
}

function MadeLink({ url, until, isShare, close, of }: Link & { close: () => void; of?: Shared }) {
  const copy = async (): Promise<undefined> => {
    await navigator.clipboard.writeText(url);
    say('Copied');
  };
  const end = isShare ? day(until) : new Date(until).toLocaleTimeString('en-GB', { timeStyle: 'short' });
  return (
    <Prompt title="Share a link" act="Copy the link" out="Close" close={close} run={copy}>
      <label class="field">
        <span>Link</span>
        <input class="inp mono" readOnly value={url} onFocus={(e) => e.currentTarget.select()} />
        <small>The link works until {end}, without a key, for anyone who has it. It is shown only now.</small>
      </label>
      <div class="notice warn">
        <Icon name="warning" size={16} />
        <span>
          Anyone with the link can listen to the recording.{' '}
          {isShare
            ? 'It can be taken back in this dialog at any time.'
            : 'To withdraw it before it expires, revoke the key.'}
        </span>
      </div>
      {of && <SharesOf of={of} />}
    </Prompt>
  );
}

function SharesOf({ of }: { of: Shared }) {
  const { value, error, again } = useLoaded(
    async (signal) => (await service().shares.list({ ...of, signal })).shares,
    Object.values(of),
  );
  if (error !== undefined) return <ErrorMessage error={error} retry={again} />;
  if (!value || value.length === 0) return null;
  return (
    <section class="shares" aria-label="Links that were made">
      <h3>Links that were made</h3>
      <ul>
        {value.map((share) => (
          <ShareRow key={share.id} share={share} again={again} />
        ))}
      </ul>
    </section>
  );
}

function ShareRow({ share, again }: { share: Share; again: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const takeBack = async (): Promise<void> => {
    try {
      await service().shares.revoke(share.id);
      say('The link no longer works');
      again();
    } catch (reason) {
      setError(reason);
    }
  };
  const made = day(share.created_at);
  return (
    <li>
      <div class="row">
        <span class="told">
          <b>Made on {made}</b>
          {share.label !== null && <bdi>, {share.label}</bdi>}
          <small>{stateOf(share)}</small>
        </span>
        {share.opens > 0 && (
          <button type="button" class="btn sm ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Opened {share.opens === 1 ? 'once' : `${share.opens} times`}
          </button>
        )}
        {share.status === 'active' && (
          <button
            type="button"
            class="btn sm"
            aria-label={`Take it back: the link of ${made}`}
            onClick={() => void takeBack()}
          >
            Take it back
          </button>
        )}
      </div>
      {error !== undefined && <ErrorMessage error={error} />}
      {isOpen && <Opens id={share.id} />}
    </li>
  );
}

function stateOf({ status, expires_at, revoked_at, opens }: Share): string {
  const seen = opens === 0 ? ', never opened' : '';
  if (revoked_at !== null) return `Taken back on ${day(revoked_at)}${seen}`;
  return `${status === 'active' ? 'Works until' : 'Ended on'} ${day(expires_at)}${seen}`;
}

/** Requests that were made with a link. */
function Opens({ id }: { id: string }) {
  const { value, error, again } = useLoaded(
    async (signal) => (await service().shares.opens(id, { limit: 20, signal })).opens,
    [id],
  );
  if (error !== undefined) return <ErrorMessage error={error} retry={again} />;
  return (
    <ol class="opens" aria-label="Opened by">
      {value?.map((open) => (
        <li key={open.id}>
          <span class="num">{shortDay(open.until)}</span> <span>{deedOf(open)}</span>{' '}
          <span class="mono muted">{open.address_prefix}</span>
        </li>
      ))}
    </ol>
  );
}

function deedOf({ act, from_s, to_s }: ShareOpen): string {
  if (act === 'exported') return 'exported';
  if (act === 'opened') return 'opened';
  const part = from_s === null || to_s === null ? '' : ` ${clock(from_s)} to ${clock(to_s)}`;
  return `requested the recording${part}`;
}
