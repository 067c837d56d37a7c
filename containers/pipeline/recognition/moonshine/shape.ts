/** The shape of a Moonshine decoder: what its graph and its caches follow. */
export interface DecoderShape {
  layers: number;
  heads: number;
  headSize: number;
  /** Of a head's numbers so many turn with the token's place, in pairs that lie side by side. */
  turning: number;
}

/** Of Moonshine tiny. */
export const TINY: DecoderShape = { layers: 6, heads: 8, headSize: 36, turning: 32 };

/** Decoder layers whose cross-attention tells word times: the later half (median start error 36 ms, first half worse). */
export const alignmentLayers = ({ layers }: DecoderShape): number[] =>
  Array.from({ length: layers }, (_, layer) => layer).slice(Math.floor(layers / 2));
