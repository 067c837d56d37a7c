/** The header of a canonical WAV stream: its channels, and the offset of its samples. */
export interface WavHeader {
  channels: 1 | 2;
  dataAt: number;
}

/** @returns null while the header is incomplete. */
export function readWavHeader(bytes: Buffer): WavHeader | null {
  let channels = 1;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const chunk = bytes.toString('latin1', at, at + 4);
    if (chunk === 'data') return { channels: channels === 2 ? 2 : 1, dataAt: at + 8 };
    const size = bytes.readUInt32LE(at + 4);
    if (chunk === 'fmt ' && at + 12 <= bytes.length) channels = bytes.readUInt16LE(at + 10);
    at += 8 + size;
  }
  return null;
}
