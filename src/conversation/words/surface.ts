/**
 * Words that only show that somebody listens (SwDA: b, bk, bh). A row of m's belongs to one word, but for those that
 * another word begins with.
 */
const BACK_CHANNEL =
  /^(?:(?:oh|ah|yeah|yep|yup|yes|right|okay|ok|uh-?huh|(?:mm-?hm+|hm+|mm+)(?!m(?!m-?hm|hm))|mhm|i see|sure|really|wow|got it|gotcha|true|exactly|of course|i know|huh|alright|all right|uh|um)[\s,.!?]*){1,3}$/i;

/** Whether a whole utterance only shows listening: at most three such words. */
export const isBackChannel = (text: string): boolean => BACK_CHANNEL.test(text.trim());

const INVERTED =
  /(?:^|[,;] |\b(?:so|and|but|well|okay|now) )(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|should|shall|may|what|how|why|when|where|which|who|whose)(?:n't)? (?:you|we|i|they|he|she|it|that|this|there|the|your|my|our|about|much|many|long|often|do|does|did|is|are|would|can|kind|time|made)\b/;
const TAG =
  /,? (?:right|isn't it|aren't you|don't you|doesn't it|is that right|is that correct|would that work|does that work)\??$/;

/** A question by its mark, its word order or its tag; for recognisers that print no question marks. */
export function isQuestion(text: string): boolean {
  if (/\?\s*$/.test(text)) return true;
  const n = text.toLowerCase().replace(/(?<![.!\s])[.!\s]+$/, '');
  return /\?/.test(text) || INVERTED.test(n.slice(0, 60)) || TAG.test(n);
}

const AUXILIARY_FIRST =
  /^(?:can|could|would|will|shall|may|do|does|did|are|is|was|were|have|has) (?:you|we|i|they|he|she|it|there|that|this)\b/i;

/** A question by the verb before its subject alone: surer than `isQuestion`, to which "when we arrived" is one. */
export const opensAsQuestion = (text: string): boolean => AUXILIARY_FIRST.test(text);
