import type { Language } from '../language.ts';

/** Whether a whole utterance only shows listening. It has at most three listening words. */
export const isBackChannel = (text: string, { fillers }: Language): boolean => fillers.backChannel.test(text.trim());
