const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = new Uint8Array(128);
for (let i = 0; i < ALPHABET.length; i++) SEXTETS[ALPHABET.charCodeAt(i)] = i;

/** Whole numbers of one byte as base64 (RFC 4648, padded). */
export function packInt8(values: Int8Array): string {
  let base64 = '';
  for (let i = 0; i < values.length; i += 3) {
    const block = ((values[i]! & 255) << 16) | (((values[i + 1] ?? 0) & 255) << 8) | ((values[i + 2] ?? 0) & 255);
    for (let k = 0; k < 4; k++) base64 += i + k <= values.length ? ALPHABET[(block >> (18 - 6 * k)) & 63] : '=';
  }
  return base64;
}

/**
 * Whole numbers of one byte out of base64 (RFC 4648, padded). Pure: no runtime's decoder is needed.
 * @param base64 only characters of the alphabet and trailing '='; anything else decodes to zeros.
 */
export function unpackInt8(base64: string): Int8Array {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const bytes = new Int8Array((base64.length / 4) * 3 - padding);
  for (let i = 0, o = 0; i < base64.length; i += 4) {
    const block =
      (SEXTETS[base64.charCodeAt(i)]! << 18) |
      (SEXTETS[base64.charCodeAt(i + 1)]! << 12) |
      (SEXTETS[base64.charCodeAt(i + 2)]! << 6) |
      SEXTETS[base64.charCodeAt(i + 3)]!;
    bytes[o++] = block >> 16;
    if (o < bytes.length) bytes[o++] = block >> 8;
    if (o < bytes.length) bytes[o++] = block;
  }
  return bytes;
}
