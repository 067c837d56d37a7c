import { DEFAULT_LANGUAGE } from '../languages.ts';

const { backChannel: BACK_CHANNEL } = DEFAULT_LANGUAGE.fillers;
/** Whether a whole utterance only shows listening: at most three such words. */
export const isBackChannel = (text: string): boolean => BACK_CHANNEL.test(text.trim());
