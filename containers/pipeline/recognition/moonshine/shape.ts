/** The shape of a Moonshine decoder, on which its graph and caches depend. */
export interface DecoderShape {
  layers: number;
  heads: number;
  headSize: number;
  /** Numbers of a head that are rotated with the token's position, in adjacent pairs. */
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
