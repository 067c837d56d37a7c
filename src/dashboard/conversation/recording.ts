import { useEffect, useRef, useState } from 'preact/hooks';
import type { SignedInService } from '../lib/session.ts';
import { mediaOf } from './stored.ts';

/** Why a recording cannot be played. */
export type PlaybackProblem = 'deleted' | 'unplayable';

/** The reason in a few words, in place of the controls that would play. */
export const NOT_PLAYABLE: Readonly<Record<PlaybackProblem, string>> = {
  deleted: 'No sound stored',
  unplayable: 'Cannot be played here',
};

export interface PlayableRecording {
  media: string | undefined;
  playbackProblem: PlaybackProblem | undefined;
  onMediaError: () => void;
}

/**
 * Loads the URL of a stored recording, and renews it when it expires. Reports when the recording no longer exists.
 *
 * @param version changes when another recording takes its place: a player keeps what it has of the one before
 */
export function useRecording(
  service: SignedInService,
  id: string,
  { token, version }: { token?: string; version?: string | undefined } = {},
): PlayableRecording {
  const [media, setMedia] = useState<string | undefined>(undefined);
  const [unheard, setUnheard] = useState<PlaybackProblem | undefined>(undefined);
  const listen = (): void => {
    mediaOf(service, id, token).then(setMedia, () => setUnheard('deleted'));
  };
  useEffect(() => {
    setUnheard(undefined);
    setMedia(undefined);
    listen();
  }, [id, version]);
  const latest = useRef(media);
  latest.current = media;
  const onMediaError = (): void => {
    if (media === undefined) return;
    why(media).then(
      (reason) => {
        // Another recording has taken its place meanwhile.
        if (latest.current !== media) return;
        if (reason !== 'over') setUnheard(reason);
        else if (token === undefined) listen();
      },
      // There was no response. The next attempt to play tries again.
      () => undefined,
    );
  };
  return { media: unheard ? undefined : media, playbackProblem: unheard, onMediaError };
}

/** An `<audio>` element reports only that it failed. */
async function why(media: string): Promise<PlaybackProblem | 'over'> {
  const answer = await fetch(media, { headers: { Range: 'bytes=0-0' } });
  await answer.body?.cancel();
  if (answer.ok) return 'unplayable';
  return answer.status === 404 ? 'deleted' : 'over';
}
