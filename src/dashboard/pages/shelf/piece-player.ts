import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { mediaOf, TOKEN_SECONDS } from '../../conversation/stored.ts';
import { errorTextOf } from '../../lib/error-texts.ts';
import { service } from '../../lib/session.ts';
import { say } from '../../lib/tip.tsx';
import type { ShelfPiece } from './pieces.ts';

/** Pause before the next piece when all are played, ms. */
const BETWEEN_MS = 600;
/** An address is renewed some time before its token expires, ms. */
const RENEW_MS = (TOKEN_SECONDS - 600) * 1000;

/** Errors of `play` that need no word. */
const QUIET = ['AbortError', 'NotAllowedError'];

export interface PiecePlayer {
  audio: RefObject<HTMLAudioElement | null>;
  /** Index of the current piece, -1 before the first. */
  at: number;
  isPlaying: boolean;
  /** Second of the recording. */
  time: number;
  playsOn: boolean;
  setPlaysOn: (on: boolean) => void;
  play: (index: number) => void;
  toggle: () => void;
  seek: (seconds: number) => void;
}

/** Plays pieces of recordings, one at a time, in one audio element, and loads the next one ahead. */
export function usePiecePlayer(pieces: readonly ShelfPiece[]): PiecePlayer {
  const audio = useRef<HTMLAudioElement>(null);
  const urls = useRef(new Map<string, { url: Promise<string>; until: number }>());
  /** Never plays. It loads the beginning of the next piece, which Chromium then has for the element that plays. */
  const ahead = useRef<HTMLAudioElement | undefined>(undefined);
  const turn = useRef(0);
  const [at, setAt] = useState(-1);
  const [isPlaying, setPlaying] = useState(false);
  const [time, setTime] = useState(0);
  const [playsOn, setPlaysOn] = useState(false);
  const current = pieces[at];

  const urlOf = ({ conversation: id, sound }: ShelfPiece): Promise<string> => {
    const known = urls.current.get(id);
    if (known && known.until > Date.now()) return known.url;
    const url = sound ? sound() : mediaOf(service(), id);
    urls.current.set(id, { url, until: sound ? Number.POSITIVE_INFINITY : Date.now() + RENEW_MS });
    url.catch(() => urls.current.delete(id));
    return url;
  };

  const loadAhead = async (piece: ShelfPiece, own: number): Promise<void> => {
    const url = await urlOf(piece);
    if (own !== turn.current) return;
    ahead.current ??= new Audio();
    if (ahead.current.getAttribute('src') !== url) ahead.current.src = url;
    ahead.current.currentTime = piece.from;
  };

  const play = (index: number): void => {
    const piece = pieces[index];
    if (!piece) return;
    const own = ++turn.current;
    setAt(index);
    setTime(piece.from);
    const start = async (): Promise<void> => {
      const url = await urlOf(piece);
      const element = audio.current;
      if (own !== turn.current || !element) return;
      if (element.getAttribute('src') !== url) element.src = url;
      element.currentTime = piece.from;
      await element.play();
      const next = pieces[index + 1];
      if (next) await loadAhead(next, own);
    };
    start().catch((error: unknown) => {
      // A newer choice interrupts the older one, and a page that was only just opened may not play by itself.
      if (own !== turn.current || QUIET.includes((error as Error).name)) return;
      say((error as Error).name === 'NotSupportedError' ? 'This recording cannot be played' : errorTextOf(error).what);
    });
  };

  const toggle = (): void => {
    const element = audio.current;
    if (!element || at < 0) play(0);
    else if (!element.paused) element.pause();
    else if (current && element.currentTime >= current.to) play(at);
    else element.play().catch(({ name }: Error) => name === 'AbortError' || play(at));
  };

  const seek = (seconds: number): void => {
    const element = audio.current;
    if (element && current) element.currentTime = Math.min(current.to, Math.max(current.from, seconds));
  };

  useEffect(() => () => ahead.current?.removeAttribute('src'), []);

  useEffect(() => {
    const element = audio.current;
    if (!element) return;
    let next: ReturnType<typeof setTimeout> | undefined;
    const tick = (): void => {
      setTime(element.currentTime);
      if (!current || element.paused || element.currentTime < current.to) return;
      element.pause();
      if (playsOn && at + 1 < pieces.length) next = setTimeout(() => play(at + 1), BETWEEN_MS);
    };
    const follow = (): void => setPlaying(!element.paused);
    element.addEventListener('timeupdate', tick);
    for (const name of ['play', 'pause', 'ended']) element.addEventListener(name, follow);
    return () => {
      clearTimeout(next);
      element.removeEventListener('timeupdate', tick);
      for (const name of ['play', 'pause', 'ended']) element.removeEventListener(name, follow);
    };
  }, [at, pieces, playsOn]);

  return { audio, at, isPlaying, time, playsOn, setPlaysOn, play, toggle, seek };
}
