/**
 * Words that only show that somebody listens (SwDA: b, bk, bh). A row of m's belongs to one word, but for those that
 * another word begins with.
 */
const BACK_CHANNEL =
  /^(?:(?:oh|ah|yeah|yep|yup|yes|right|okay|ok|uh-?huh|(?:mm-?hm+|hm+|mm+)(?!m(?!m-?hm|hm))|mhm|i see|sure|really|wow|got it|gotcha|true|exactly|of course|i know|huh|alright|all right|uh|um)[\s,.!?]*){1,3}$/i;

/** Whether a whole utterance only shows listening: at most three such words. */
export const isBackChannel = (text: string): boolean => BACK_CHANNEL.test(text.trim());
