import { type Signal, signal } from '@preact/signals';
import { Undertone } from '../../sdk/client.ts';
import { UndertoneError } from '../../sdk/error.ts';
import type { LiveCapture } from '../../sdk/live.ts';
import { Microphone } from '../../sdk/microphone.ts';
import workletUrl from '../../sdk/pcm-worklet.ts?worker&url';
import type { AffectMode } from '../../sdk/wire.ts';
import { type AnalysisEvents, createAnalysisEvents } from '../lib/analysis-events.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { key, optionsFor } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { chooseDevice, chosenDevice, findDevices } from './microphones.ts';

/** Interval between readings of the level, ms, and number of levels kept, which cover 5.6 s. */
const LEVEL_MS = 100;
const LEVELS = 56;
/**
 * Level (root mean square, 0..1) below which a microphone counts as silent, and the time after which that is reported,
 * ms.
 */
const SILENT_LEVEL = 1e-4;
const SILENT_MS = 5_000;

export type CaptureStatus = 'opening' | 'live' | 'finishing' | 'done' | 'cancelled' | 'failed';

/** A running capture. It continues while other pages are open. */
export interface PageCapture {
  events: AnalysisEvents;
  status: Signal<CaptureStatus>;
  error: Signal<unknown>;
  /** Recent levels of the microphone, 0 to 1, newest last. */
  levels: Signal<readonly number[]>;
  isMuted: Signal<boolean>;
  /** Whether the microphone has delivered no sound for some seconds. */
  isSilent: Signal<boolean>;
  /** Seconds recorded so far. */
  seconds: Signal<number>;
  chunks: Signal<number>;
  /** Seconds of audio that are still to be sent. */
  owed: Signal<number>;
  /** Time at which the connection was lost, Unix time, ms. */
  lostAt: Signal<number | undefined>;
  /** Name of the microphone that records. Empty while there is none. */
  device: Signal<string>;
  /** Name of a microphone that disappeared. */
  lostDevice: Signal<string | undefined>;
  /** Changes the microphone. Without an id the browser chooses. */
  switchTo: (deviceId: string | undefined) => void;
  mute: () => void;
  finish: () => void;
  cancel: () => void;
}

export const currentCapture = signal<PageCapture | undefined>(undefined);

/** Opens the microphone and sends its audio. Call it from a click handler. */
export function capture(options: {
  goal: string | undefined;
  affect: AffectMode;
  speakers: number | undefined;
  words: string[] | undefined;
}): PageCapture {
  const heard = createAnalysisEvents();
  const standing = signal<CaptureStatus>('opening');
  const error = signal<unknown>(undefined);
  const levels = signal<readonly number[]>([]);
  const isMuted = signal(false);
  const isSilent = signal(false);
  let soundAt = Date.now();
  const seconds = signal(0);
  const chunks = signal(0);
  const owed = signal(0);
  const lostAt = signal<number | undefined>(undefined);
  const device = signal('');
  const lostDevice = signal<string | undefined>(undefined);
  let isSwitching = false;
  let microphone: Microphone | undefined;
  let live: LiveCapture | undefined;
  let timer = 0;
  let bytes = 0;

  const isOver = (): boolean => ['done', 'cancelled', 'failed'].includes(standing.peek());
  const end = (how: CaptureStatus, reason?: unknown): void => {
    clearInterval(timer);
    microphone?.stop();
    if (isOver()) return;
    error.value = reason;
    standing.value = how;
  };
  const look = (startedAt: number): void => {
    if (standing.peek() === 'live') {
      seconds.value = (Date.now() - startedAt) / 1000;
      if (isMuted.peek() || (microphone?.level ?? 0) > SILENT_LEVEL) soundAt = Date.now();
      isSilent.value = Date.now() - soundAt > SILENT_MS;
      levels.value = [...levels.peek().slice(1 - LEVELS), isMuted.peek() ? 0 : (microphone?.level ?? 0)];
    }
    const waiting = live?.queuedBytes ?? 0;
    owed.value = bytes > 0 ? (waiting / bytes) * seconds.peek() : 0;
  };
  const send = async (from: Microphone, to: LiveCapture): Promise<void> => {
    for await (const chunk of from) {
      bytes += chunk.size;
      await to.send(chunk);
    }
    if (!isOver()) await to.finalize();
  };
  const read = async (from: LiveCapture): Promise<void> => {
    for await (const event of from) {
      lostAt.value = undefined;
      heard.take(event);
    }
    if (heard.doneId.peek() !== undefined) end('done');
  };
  const onDevice = ({ label = '' }: { label?: string }): void => {
    // The end of its track and the change of devices both report a lost device.
    if (label === device.peek()) return;
    if (!isSwitching && device.peek() !== '') lostDevice.value = device.peek();
    device.value = label;
    if (label === lostDevice.peek()) lostDevice.value = undefined;
  };
  /** Opens the chosen microphone, or another one if that is not connected. */
  const open = async (): Promise<Microphone> => {
    await findDevices();
    const chosen = chosenDevice.peek();
    try {
      return await Microphone.open({ workletUrl, onDevice, ...(chosen && { deviceId: chosen.id }) });
    } catch (reason) {
      const isGone = chosen && reason instanceof UndertoneError && reason.code === 'MICROPHONE_UNAVAILABLE';
      if (!isGone) throw reason;
      lostDevice.value = chosen.label;
      return Microphone.open({ workletUrl, onDevice });
    }
  };
  const change = async (deviceId: string | undefined): Promise<void> => {
    isSwitching = true;
    try {
      await microphone?.switchTo(deviceId);
      chooseDevice(deviceId);
      lostDevice.value = undefined;
      soundAt = Date.now();
    } catch (reason) {
      say(errorTextOf(reason).what);
    }
    isSwitching = false;
  };
  const begin = async (): Promise<void> => {
    microphone = await open();
    void findDevices();
    device.value = microphone.device.label ?? '';
    const undertone = new Undertone(
      optionsFor(key.peek(), {
        onRetry: () => {
          lostAt.value ??= Date.now();
        },
      }),
    );
    live = await undertone.live.start({
      ...options,
      suffix: microphone.suffix,
      onProgress: ({ chunk_seq }) => {
        chunks.value = chunk_seq + 1;
        lostAt.value = undefined;
      },
    });
    standing.value = 'live';
    const startedAt = Date.now();
    soundAt = startedAt;
    timer = window.setInterval(() => look(startedAt), LEVEL_MS);
    await Promise.all([send(microphone, live), read(live)]);
  };
  begin().catch((reason: unknown) => end('failed', reason));

  const made: PageCapture = {
    ...{ events: heard, status: standing, error, levels, isMuted, isSilent, seconds, chunks, owed, lostAt },
    ...{ device, lostDevice },
    switchTo: (deviceId) => void change(deviceId),
    mute() {
      isMuted.value = !isMuted.peek();
      if (microphone) microphone.muted = isMuted.peek();
    },
    finish() {
      standing.value = 'finishing';
      microphone?.stop();
    },
    cancel() {
      end('cancelled');
      live?.cancel('by hand').catch(() => undefined);
    },
  };
  currentCapture.value = made;
  return made;
}
