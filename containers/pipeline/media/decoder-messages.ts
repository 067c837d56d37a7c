import { ServiceError } from '../../../src/contract/errors.ts';
import { MOST_TRACKS, type SourceFormat } from './decoder-limits.ts';

/**
 * Faults of the media itself, by ffmpeg message. The first match counts. The texts contain no paths or memory
 * addresses.
 */
const FAULTS: [RegExp, string][] = [
  [/Number of streams exceeds/, `The media has more than ${MOST_TRACKS} tracks`],
  [/matches no streams|does not contain any stream/, 'The media has no audio track'],
  [/moov atom not found/, 'The media is incomplete: its index (moov) is missing'],
  [/no 'data' tag found/, 'The WAV file has no sound data'],
  [/Decoder \(codec (\w+)\) not found|Decoding requested, but no decoder found/, 'The audio codec is not supported'],
  [/could not find codec parameters/, 'The media is incomplete: it does not declare its audio format'],
  [/partial file/, 'The media is cut off before its first decodable audio'],
  [/Invalid sample rate/, 'The media declares an invalid sample rate'],
  [/Cannot allocate memory|Failed to read extradata/, 'The media header is damaged'],
  [/Format not on whitelist|Invalid data found|Unknown input format/, 'The format of the media is not supported'],
];

const LAYOUTS: Record<string, number> = { mono: 1, stereo: 2, quad: 4, hexagonal: 6, octagonal: 8, downmix: 2 };
/** Limits on the stored characters of all messages, and of an unfinished line. */
const KEPT = 20_000;
/** An error in the media's audio. Errors in its pictures do not matter. */
const DAMAGE = /\[(error|fatal)\] (?!Picture size)/;
/** The line that announces the input's first audio track. The same text inside a media tag is indented further. */
const AUDIO_TRACK = /^\[info\] {3}Stream #0:\d+(?!\d).*?: Audio: (.+)/;

/** Number of channels in a layout, given ffmpeg's name for it: "stereo", "5.1(side)", "8 channels". */
function channelsOf(layout: string): number {
  const counted = /^(\d+) channels/.exec(layout);
  const pointed = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(layout);
  if (counted) return Number(counted[1]);
  if (pointed) return [1, 2, 3].reduce((sum, i) => sum + Number(pointed[i] ?? 0), 0);
  return LAYOUTS[layout.replace(/\(.*/, '')] ?? 1;
}

/** ffmpeg's messages (`-loglevel level+info`) as they arrive. Only a limited number is stored. */
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

  /** The input's first audio track. Null until it is announced. */
  get source(): SourceFormat | null {
    return this.#source;
  }

  /** Whether damaged passages were reported. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** The reason why nothing could be decoded, as a sentence for the client. */
  undecodable(): ServiceError {
    const fault = FAULTS.find(([pattern]) => pattern.test(this.#kept))?.[1];
    return new ServiceError('INVALID_MEDIA', fault ?? 'The media contains no decodable audio', {
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
