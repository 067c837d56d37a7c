import { BACK_CHANNEL } from '../lexicon/en/fillers.ts';
/** Whether a whole utterance only shows listening: at most three such words. */
export const isBackChannel = (text: string): boolean => BACK_CHANNEL.test(text.trim());
