/** Small media that costs much to decode. */

export interface WavHeader {
  rate: number;
  channels?: number;
  bits?: number;
  /** Bytes of sound that the header states. */
  stated?: number;
}

export function wav({ rate, channels = 1, bits = 16, stated }: WavHeader, data: Buffer): Buffer {
  const head = Buffer.alloc(44);
  const frame = Math.max(1, (channels * bits) / 8);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(Math.min(36 + data.length, 0xffffffff), 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE((rate * frame) % 2 ** 32, 28);
  head.writeUInt16LE(frame % 2 ** 16, 32);
  head.writeUInt16LE(bits, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(stated ?? data.length, 40);
  return Buffer.concat([head, data]);
}

const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i);
  return bytes;
};
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(8 + body.length), Buffer.from(type, 'latin1'), body]);
};
const full = (type: string, flags: number, ...parts: Buffer[]) => box(type, uint32(flags), ...parts);

export interface Mov {
  /** Tracks over the same sound. */
  tracks?: number;
  /** How often a track plays its sound: by repeated pointers, and by an edit list. */
  repeats?: number;
  edits?: number;
  /** Whether the index comes before the sound. */
  faststart: boolean;
}

/** A QuickTime file of 16-bit samples at 8 kHz (ISO/IEC 14496-12). */
export function mov({ tracks = 1, repeats = 1, edits = 0, faststart }: Mov, data: Buffer): Buffer {
  const samples = data.length / 2;
  const count = samples * repeats;
  const track = (id: number, at: number) => {
    const entry = Buffer.alloc(28);
    entry.writeUInt16BE(1, 6);
    entry.writeUInt16BE(1, 16);
    entry.writeUInt16BE(16, 18);
    entry.writeUInt16BE(8000, 24);
    const edit = Array.from({ length: edits }, () => uint32(1000, 0, 0x10000));
    return box(
      'trak',
      full('tkhd', 7, uint32(0, 0, id, 0, count), Buffer.alloc(60)),
      ...(edits > 0 ? [box('edts', full('elst', 0, uint32(edits), ...edit))] : []),
      box(
        'mdia',
        full('mdhd', 0, uint32(0, 0, 8000, count, 0x55c40000)),
        full('hdlr', 0, uint32(0), Buffer.from('soun'), Buffer.alloc(13)),
        box(
          'minf',
          full('smhd', 0, uint32(0)),
          box('dinf', full('dref', 0, uint32(1), full('url ', 1))),
          box(
            'stbl',
            full('stsd', 0, uint32(1), box('sowt', entry)),
            full('stts', 0, uint32(1, count, 1)),
            full('stsc', 0, uint32(1, 1, samples, 1)),
            full('stsz', 0, uint32(2, count)),
            full('stco', 0, uint32(repeats, ...Array.from({ length: repeats }, () => at))),
          ),
        ),
      ),
    );
  };
  const ftyp = box('ftyp', Buffer.from('qt  \0\0\0\0qt  '));
  const moov = (at: number) =>
    box(
      'moov',
      full('mvhd', 0, uint32(0, 0, 1000, 1000, 0x10000, 0x1000000), Buffer.alloc(72), uint32(tracks + 1)),
      ...Array.from({ length: tracks }, (_, i) => track(i + 1, at)),
    );
  const mdat = box('mdat', data);
  if (faststart) return Buffer.concat([ftyp, moov(ftyp.length + moov(0).length + 8), mdat]);
  return Buffer.concat([ftyp, mdat, moov(ftyp.length + 8)]);
}
