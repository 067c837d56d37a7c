/** Log-odds beyond this are as good as certain. */
export const CERTAIN = 5;

/** Log-odds within what is as good as certain. */
export const clip = (logOdds: number): number => Math.min(CERTAIN, Math.max(-CERTAIN, logOdds));

export const flag = (x: boolean | undefined): number => (x ? 1 : 0);

/** The greatest of several log-odds, or a certain no where there are none. */
export const greatest = (logOdds: readonly number[]): number => clip(Math.max(-CERTAIN, ...logOdds));
