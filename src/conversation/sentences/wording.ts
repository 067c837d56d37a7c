/** A z-score for printing: its size in standard deviations. */
export const deviations = (z: number): string => `${Math.abs(z).toFixed(1)} SD`;

/** Milliseconds for printing: in seconds if there is at least one. */
export const silence = (ms: number): string => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(0)} ms`);

/** A fraction for printing, as a percentage. */
export const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

/** One of several wordings. The same variant always selects the same one. */
export const wordingFor = (variant: number, wordings: readonly string[]): string =>
  wordings[variant % wordings.length]!;
