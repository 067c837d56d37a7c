import { useEffect, useRef, useState } from 'preact/hooks';
import type { Service } from '../lib/service.ts';
import { mediaOf } from './stored.ts';

/** Why nothing can be heard. */
export type Unheard = 'deleted' | 'unplayable';

export interface Recording {
  media: string | undefined;
  unheard: Unheard | undefined;
  onMediaError: () => void;
}

/** Where a stored conversation's recording is heard: asked for again when its address is over, and told when it is gone. */
export function useRecording(service: Service, id: string, token?: string): Recording {
  const [media, setMedia] = useState<string | undefined>(undefined);
  const [unheard, setUnheard] = useState<Unheard | undefined>(undefined);
  const tries = useRef(0);
  const listen = (): void => {
    mediaOf(service, id, token).then(setMedia, () => setUnheard('deleted'));
  };
  useEffect(() => {
    tries.current = 0;
    setUnheard(undefined);
    listen();
  }, [id]);
  const onMediaError = (): void => {
    tries.current += 1;
    if (tries.current === 1 && token === undefined) listen();
    else if (media !== undefined) void why(media).then(setUnheard);
  };
  return { media: unheard ? undefined : media, unheard, onMediaError };
}

async function why(media: string): Promise<Unheard> {
  const answer = await fetch(media, { headers: { Range: 'bytes=0-0' } });
  await answer.body?.cancel();
  return answer.ok ? 'unplayable' : 'deleted';
}
