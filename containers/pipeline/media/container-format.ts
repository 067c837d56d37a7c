/**
 * How media can be decoded: as its bytes arrive, only from a seekable file, or unknown until more bytes have arrived.
 */
export type DecodingAccess = 'stream' | 'file' | 'unknown';

/** Limit on the size of a file's first boxes, bytes. Beyond it, the file is stored without further inspection. */
export const LONGEST_HEAD = 1 << 20;

const ascii = (bytes: Uint8Array, at: number, length: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', at, at + length);

/** First bytes of formats whose demuxers read only forwards. */
const FORWARD_MAGIC = ['RIFF', 'RF64', 'OggS', 'fLaC', 'ID3', 'FLV', 'NIST_1A', '\x1aE\xdf\xa3', '#!AMR', '.snd'];
/** Boxes of ISO base media (ISO/IEC 14496-12) that can begin a file. */
const FIRST_BOXES = new Set(['ftyp', 'styp', 'free', 'skip', 'wide', 'pdin', 'moov', 'mdat', 'moof', 'sidx', 'uuid']);

/**
 * Decides by the first bytes, never by the name.
 * @param head the first bytes of the media; `ended` when there are no more.
 */
export function accessOf(head: Uint8Array, ended: boolean): DecodingAccess {
  if (head.length < 12) return ended ? 'file' : 'unknown';
  if (FORWARD_MAGIC.some((magic) => ascii(head, 0, magic.length) === magic)) return 'stream';
  // MPEG audio and ADTS, which begin with eleven set bits as frame sync.
  if (head[0] === 0xff && (head[1]! & 0xe0) === 0xe0) return 'stream';
  if (FIRST_BOXES.has(ascii(head, 4, 4))) return isoAccess(head, ended);
  return 'file';
}

/** MP4 and related formats can be read sequentially only when the index (`moov`) precedes the media (`mdat`). */
function isoAccess(head: Uint8Array, ended: boolean): DecodingAccess {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let at = 0; at + 8 <= head.length; ) {
    const box = ascii(head, at + 4, 4);
    if (box === 'moov' || box === 'moof') return 'stream';
    if (box === 'mdat') return 'file';
    const size = view.getUint32(at);
    // 0 means up to the end of the file, 1 means a 64-bit size, and anything below 8 is invalid.
    if (size < 8) return 'file';
    at += size;
    if (at > LONGEST_HEAD) return 'file';
  }
  return ended ? 'file' : 'unknown';
}
