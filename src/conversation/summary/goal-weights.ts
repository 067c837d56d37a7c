// Written by scripts/train/goal-answers.ts from QMSum train (MIT).

/** The choice of a sentence: the bias, then the weights of `GoalReading.features`. */
export const CHOICE = [
  0.5146, 3.2779, 0.4451, 1.0608, 0.0998, -0.3131, -0.0667, 1.135, 0.5773, -0.4364, -0.0481, -1.5582,
] as const;

/** The probability that the chosen sentence is an answer: the bias, then the weights of `bestOf(...).sureness`. */
export const SURENESS = [
  -5.4892, 0.6623, 0.4056, 0.7793, 0.1497, 0.2202, 0.1116, -0.2091, 0.7295, 1.8338, 0.275, 0.0153,
] as const;

/** Minimum score of an answer. At or above it, 0.76 of the answers to questions about held-out meetings are right. */
export const ANSWER_THRESHOLD = 0.716;
