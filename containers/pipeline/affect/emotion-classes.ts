import type { Emotion } from '../../../src/contract/timeline.ts';

/**
 * The fine classes the text model tells apart: GoEmotions' 28 grouped by meaning, each inside one Ekman class
 * (the mapping of Demszky et al. 2020). They are kept apart because conversation needs it: curiosity is "surprise" in the
 * published mapping and approval is "joy", but a price question and "sounds fine" are ordinary talk.
 */
export const FINE_CLASSES = [
  { name: 'joy', emotion: 'joy', labels: ['amusement', 'excitement', 'joy', 'love', 'pride', 'relief'] },
  { name: 'praise', emotion: 'joy', labels: ['admiration', 'gratitude'] },
  { name: 'goodwill', emotion: 'joy', labels: ['approval', 'caring', 'desire', 'optimism'] },
  { name: 'sadness', emotion: 'sadness', labels: ['sadness', 'grief', 'disappointment'] },
  { name: 'regret', emotion: 'sadness', labels: ['remorse', 'embarrassment'] },
  { name: 'anger', emotion: 'anger', labels: ['anger'] },
  { name: 'annoyance', emotion: 'anger', labels: ['annoyance'] },
  { name: 'disapproval', emotion: 'anger', labels: ['disapproval'] },
  { name: 'fear', emotion: 'fear', labels: ['fear', 'nervousness'] },
  { name: 'surprise', emotion: 'surprise', labels: ['surprise'] },
  { name: 'curiosity', emotion: 'surprise', labels: ['curiosity', 'confusion'] },
  { name: 'realization', emotion: 'surprise', labels: ['realization'] },
  { name: 'disgust', emotion: 'disgust', labels: ['disgust'] },
  { name: 'neutral', emotion: 'neutral', labels: ['neutral'] },
] as const satisfies readonly { name: string; emotion: Emotion; labels: readonly string[] }[];

export type FineClass = (typeof FINE_CLASSES)[number]['name'];

/** Index of the fine class that holds a GoEmotions label. Throws on a name GoEmotions does not have. */
export function fineClassOf(label: string): number {
  const index = FINE_CLASSES.findIndex(({ labels }) => (labels as readonly string[]).includes(label));
  if (index < 0) throw new Error(`"${label}" is no label of GoEmotions`);
  return index;
}
