import type { Emotion } from '../../../../src/contract/timeline.ts';

/**
 * The 28 classes of GoEmotions (Demszky et al. 2020), which the text model distinguishes, under the Ekman class that
 * its authors map each to. They are kept apart because conversation needs it: curiosity is "surprise" in that mapping
 * and approval is "joy", but a price question and "sounds fine" are ordinary talk.
 */
export const LABELS_OF = {
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

/** Index of a GoEmotions label among the fine classes. Throws on a name that GoEmotions lacks. */
export function fineClassOf(label: string): number {
  const index = FINE_CLASSES.findIndex(({ name }) => name === label);
  if (index < 0) throw new Error(`"${label}" is not a GoEmotions label`);
  return index;
}
