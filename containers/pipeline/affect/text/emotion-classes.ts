import type { Emotion } from '../../../../src/contract/timeline.ts';

/**
 * The 28 classes of GoEmotions (Demszky et al. 2020) that the text model distinguishes, grouped by the Ekman class to
 * which their authors map them. They are kept separate, because that mapping suits conversation badly: it maps
 * curiosity to "surprise" and approval to "joy", but a question about a price and "sounds fine" are ordinary talk.
 */
const LABELS_OF = {
  joy: [
    'admiration',
    'amusement',
    'approval',
    'caring',
    'desire',
    'excitement',
    'gratitude',
    'joy',
    'love',
    'optimism',
    'pride',
    'relief',
  ],
  sadness: ['disappointment', 'embarrassment', 'grief', 'remorse', 'sadness'],
  anger: ['anger', 'annoyance', 'disapproval'],
  fear: ['fear', 'nervousness'],
  surprise: ['confusion', 'curiosity', 'realization', 'surprise'],
  disgust: ['disgust'],
  neutral: ['neutral'],
} as const satisfies Record<Emotion, readonly string[]>;

export type FineEmotion = (typeof LABELS_OF)[Emotion][number];

/** The fine classes in the order of the model's outputs, each with its Ekman class. */
export const FINE_CLASSES: readonly { name: FineEmotion; emotion: Emotion }[] = Object.entries(LABELS_OF).flatMap(
  ([emotion, labels]) => labels.map((name) => ({ name, emotion: emotion as Emotion })),
);

/** Index of a GoEmotions label among the fine classes. Throws for a name that GoEmotions does not have. */
export function fineClassOf(label: string): number {
  const index = FINE_CLASSES.findIndex(({ name }) => name === label);
  if (index < 0) throw new Error(`"${label}" is not a GoEmotions label`);
  return index;
}
