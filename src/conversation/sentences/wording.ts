/** A z-score in print: its size in standard deviations. */
export const deviations = (z: number): string => `${Math.abs(z).toFixed(1)} SD`;

/** Milliseconds in print: in seconds from one second on. */
export const silence = (ms: number): string => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(0)} ms`);

/** A share in print, per cent. */
export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** One of several wordings: the same variant always gives the same one. */
export const wordingFor = (variant: number, wordings: readonly string[]): string =>
  wordings[variant % wordings.length]!;
