import { UndertoneError } from './error.ts';
import type { LiveCapture } from './live.ts';
import { PCM_WORKLET } from './pcm-worklet-source.ts';
import type { LiveExtension } from './wire.ts';

export interface MicrophoneOptions {
  /** A device from `Microphone.devices()`. By default, the browser chooses one. */
  deviceId?: string;
  /**
   * The format. The default is the best one that works in this page. `pcm` needs no codec but eight times as many
   * bytes.
   */
  format?: MicrophoneFormat;
  /**
   * Milliseconds of audio per chunk. The default is 250; `pipeTo` then joins chunks to the length that the service asks
   * for.
   */
  chunkMs?: number;
  /**
   * Further constraints. The browser's audio processing is off by default, because it changes loudness and tone, which
   * are measured. Switch on `echoCancellation` if the page plays the other side through loudspeakers.
   */
  constraints?: MediaTrackConstraints;
  /** Aborting it releases the microphone immediately. */
  signal?: AbortSignal;
  /**
   * Called when the device was lost or changed. While there is no device, silence is recorded, so that times stay
   * correct.
   */
  onDevice?: (device: MicrophoneDevice) => void;
  /**
   * The URL of this package's `pcm-worklet.js`. By default it is expected beside the module, where most bundlers put
   * it. If it is not there, a `blob:` URL is used, which a strict Content-Security-Policy refuses.
   */
  workletUrl?: string | URL;
}

export type MicrophoneFormat = keyof typeof FORMATS;

export interface MicrophoneDevice {
  /** Absent as long as there is no device. */
  deviceId?: string;
  label?: string;
}

/** Recording formats that can be decoded as a stream, from best to worst. */
const FORMATS = {
  webm: { suffix: '.webm', type: 'audio/webm;codecs=opus' },
  ogg: { suffix: '.ogg', type: 'audio/ogg;codecs=opus' },
  pcm: { suffix: '.pcm', type: null },
  mp4: { suffix: '.mp4', type: 'audio/mp4' },
} as const satisfies Record<string, { suffix: LiveExtension; type: string | null }>;

const CHUNK_MS = 250;
const PCM_HZ = 16_000;
const UNPROCESSED = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/**
 * A browser's microphone as one stream of bytes for a live session. A Web Audio graph connects device and recorder, so that
 * the stream continues when the device changes or is muted.
 *
 * @example
 * const microphone = await Microphone.open();
 * const capture = await undertone.live.start({ suffix: microphone.suffix });
 * const sending = microphone.pipeTo(capture);
 * sending.catch((error) => console.error(error.message));
 * stopButton.onclick = () => microphone.stop();
 * for await (const event of capture) console.log(event.event);
 * await sending;
 */
export class Microphone implements AsyncIterable<Blob> {
  /** The `suffix` to open the session with. */
  readonly suffix: LiveExtension;
  readonly #options: MicrophoneOptions;
  readonly #context: AudioContext;
  readonly #gain: GainNode;
  readonly #analyser: AnalyserNode;
  readonly #samples: Float32Array<ArrayBuffer>;
  readonly #chunks = new Chunks();
  #stream: MediaStream | undefined;
  #source: MediaStreamAudioSourceNode | undefined;
  #endRecording: () => void = () => undefined;
  #stopped = false;

  private constructor(options: MicrophoneOptions, format: MicrophoneFormat, context: AudioContext) {
    this.#options = options;
    this.suffix = FORMATS[format].suffix;
    this.#context = context;
    this.#gain = context.createGain();
    this.#analyser = context.createAnalyser();
    this.#samples = new Float32Array(this.#analyser.fftSize);
    this.#gain.connect(this.#analyser);
  }

  /** The available microphones; their names are empty until the page has permission to use one. */
  static async devices(): Promise<MediaDeviceInfo[]> {
    const devices = await mediaDevices().enumerateDevices();
    return devices.filter(({ kind }) => kind === 'audioinput');
  }

  /** Whether the page may use the microphone; `prompt` if the browser would ask. */
  static async permission(): Promise<PermissionState> {
    try {
      return (await navigator.permissions.query({ name: 'microphone' as PermissionName })).state;
    } catch {
      return 'prompt';
    }
  }

  /**
   * Requests the microphone and starts recording. Chunks are buffered until they are read. Call this in a click
   * handler.
   * @throws UndertoneError MICROPHONE_REFUSED, MICROPHONE_UNAVAILABLE or MICROPHONE_UNSUPPORTED
   */
  static async open(options: MicrophoneOptions = {}): Promise<Microphone> {
    options.signal?.throwIfAborted();
    const formats = options.format === undefined ? recordableFormats() : [options.format];
    const stream = await deviceStream(options.deviceId, options.constraints);
    let microphone: Microphone;
    try {
      microphone = await Microphone.#recording(stream, options, formats);
      options.signal?.throwIfAborted();
    } catch (cause) {
      for (const track of stream.getTracks()) track.stop();
      options.signal?.throwIfAborted();
      throw cause;
    }
    options.signal?.addEventListener('abort', () => microphone.#abandon(), { once: true });
    mediaDevices().addEventListener('devicechange', microphone.#onDeviceChange);
    const context = microphone.#context;
    context.onstatechange = () => {
      // A telephone call interrupts the context.
      if (!microphone.#stopped && context.state !== 'running') void context.resume().catch(() => undefined);
    };
    return microphone;
  }

  /** A microphone that records in the first format that works. @throws UndertoneError about the first format */
  static async #recording(
    stream: MediaStream,
    options: MicrophoneOptions,
    formats: readonly MicrophoneFormat[],
  ): Promise<Microphone> {
    const failures: UndertoneError[] = [];
    for (const format of formats) {
      const context = new AudioContext(FORMATS[format].type === null ? { sampleRate: PCM_HZ } : {});
      const microphone = new Microphone(options, format, context);
      try {
        microphone.#connect(stream);
        await context.resume();
        await microphone.#record(format);
        return microphone;
      } catch (cause) {
        microphone.#stopped = true;
        await context.close();
        const unsupported = `This browser cannot record ${format}`;
        failures.push(
          cause instanceof UndertoneError
            ? cause
            : new UndertoneError('MICROPHONE_UNSUPPORTED', unsupported, { cause }),
        );
      }
    }
    throw failures[0] ?? new UndertoneError('MICROPHONE_UNSUPPORTED', 'This browser cannot record audio');
  }

  /** The current device. */
  get device(): MicrophoneDevice {
    const track = this.#stream?.getAudioTracks()[0];
    const deviceId = track?.getSettings().deviceId;
    return track ? { label: track.label, ...(deviceId !== undefined && { deviceId }) } : {};
  }

  /** Current loudness, 0 to 1: the root mean square of the last few hundredths of a second. */
  get level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length;
    return Math.min(1, Math.sqrt(power));
  }

  /** Whether silence is recorded because there is no device. */
  get muted(): boolean {
    return this.#gain.gain.value === 0;
  }

  set muted(isMuted: boolean) {
    this.#gain.gain.value = isMuted ? 0 : 1;
  }

  /**
   * Switches to another device. Without an id, the browser chooses one.
   * @throws UndertoneError if it cannot be opened; the old device is then kept
   */
  async switchTo(deviceId?: string): Promise<void> {
    this.#connect(await deviceStream(deviceId, this.#options.constraints));
    this.#options.onDevice?.(this.device);
  }

  /** The recorded chunks as one stream of bytes, until `stop`. @throws the reason of its signal */
  [Symbol.asyncIterator](): AsyncGenerator<Blob, void> {
    return this.#chunks.all();
  }

  /**
   * Sends all chunks to a live session and finalizes it when the microphone is stopped. Unless the page chose `chunkMs`,
   * chunks are joined to the length that the service asks for (`chunk_ms` of the session).
   */
  async pipeTo(capture: LiveCapture): Promise<void> {
    const wishedMs = this.#options.chunkMs === undefined ? (capture.session.chunk_ms ?? CHUNK_MS) : 0;
    const together = Math.max(1, Math.round(wishedMs / CHUNK_MS));
    let waiting: Blob[] = [];
    for await (const chunk of this) {
      waiting.push(chunk);
      if (waiting.length < together) continue;
      await capture.send(new Blob(waiting));
      waiting = [];
    }
    await capture.send(new Blob(waiting));
    await capture.finalize();
  }

  /** Releases the microphone; recorded chunks can still be read. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#endRecording();
    this.#release();
  }

  /** Connects a device instead of the previous one. */
  #connect(stream: MediaStream): void {
    const [track] = stream.getAudioTracks();
    const source = this.#context.createMediaStreamSource(stream);
    source.connect(this.#gain);
    this.#disconnect();
    this.#stream = stream;
    this.#source = source;
    track?.addEventListener('ended', () => stream === this.#stream && void this.#replace());
  }

  #disconnect(): void {
    this.#source?.disconnect();
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#source = undefined;
    this.#stream = undefined;
  }

  readonly #onDeviceChange = (): void => {
    if (this.#stream === undefined) void this.#replace();
  };

  /** Replaces a lost device with the browser's choice, immediately or once a device is available again. */
  async #replace(): Promise<void> {
    this.#disconnect();
    if (this.#stopped) return;
    const stream = await deviceStream(undefined, this.#options.constraints).catch(() => undefined);
    if (stream) this.#connect(stream);
    if (this.#stopped) this.#disconnect();
    else this.#options.onDevice?.(this.device);
  }

  async #record(format: MicrophoneFormat): Promise<void> {
    const { type } = FORMATS[format];
    const chunkMs = this.#options.chunkMs ?? CHUNK_MS;
    if (type === null) return this.#recordSamples(chunkMs);
    const destination = this.#context.createMediaStreamDestination();
    destination.channelCount = 1;
    this.#gain.connect(destination);
    const recorder = new MediaRecorder(destination.stream, { mimeType: type });
    recorder.ondataavailable = ({ data }) => this.#chunks.add(data);
    recorder.onstop = () => this.#chunks.end();
    recorder.start(chunkMs);
    this.#endRecording = () => recorder.stop();
  }

  /** Records 16-bit samples at 16 kHz, mono. */
  async #recordSamples(chunkMs: number): Promise<void> {
    await addWorklet(this.#context, this.#options.workletUrl);
    const node = new AudioWorkletNode(this.#context, 'undertone-pcm', {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: 'explicit',
      processorOptions: { samples: Math.round((chunkMs / 1000) * PCM_HZ) },
    });
    this.#gain.connect(node);
    node.port.onmessage = ({ data }: MessageEvent<ArrayBuffer | null>) => {
      if (data === null) this.#chunks.end();
      else this.#chunks.add(new Blob([data]));
    };
    this.#endRecording = () => node.port.postMessage('end');
  }

  #abandon(): void {
    this.#chunks.fail(this.#options.signal?.reason);
    this.stop();
  }

  #release(): void {
    mediaDevices().removeEventListener('devicechange', this.#onDeviceChange);
    this.#disconnect();
    // The last samples have not arrived yet.
    void this.#chunks.ended.then(() => this.#context.close());
  }
}

/** A queue of chunks between the recorder and the sender. */
class Chunks {
  #queue: Blob[] = [];
  #isOver = false;
  #failure: { reason: unknown } | undefined;
  #wake: () => void = () => undefined;
  #resolveEnded: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => {
    this.#resolveEnded = resolve;
  });

  add(chunk: Blob): void {
    if (chunk.size > 0 && !this.#isOver) this.#queue.push(chunk);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#resolveEnded();
    this.#wake();
  }

  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#queue = [];
    this.end();
  }

  async *all(): AsyncGenerator<Blob, void> {
    for (;;) {
      if (this.#failure) throw this.#failure.reason;
      const chunk = this.#queue.shift();
      if (chunk) yield chunk;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

function recordableFormats(): MicrophoneFormat[] {
  const canRecord = (type: string) => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(type);
  const formats = Object.keys(FORMATS) as MicrophoneFormat[];
  return formats.filter((format) => {
    const { type } = FORMATS[format];
    return type === null || canRecord(type);
  });
}

/**
 * Loads the worklet from the given URL or, without one, from next to this module or from memory.
 * @throws UndertoneError MICROPHONE_UNSUPPORTED, which names the URL that was tried
 */
async function addWorklet({ audioWorklet }: AudioContext, given: string | URL | undefined): Promise<void> {
  // Vite would inline such a small file as a `data:` URL, which a strict Content-Security-Policy refuses.
  const file = given ?? new URL('./pcm-worklet.js?no-inline', import.meta.url);
  const inline = URL.createObjectURL(new Blob([PCM_WORKLET], { type: 'text/javascript' }));
  try {
    await audioWorklet.addModule(file).catch((cause) => {
      if (given !== undefined) throw cause;
      return audioWorklet.addModule(inline);
    });
  } catch (cause) {
    const message = `pcm-worklet.js was not found at ${file}: serve it there, or set workletUrl`;
    throw new UndertoneError('MICROPHONE_UNSUPPORTED', message, { cause });
  } finally {
    URL.revokeObjectURL(inline);
  }
}

function mediaDevices(): MediaDevices {
  if (typeof navigator !== 'undefined' && navigator.mediaDevices) return navigator.mediaDevices;
  throw new UndertoneError(
    'MICROPHONE_UNSUPPORTED',
    'Browsers offer the microphone only to pages on https or localhost',
  );
}

async function deviceStream(deviceId?: string, constraints?: MediaTrackConstraints): Promise<MediaStream> {
  const device = deviceId === undefined ? {} : { deviceId: { exact: deviceId } };
  try {
    return await mediaDevices().getUserMedia({ audio: { ...UNPROCESSED, ...constraints, ...device } });
  } catch (cause) {
    if (cause instanceof UndertoneError) throw cause;
    const isRefused = cause instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(cause.name);
    throw isRefused
      ? new UndertoneError('MICROPHONE_REFUSED', 'The page has no permission to use the microphone', { cause })
      : new UndertoneError('MICROPHONE_UNAVAILABLE', 'The microphone was not found, or another program is using it', {
          cause,
        });
  }
}
