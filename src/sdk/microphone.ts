import { UndertoneError } from './error.ts';
import type { LiveCapture } from './live.ts';
import type { MediaExtension } from './wire.ts';

export interface MicrophoneOptions {
  /** Of `Microphone.devices()`; the browser's choice unless told. */
  deviceId?: string;
  /** How it is recorded; the best that this browser can unless told. `pcm` takes eight times the bytes and no codec. */
  format?: MicrophoneFormat;
  /** Milliseconds of sound in a chunk, 250 unless told. */
  chunkMs?: number;
  /**
   * Beside the device. The browser's own improvements are off unless asked for here: they change loudness and tone, which
   * are measured. Where the page plays the other side aloud, ask for `echoCancellation`.
   */
  constraints?: MediaTrackConstraints;
  /** Aborting it lets the microphone go at once. */
  signal?: AbortSignal;
  /** Told when the device was lost or changed; silence is recorded while there is none, so that times stay true. */
  onDevice?: (device: MicrophoneDevice) => void;
  /** Where this package's `pcm-worklet.js` is served, if a bundler does not find it by itself. */
  workletUrl?: string | URL;
}

export type MicrophoneFormat = keyof typeof FORMATS;

export interface MicrophoneDevice {
  /** Absent while there is none. */
  deviceId?: string;
  label?: string;
}

/** How a browser can record, the best first: streams that can be understood while they come. */
const FORMATS = {
  webm: { suffix: '.webm', type: 'audio/webm;codecs=opus' },
  ogg: { suffix: '.ogg', type: 'audio/ogg;codecs=opus' },
  pcm: { suffix: '.pcm', type: null },
  mp4: { suffix: '.mp4', type: 'audio/mp4' },
} as const satisfies Record<string, { suffix: MediaExtension; type: string | null }>;

const CHUNK_MS = 250;
const PCM_HZ = 16_000;
const UNTOUCHED = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/**
 * A browser's microphone as one stream of bytes that a live session takes. Between the device and the recorder stands a
 * graph of Web Audio: devices may change and mute may come and go while the stream goes on.
 */
export class Microphone implements AsyncIterable<Blob> {
  /** What the session's `suffix` is to be. */
  readonly suffix: MediaExtension;
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

  /** The microphones there are; their names are told once the page may hear one. */
  static async devices(): Promise<MediaDeviceInfo[]> {
    const devices = await mediaDevices().enumerateDevices();
    return devices.filter(({ kind }) => kind === 'audioinput');
  }

  /** Whether the page may hear: `prompt` where it would have to ask. */
  static async permission(): Promise<PermissionState> {
    try {
      return (await navigator.permissions.query({ name: 'microphone' as PermissionName })).state;
    } catch {
      return 'prompt';
    }
  }

  /**
   * Asks for the microphone and records from then on; what nobody has taken yet is kept. Call it where the person clicked.
   * @throws UndertoneError MICROPHONE_REFUSED, MICROPHONE_UNAVAILABLE or MICROPHONE_UNSUPPORTED
   */
  static async open(options: MicrophoneOptions = {}): Promise<Microphone> {
    options.signal?.throwIfAborted();
    const format = options.format ?? bestFormat();
    const stream = await deviceStream(options.deviceId, options.constraints);
    const context = new AudioContext(FORMATS[format].type === null ? { sampleRate: PCM_HZ } : {});
    const microphone = new Microphone(options, format, context);
    try {
      microphone.#hear(stream);
      await context.resume();
      await microphone.#record(format);
      options.signal?.throwIfAborted();
    } catch (cause) {
      for (const track of stream.getTracks()) track.stop();
      await context.close();
      options.signal?.throwIfAborted();
      if (cause instanceof UndertoneError) throw cause;
      throw new UndertoneError('MICROPHONE_UNSUPPORTED', `This browser does not record ${format}`, { cause });
    }
    options.signal?.addEventListener('abort', () => microphone.#abandon(), { once: true });
    mediaDevices().addEventListener('devicechange', microphone.#onDeviceChange);
    context.onstatechange = () => {
      // A telephone call interrupts it.
      if (!microphone.#stopped && context.state !== 'running') void context.resume().catch(() => undefined);
    };
    return microphone;
  }

  /** The device that is heard. */
  get device(): MicrophoneDevice {
    const track = this.#stream?.getAudioTracks()[0];
    const deviceId = track?.getSettings().deviceId;
    return track ? { label: track.label, ...(deviceId !== undefined && { deviceId }) } : {};
  }

  /** How loud it is now, 0..1: the root mean square of the last hundredths of a second. */
  get level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0) / this.#samples.length;
    return Math.min(1, Math.sqrt(power));
  }

  /** While muted, silence is recorded. */
  get muted(): boolean {
    return this.#gain.gain.value === 0;
  }

  set muted(isMuted: boolean) {
    this.#gain.gain.value = isMuted ? 0 : 1;
  }

  /** Goes on with another device. @throws UndertoneError the old one stays then */
  async switchTo(deviceId: string): Promise<void> {
    this.#hear(await deviceStream(deviceId, this.#options.constraints));
    this.#options.onDevice?.(this.device);
  }

  /** What is recorded, piece by piece: one stream of bytes, to `stop`. @throws the reason of its signal */
  [Symbol.asyncIterator](): AsyncGenerator<Blob, void> {
    return this.#chunks.all();
  }

  /** Sends all of it to a live session and finalizes that when the microphone is stopped. */
  async pipeTo(capture: LiveCapture): Promise<void> {
    for await (const chunk of this) await capture.send(chunk);
    await capture.finalize();
  }

  /** Lets the microphone go; what was recorded can still be taken. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#endRecording();
    this.#release();
  }

  /** Connects a device in the place of the one before. */
  #hear(stream: MediaStream): void {
    const [track] = stream.getAudioTracks();
    const source = this.#context.createMediaStreamSource(stream);
    source.connect(this.#gain);
    this.#letGo();
    this.#stream = stream;
    this.#source = source;
    track?.addEventListener('ended', () => stream === this.#stream && void this.#replace());
  }

  #letGo(): void {
    this.#source?.disconnect();
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#source = undefined;
    this.#stream = undefined;
  }

  readonly #onDeviceChange = (): void => {
    if (this.#stream === undefined) void this.#replace();
  };

  /** The device is gone: whatever the browser chooses takes its place, now or when there is one again. */
  async #replace(): Promise<void> {
    this.#letGo();
    if (this.#stopped) return;
    const stream = await deviceStream(undefined, this.#options.constraints).catch(() => undefined);
    if (stream) this.#hear(stream);
    if (this.#stopped) this.#letGo();
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

  /** 16-bit samples, 16 kHz, mono. */
  async #recordSamples(chunkMs: number): Promise<void> {
    await this.#context.audioWorklet.addModule(
      this.#options.workletUrl ?? new URL('./pcm-worklet.js', import.meta.url),
    );
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
    this.#letGo();
    // The last samples are on their way.
    void this.#chunks.ended.then(() => this.#context.close());
  }
}

/** Chunks between who records and who sends: kept until they are taken. */
class Chunks {
  #kept: Blob[] = [];
  #isOver = false;
  #failure: { reason: unknown } | undefined;
  #wake: () => void = () => undefined;
  #resolveEnded: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => {
    this.#resolveEnded = resolve;
  });

  add(chunk: Blob): void {
    if (chunk.size > 0 && !this.#isOver) this.#kept.push(chunk);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#resolveEnded();
    this.#wake();
  }

  fail(reason: unknown): void {
    this.#failure = { reason };
    this.#kept = [];
    this.end();
  }

  async *all(): AsyncGenerator<Blob, void> {
    for (;;) {
      if (this.#failure) throw this.#failure.reason;
      const chunk = this.#kept.shift();
      if (chunk) yield chunk;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

function bestFormat(): MicrophoneFormat {
  const formats = Object.entries(FORMATS) as [MicrophoneFormat, (typeof FORMATS)[MicrophoneFormat]][];
  const canRecord = (type: string) => typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported(type);
  return formats.find(([, { type }]) => type === null || canRecord(type))?.[0] ?? 'pcm';
}

function mediaDevices(): MediaDevices {
  if (typeof navigator !== 'undefined' && navigator.mediaDevices) return navigator.mediaDevices;
  throw new UndertoneError('MICROPHONE_UNSUPPORTED', 'A microphone is offered to pages of https or localhost alone');
}

async function deviceStream(deviceId?: string, constraints?: MediaTrackConstraints): Promise<MediaStream> {
  const device = deviceId === undefined ? {} : { deviceId: { exact: deviceId } };
  try {
    return await mediaDevices().getUserMedia({ audio: { ...UNTOUCHED, ...constraints, ...device } });
  } catch (cause) {
    if (cause instanceof UndertoneError) throw cause;
    const isRefused = cause instanceof DOMException && ['NotAllowedError', 'SecurityError'].includes(cause.name);
    throw isRefused
      ? new UndertoneError('MICROPHONE_REFUSED', 'The page may not hear the microphone', { cause })
      : new UndertoneError('MICROPHONE_UNAVAILABLE', 'The microphone is not there, or another program holds it', {
          cause,
        });
  }
}
