import type { QuestionForms } from '../../language.ts';

const AUXILIARIES =
  "does|did|is|are|was|were|am|can|could|will|would|should|shall|has|had|may|might|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|haven't|hasn't";

const PEOPLE = 'i|you|we|they|anyone|anybody|somebody|someone';

const SUBJECTS = `${PEOPLE}|he|she|it|that|this|there|these|those`;

export const QUESTIONS: QuestionForms = {
  /** Words that can precede a question without being part of it. */
  beforeQuestion:
    /^(?:(?:and|so|but|okay|ok|well|right|yeah|yes|no|oh|um|uh|now|then|sorry|hey|hi|hello|wait|actually|alright)[\s,]+)*/i,
  /** A verb before its subject: "are you". "Do it" and "have this" can equally be orders. */
  inversion: new RegExp(`^(?:(?:${AUXILIARIES}) (?:${SUBJECTS})|(?:do|have) (?:${PEOPLE}))\\b`, 'i'),
  /** A question word with a verb before its subject, or one that needs no such verb. */
  questionWords: new RegExp(
    `^(?:what|where|when|why|who|how|which)(?: (?:much|many|long|often|far|soon|about|kind of \\w+|time|exactly|else|come))? (?:${AUXILIARIES}|do|have) (?:${SUBJECTS}|the|your|my|our|their|his|her|any|some)\\b|^(?:what|how) about\\b|^how (?:much|many|come|long)\\b|^(?:what|where|who|how|when|why)'s (?:the|your|that|this|it|my|his|her)\\b|^what (?:kind|sort|time)\\b`,
    'i',
  ),
  tag: /\b(?:is|are|was|were|do|does|did|wo|would|ca|could|should|have|has)n't (?:i|you|we|they|he|she|it|that|there)$/i,
  /** Words that offer a choice in a question. */
  choice: /\bor\b|^(?:[\w,]+ )?(?:which|what(?! (?:about|if)\b))\b/i,
};
