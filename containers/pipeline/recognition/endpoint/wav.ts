import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';

const HEADER_BYTES = 44;
const FULL_SCALE = 32_767;

/** Mono samples at 16 kHz, full scale 1, as a 16-bit WAV file. */
export function wavOf(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + 2 * samples.length);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  write(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE_HZ, true);
  view.setUint32(28, 2 * SAMPLE_RATE_HZ, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, 'data');
  view.setUint32(40, 2 * samples.length, true);
  for (const [i, sample] of samples.entries())
    view.setInt16(HEADER_BYTES + 2 * i, Math.round(Math.max(-1, Math.min(1, sample)) * FULL_SCALE), true);
  return bytes;
}
