import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { splitSentences } from './sentences.ts';

/**
 * `trained` ignores tag questions ("you got it, didn't you"), as the moment network's training data does. Use it only
 * for that feature.
 */
export type QuestionForm = 'any' | 'trained';

/**
 * Whether a text asks something; used by both container and conversation. It has a question mark, or a sentence worded
 * as a question, because some recognisers print no punctuation. Compared with the acts of SwDA and MRDA, F1 is .79 and
 * .88 with the printed punctuation. Without any punctuation, precision is .82 and .83 and recall .52 and .43, measured
 * before tag questions counted.
 */
export const asks = (text: string, language: Language, form: QuestionForm = 'any'): boolean =>
  text.includes('?') ||
  splitSentences(text, language).some(({ text: sentence }) => isWordedAsQuestion(sentence, language, form));

function isWordedAsQuestion(sentence: string, { questions }: Language, form: QuestionForm): boolean {
  const body = sentence.replaceAll('’', "'").replace(questions.beforeQuestion, '');
  if (questions.inversion.test(body) || questions.questionWords.test(body)) return true;
  return form === 'any' && questions.tag.test(body);
}

/** Whether an utterance asks something, based on its measured markers if it has them. */
export const utteranceAsks = (
  { text, lexical_markers }: Pick<Utterance, 'text' | 'lexical_markers'>,
  language: Language,
): boolean => lexical_markers?.is_question ?? asks(text, language);
