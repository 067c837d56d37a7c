/** The shape of a Moonshine decoder. Its graph and caches depend on it. */
export interface DecoderShape {
  layers: number;
  heads: number;
  headSize: number;
  /** Number of elements of a head that are rotated with the token's position, in adjacent pairs. */
  turning: number;
}

/** Moonshine tiny. */
export const TINY: DecoderShape = { layers: 6, heads: 8, headSize: 36, turning: 32 };

/**
 * Decoder layers whose cross-attention determines word times: the later half (median start error 36 ms; the first half
 * is worse).
 */
export const alignmentLayers = ({ layers }: DecoderShape): number[] =>
  Array.from({ length: layers }, (_, layer) => layer).slice(Math.floor(layers / 2));
