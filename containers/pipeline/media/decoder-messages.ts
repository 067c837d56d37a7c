import { ServiceError } from '../../../src/contract/errors.ts';

/** What ffmpeg's messages say of the media itself, first match first. No machine's paths, no addresses in memory. */
const FAULTS: [RegExp, string][] = [
  [/matches no streams|does not contain any stream/, 'The media has no audio track'],
  [/moov atom not found/, 'The media is incomplete: its index (moov) is missing'],
  [/no 'data' tag found/, 'The WAV file has no sound data'],
  [/Decoder \(codec (\w+)\) not found|Decoding requested, but no decoder found/, 'The audio codec is not supported'],
  [/could not find codec parameters/, 'The media is incomplete: its audio format is not stated'],
  [/partial file/, 'The media is cut off before any sound that could be decoded'],
  [/Cannot allocate memory|Failed to read extradata/, 'The media header is damaged'],
  [/Format not on whitelist|Invalid data found|Unknown input format/, 'The media is not in a format that can be read'],
];

/** Why nothing could be decoded, in a sentence for the client. */
export function undecodable(messages: string): ServiceError {
  const fault = FAULTS.find(([pattern]) => pattern.test(messages))?.[1];
  return new ServiceError('INVALID_MEDIA', fault ?? 'The media holds no sound that could be decoded', {
    cause: messages.slice(0, 2000),
  });
}

/** What the decoder found in the media's first audio track. */
export interface SourceFormat {
  codec?: string;
  sampleRate?: number;
  channels: number;
}

const LAYOUTS: Record<string, number> = { mono: 1, stereo: 2, quad: 4, hexagonal: 6, octagonal: 8, downmix: 2 };

/** Channels of a layout as ffmpeg names it: "stereo", "5.1(side)", "8 channels". */
function channelsOf(layout: string): number {
  const counted = /^(\d+) channels/.exec(layout);
  const pointed = /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(layout);
  if (counted) return Number(counted[1]);
  if (pointed) return [1, 2, 3].reduce((sum, i) => sum + Number(pointed[i] ?? 0), 0);
  return LAYOUTS[layout.replace(/\(.*/, '')] ?? 1;
}

/** The input's first audio stream in ffmpeg's information messages; null while it was not announced. */
export function sourceFormat(messages: string): SourceFormat | null {
  const line = /Stream #0:\d+[^\n]*?: Audio: ([^\n]+)/.exec(messages)?.[1];
  if (line === undefined) return null;
  const rate = /, (\d+) Hz, ([^,\n]+)/.exec(line);
  return {
    codec: /^[\w.]+/.exec(line)?.[0],
    sampleRate: rate ? Number(rate[1]) : undefined,
    channels: rate ? channelsOf(rate[2]!) : 1,
  };
}

/** The number of messages that report damaged stretches. */
export const damageCount = (messages: string): number => messages.match(/\[(error|fatal)\]/g)?.length ?? 0;
