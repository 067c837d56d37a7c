// Written by scripts/train/small-talk-guess.ts from data/moments/fit.jsonl: dialogues of this project, QMSum (MIT),
// CaSiNo (CC BY 4.0).

/** Mean frequency of each kind of word. */
export const RATES = [0.0379, 0.0097, 0.0267, 0.0154, 0.0107, 0.0067] as const;

/** The regression's bias and its weights of `SmallTalkGuess.features`. */
export const BIAS = -8.8228;
export const WEIGHTS = [-1.5768, -0.3295, 0.5572, -0.7725, 0.1506, -0.3666] as const;
