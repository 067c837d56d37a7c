import type { Emotion } from '../../../../src/contract/timeline.ts';
import type { Language } from '../../../../src/conversation/language.ts';

/** Emotions of the interjections in a text, without repeats. */
export function reactionsIn(text: string, { affect }: Language): Emotion[] {
  const lower = text.toLowerCase().trim();
  return [...new Set(affect.reactions.filter(({ pattern }) => pattern.test(lower)).map(({ emotion }) => emotion))];
}
