import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from './dice.ts';

// Small media, most of which do not match their declared type.

const FIXTURES = join(import.meta.dirname, '../../test/fixtures');
/** Between a tenth of a second and one second of speech, whose analysis costs little. */
const SPEECH = readFileSync(join(FIXTURES, 'short.wav'));
const SILENCE = readFileSync(join(FIXTURES, 'silence.wav'));

/** Encodings of the speech, as far as this machine's ffmpeg supports them. */
const ENCODERS: Record<string, string[]> = {
  '.mp3': ['-f', 'mp3'],
  '.aac': ['-f', 'adts'],
  '.m4a': ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'],
  '.mov': ['-movflags', 'frag_keyframe+empty_moov', '-f', 'mov'],
  '.webm': ['-c:a', 'libopus', '-f', 'webm'],
};

export const SUFFIXES = ['.wav', '.mp4', ...Object.keys(ENCODERS)];

const encoded = new Map<string, Buffer>();

/** Encodes the speech once for each kind of file. */
export function prepareMedia(): void {
  for (const [suffix, options] of Object.entries(ENCODERS)) {
    try {
      const args = ['-v', 'quiet', '-i', join(FIXTURES, 'short.wav'), '-fflags', '+bitexact', ...options, '-'];
      encoded.set(suffix, execFileSync('ffmpeg', args));
    } catch {
      // This ffmpeg has no such encoder.
    }
  }
  encoded.set('.mp4', encoded.get('.m4a') ?? SPEECH);
}

interface WavFields {
  tag: number;
  channels: number;
  rate: number;
  bits: number;
  dataSize: number;
  riffSize: number;
}

/** A WAV with given values in its header. */
export function wav(samples: Buffer, fields: Partial<WavFields> = {}, extra: Buffer = Buffer.alloc(0)): Buffer {
  const {
    tag = 1,
    channels = 1,
    rate = 16_000,
    bits = 16,
    dataSize = samples.length,
    riffSize = 36 + samples.length,
  } = fields;
  const head = Buffer.alloc(36);
  head.write('RIFF', 0);
  head.writeUInt32LE(riffSize, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(tag, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * channels * (bits >> 3)) >>> 0, 28);
  head.writeUInt16LE((channels * (bits >> 3)) & 0xffff, 32);
  head.writeUInt16LE(bits, 34);
  const data = Buffer.alloc(8);
  data.write('data', 0);
  data.writeUInt32LE(dataSize, 4);
  return Buffer.concat([head, extra, data, samples]);
}

const samplesOf = (recording: Buffer): Buffer => recording.subarray(recording.indexOf('data') + 8);

function oddWav(dice: Dice): Buffer {
  const sound = samplesOf(dice.chance(0.5) ? SPEECH : SILENCE);
  const samples = sound.subarray(0, dice.pick([0, 1, 2, 640, 3200, 8000]));
  const fields: Partial<WavFields> = {};
  const odd = dice.pick(['tag', 'channels', 'rate', 'bits', 'dataSize', 'riffSize', 'chunk'] as const);
  if (odd === 'tag') fields.tag = dice.pick([0, 2, 3, 6, 7, 0x55, 0xff, 0xfffe, 0xffff]);
  else if (odd === 'channels') fields.channels = dice.pick([0, 2, 3, 8, 9, 64, 255, 65_535]);
  else if (odd === 'rate')
    fields.rate = dice.pick([0, 1, 7, 100, 999, 4000, 96_000, 192_001, 768_000, 0x7fffffff, 0xffffffff]);
  else if (odd === 'bits') fields.bits = dice.pick([0, 1, 4, 8, 12, 24, 32, 64, 255]);
  else if (odd === 'dataSize') fields.dataSize = dice.pick([0, 1, 0x7fffffff, 0xffffffff, samples.length * 2]);
  else if (odd === 'riffSize') fields.riffSize = dice.pick([0, 1, 0xffffffff]);
  const chunk = Buffer.from(`LIST\xff\xff\xff${String.fromCharCode(dice.whole(0, 255))}INFO`, 'latin1');
  return wav(samples, fields, odd === 'chunk' ? chunk : undefined);
}

function mangled(dice: Dice, media: Buffer): Buffer {
  const bytes = Buffer.from(media);
  const reach = dice.chance(0.5) ? Math.min(64, bytes.length) : bytes.length;
  for (let flips = dice.pick([1, 4, 32]); flips > 0 && reach > 0; flips--)
    bytes[dice.whole(0, reach - 1)] = dice.whole(0, 255);
  return dice.chance(0.4) ? bytes.subarray(0, dice.whole(0, bytes.length)) : bytes;
}

const MAGIC = [
  'RIFF\0\0\0\0WAVE',
  '\0\0\0\x18ftypmp42',
  '\0\0\0\x08moov',
  '\x1aE\xdf\xa3',
  'ID3\x04\0\0',
  'OggS',
  '#EXTM3U\n',
];
/** Formats that refer to other files or addresses, none of which may be opened. */
const POINTING = [
  '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n',
  'ffconcat version 1.0\nfile /etc/passwd\n',
  '<?xml version="1.0"?><MPD><BaseURL>http://127.0.0.1:1/</BaseURL></MPD>',
  'v=0\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n',
];

/** Media for one attempt, and the suffix that it should have. */
export function media(dice: Dice): { kind: string; bytes: Buffer; suffix: string } {
  const suffix = dice.pick(SUFFIXES);
  const file = encoded.get(suffix) ?? SPEECH;
  const make = dice.weighted<() => { kind: string; bytes: Buffer }>([
    [22, () => ({ kind: 'media: good', bytes: file })],
    [22, () => ({ kind: 'media: odd WAV header', bytes: oddWav(dice) })],
    [14, () => ({ kind: 'media: cut off', bytes: file.subarray(0, dice.whole(0, file.length)) })],
    [18, () => ({ kind: 'media: mangled', bytes: mangled(dice, file) })],
    [8, () => ({ kind: 'media: random bytes', bytes: dice.bytes(dice.pick([0, 1, 11, 12, 1000, 20_000])) })],
    [
      8,
      () => ({
        kind: 'media: magic only',
        bytes: Buffer.concat([Buffer.from(dice.pick(MAGIC), 'latin1'), dice.bytes(dice.pick([0, 8, 3000]))]),
      }),
    ],
    [4, () => ({ kind: 'media: pointing elsewhere', bytes: Buffer.from(dice.pick(POINTING)) })],
    [4, () => ({ kind: 'media: zeros', bytes: Buffer.alloc(dice.pick([1, 12, 100_000, 2_000_000])) })],
  ]);
  const made = make();
  const isNamedWrongly = dice.chance(0.1);
  return { ...made, suffix: made.kind.includes('WAV') && !isNamedWrongly ? '.wav' : suffix };
}
