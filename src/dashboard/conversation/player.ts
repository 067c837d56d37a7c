import { computed, signal } from '@preact/signals';
import { clamp } from '../lib/format.ts';
import { type ConversationView, lineAt } from './model.ts';
import type { PlaybackProblem } from './recording.ts';

export const RATES = [0.75, 1, 1.25, 1.5, 2] as const;
/** Length above which silences are skipped if the user asks for it, s. */
const LONG_SILENCE_S = 1;

/**
 * The playing position and its controls. Until the recording has loaded, the page's own clock advances the position. If
 * there is a reason why it cannot be played, positions can be chosen but nothing plays.
 */
export function createPlayer(conversation: ConversationView) {
  const { lines, duration } = conversation;
  const time = signal(0);
  const isPlaying = signal(false);
  const rate = signal<number>(1);
  const skipsSilence = signal(false);
  const problem = signal<PlaybackProblem | undefined>(undefined);
  const current = computed(() => lineAt(lines, time.value));
  /** Index of the line being spoken, or -1 during a silence. */
  const spoken = computed(() => {
    const line = lines[current.value];
    return line && time.value <= line.end + 0.4 ? line.index : -1;
  });
  let audio: HTMLAudioElement | undefined;
  let frame = 0;
  let last = 0;

  function seek(t: number): void {
    time.value = clamp(t, 0, duration);
    if (audio) audio.currentTime = time.value;
  }

  function step(now: number): void {
    if (!isPlaying.peek()) return;
    const past = Math.min(0.25, (now - last) / 1000);
    last = now;
    time.value = Math.min(duration, audio ? audio.currentTime : time.peek() + past * rate.peek());
    if (skipsSilence.peek()) skip();
    if (time.peek() >= duration - 0.01) pause();
    else frame = requestAnimationFrame(step);
  }

  function skip(): void {
    const at = current.peek();
    const line = lines[at];
    const next = lines[at + 1];
    const t = time.peek();
    if (next && (!line || t > line.end + 0.35) && next.start - t > LONG_SILENCE_S) seek(next.start - 0.2);
  }

  function pause(): void {
    isPlaying.value = false;
    audio?.pause();
    cancelAnimationFrame(frame);
  }

  function play(): void {
    if (isPlaying.peek() || problem.peek()) return;
    if (time.peek() >= duration - 0.05) seek(0);
    isPlaying.value = true;
    last = performance.now();
    frame = requestAnimationFrame(step);
    if (audio) start(audio);
  }

  function start(element: HTMLAudioElement): void {
    // A pause interrupts a start, and a later start must not end with it.
    element.play().catch(({ name }: Error) => name === 'AbortError' || pause());
  }

  return {
    time,
    isPlaying,
    rate,
    skipsSilence,
    problem,
    current,
    spoken,
    seek,
    play,
    toggle: () => (isPlaying.peek() ? pause() : play()),
    pause,
    setRate(value: number): void {
      rate.value = value;
      if (audio) audio.playbackRate = value;
    },
    faster(by: 1 | -1): void {
      const next = RATES[clamp(RATES.indexOf(rate.peek() as (typeof RATES)[number]) + by, 0, RATES.length - 1)];
      this.setRate(next ?? 1);
    },
    /** Goes to the start of the current line or, if that has just begun, to the start of the previous line. */
    back(): void {
      const at = Math.max(0, current.peek());
      const line = lines[at];
      if (line) seek(time.peek() - line.start > 1.2 ? line.start : lines[Math.max(0, at - 1)]!.start);
    },
    on(): void {
      const line = lines[Math.min(lines.length - 1, current.peek() + 1)];
      if (line) seek(line.start);
    },
    /** Attaches the audio element, if there is one. */
    listenTo(element: HTMLAudioElement | undefined): void {
      audio = element;
      if (!element) return;
      element.currentTime = time.peek();
      element.playbackRate = rate.peek();
      // Events come late: by then the user may have pressed the key again.
      element.addEventListener('pause', () => {
        if (element.paused && !element.ended) isPlaying.value = false;
      });
      element.addEventListener('play', () => element.paused || isPlaying.peek() || play());
      // The audio became available while playback was already running without it.
      if (isPlaying.peek()) start(element);
    },
    /** States why the recording cannot be played, or that it can be. */
    setProblem(reason: PlaybackProblem | undefined): void {
      problem.value = reason;
      if (reason && isPlaying.peek()) pause();
    },
    close(): void {
      pause();
      audio = undefined;
    },
  };
}
