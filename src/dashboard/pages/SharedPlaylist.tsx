import { useMemo } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { SharedPiece } from '../../sdk/wire.ts';
import { clock, day, recordedOn, shortened } from '../lib/format.ts';
import { useLoaded } from '../lib/load.ts';
import { Opening } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import type { SignedInService } from '../lib/session.ts';
import { speakerName } from '../lib/speaker-names.ts';
import { LinkFailed, useShared } from './shared.tsx';
import type { ShelfPiece } from './shelf/pieces.ts';
import { PlayButton, useShelfPlayer } from './shelf/shelf-player.tsx';

/** Explains why conversations are numbered and people are letters. */
const HIDDEN = ' Names and titles were left out by the person who shared it.';
const ANEW = ' Letters start anew in each conversation: “Speaker A” may be another person in the next.';

/** A playlist opened through a link. Its pieces can be read and played as long as the link is valid. */
export function SharedPlaylist() {
  const { id = '' } = useRoute().params;
  const { shared } = useShared();
  const { value, error, again } = useLoaded((signal) => shared.playlists.pieces(id, { signal }), [id]);
  const pieces = useMemo(() => value?.pieces.map((piece) => heard(shared, id, piece)) ?? [], [value]);
  const { player, audio } = useShelfPlayer(pieces);
  if (error !== undefined) return <LinkFailed title="This playlist cannot be shown" error={error} again={again} />;
  if (!value) return <Opening title="Playlist" />;
  const seconds = value.pieces.reduce((sum, piece) => sum + piece.seconds, 0);
  const isOfSeveral = new Set(value.pieces.map(({ conversation }) => conversation)).size > 1;
  const until = value.expires_at === null ? '' : `. The link works until ${day(value.expires_at)}.`;
  return (
    <Page
      title={value.name}
      lead={`${pieces.length} ${pieces.length === 1 ? 'piece' : 'pieces'}, ${clock(seconds)}${until}${value.hide_names ? HIDDEN + (isOfSeveral ? ANEW : '') : ''}`}
    >
      {pieces.length === 0 ? (
        <div class="card empty">
          <p>The pieces of this playlist no longer exist.</p>
        </div>
      ) : (
        <div class="shelf">
          <ol aria-label="Pieces">
            {pieces.map((piece, i) => (
              <li key={piece.key} class={player.at === i ? 'now' : ''} aria-current={player.at === i}>
                <PlayButton player={player} index={i} name={shortened(piece.quote, 60)} />
                <div class="said">
                  <p class="who">
                    {piece.speaker !== null && (
                      <b>
                        <bdi>{speakerName(piece.speaker)}</bdi>
                      </b>
                    )}
                    <bdi>{piece.title}</bdi>
                    <span class="num">{recordedOn(piece.recorded)}</span>
                    <span class="num">lasts {clock(piece.to)}</span>
                  </p>
                  <p class="quote" dir="auto">
                    {piece.quote}
                  </p>
                  {piece.note !== '' && <p class="note">{piece.note}</p>}
                </div>
              </li>
            ))}
          </ol>
        </div>
      )}
      {audio}
    </Page>
  );
}

/** A shared piece is a recording of its own, which begins at 0. */
function heard({ playlists }: SignedInService, playlist: string, piece: SharedPiece): ShelfPiece {
  return {
    key: piece.id,
    conversation: piece.id,
    sound: async () => URL.createObjectURL(await playlists.media(playlist, piece.id)),
    title: piece.title ?? `Conversation ${piece.conversation}`,
    recorded: piece,
    speaker: piece.speaker && speakerName(piece.speaker),
    role: null,
    quote: piece.quote ?? 'No utterance begins in this piece.',
    at: 0,
    from: 0,
    to: piece.seconds,
    before: null,
    after: null,
    around: [],
    moment: null,
    outcome: null,
    note: piece.note,
  };
}
