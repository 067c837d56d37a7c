import { ServiceError } from '../../../src/contract/errors.ts';
import { MOST_TRACKS, type SourceFormat } from './decoder-limits.ts';

/** What ffmpeg's messages say of the media itself, first match first. No machine's paths, no addresses in memory. */
const FAULTS: [RegExp, string][] = [
  [/Number of streams exceeds/, `The media has more than ${MOST_TRACKS} tracks`],
  [/matches no streams|does not contain any stream/, 'The media has no audio track'],
  [/moov atom not found/, 'The media is incomplete: its index (moov) is missing'],
  [/no 'data' tag found/, 'The WAV file has no sound data'],
  [/Decoder \(codec (\w+)\) not found|Decoding requested, but no decoder found/, 'The audio codec is not supported'],
  [/could not find codec parameters/, 'The media is incomplete: its audio format is not stated'],
  [/partial file/, 'The media is cut off before any sound that could be decoded'],
  [/Invalid sample rate/, 'The sample rate that the media states is not one'],
  [/Cannot allocate memory|Failed to read extradata/, 'The media header is damaged'],
  [/Format not on whitelist|Invalid data found|Unknown input format/, 'The media is not in a format that can be read'],
];

const LAYOUTS: Record<string, number> = { mono: 1, stereo: 2, quad: 4, hexagonal: 6, octagonal: 8, downmix: 2 };
/** Characters kept: of all messages, and of a line that goes on. */
const KEPT = 20_000;
/** An error of the media: of its sound, that is; what became of its pictures does not matter. */
const DAMAGE = /\[(error|fatal)\] (?!Picture size)/;
/** The first audio track of the input as it is announced; a tag of the media that says the same stands further in. */
const AUDIO_TRACK = /^\[info\] {3}Stream #0:\d+(?!\d).*?: Audio: (.+)/;

/** Channels of a layout as ffmpeg names it: "stereo", "5.1(side)", "8 channels". */
function channelsOf(layout: string): number {
  const counted = /^(\d+) channels/.exec(layout);
  const pointed = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(layout);
  if (counted) return Number(counted[1]);
  if (pointed) return [1, 2, 3].reduce((sum, i) => sum + Number(pointed[i] ?? 0), 0);
  return LAYOUTS[layout.replace(/\(.*/, '')] ?? 1;
}

/** ffmpeg's messages (`-loglevel level+info`) as they come; however many there are, few are kept. */
export class DecoderMessages {
  #kept = '';
  #line = '';
  #source: SourceFormat | null = null;
  #isDamaged = false;

  take(text: string): void {
    if (this.#kept.length < KEPT) this.#kept += text.slice(0, KEPT);
    const lines = text.split('\n');
    for (const [i, part] of lines.entries()) {
      if (this.#line.length < KEPT) this.#line += part.slice(0, KEPT);
      if (i === lines.length - 1) break;
      this.#read(this.#line);
      this.#line = '';
    }
  }

  /** The input's first audio track; null while it was not announced. */
  get source(): SourceFormat | null {
    return this.#source;
  }

  /** Whether damaged stretches were reported. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Why nothing could be decoded, in a sentence for the client. */
  undecodable(): ServiceError {
    const fault = FAULTS.find(([pattern]) => pattern.test(this.#kept))?.[1];
    return new ServiceError('INVALID_MEDIA', fault ?? 'The media holds no sound that could be decoded', {
      cause: this.#kept.slice(0, 2000),
    });
  }

  #read(line: string): void {
    this.#isDamaged ||= DAMAGE.test(line);
    const track = this.#source === null ? AUDIO_TRACK.exec(line)?.[1] : undefined;
    if (track === undefined) return;
    const rate = /, (\d+) Hz, ([^,]+)/.exec(track);
    this.#source = {
      codec: /^[\w.]+/.exec(track)?.[0],
      sampleRate: rate ? Number(rate[1]) : undefined,
      channels: rate ? channelsOf(rate[2]!) : 1,
    };
  }
}
