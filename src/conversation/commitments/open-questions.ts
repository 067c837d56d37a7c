import type { OpenQuestion } from '../../contract/commitments.ts';
import type { ConversationSetting } from '../../contract/findings.ts';
import type { ConversationStructure } from '../phases/conversation-structure.ts';
import { isSure } from '../text/asr-confidence.ts';
import { clean } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { words } from '../text/tokens.ts';
import { isBetweenPeople } from '../turn-taking/setting.ts';

/** Limits of a question, words: a shorter one is about nothing, a longer one is too rough. */
const SHORTEST = 5;
const LONGEST = 40;
/** Limit on the words of a reply that answers nothing. A longer one may answer after all. */
const REPLY_WORDS = 14;
/** Number of content words that a later statement must share with a question to answer it. */
const SHARED_STEMS = 2;
const MAX_QUESTIONS = 50;
/** How sure it is that a question with such a reply stays open. */
const LEFT_OPEN = 0.75;

/**
 * The questions that were left unanswered: the reply is that somebody does not know or has to find out, and nobody came
 * back to it.
 */
export function findOpenQuestions(
  structure: Pick<ConversationStructure, 'utterances' | 'turns' | 'sentencesOf'>,
  setting: ConversationSetting,
): OpenQuestion[] {
  if (!isBetweenPeople(setting)) return [];
  const { utterances, turns, sentencesOf } = structure;
  const { language } = turns;
  const { commitments: forms } = language;
  const found: OpenQuestion[] = [];
  for (const [turn, { utterance_id, t_start, t_end, speaker }] of utterances.entries()) {
    const question = sentencesOf(turn).at(-1);
    if (!question?.asks || question.length < SHORTEST || question.length > LONGEST) continue;
    if (!isSure(question.asrConfidence) || forms.idle.test(question.text)) continue;
    const next = turn + question.turns;
    const reply = utterances[next];
    if (!reply || reply.speaker === speaker || !isEvasive(reply.text) || isAnsweredLater(question, next + 1)) continue;
    found.push({
      question_id: `${utterance_id}_question`,
      speaker,
      to: reply.speaker,
      quote: question.text,
      utterance_id,
      t_start,
      t_end,
      reply: { utterance_id: reply.utterance_id, quote: clean(reply.text, language) },
      confidence: LEFT_OPEN,
    });
    if (found.length === MAX_QUESTIONS) break;
  }
  return found;

  function isEvasive(text: string): boolean {
    return words(text).length <= REPLY_WORDS && !text.includes('?') && forms.leavesOpen.test(text);
  }

  /** Whether somebody later says something about it that is not a question. */
  function isAnsweredLater(question: SpokenSentence, from: number): boolean {
    const own = new Set(question.stems);
    for (let turn = from; turn < utterances.length; turn++)
      for (const { stems, asks, text } of sentencesOf(turn))
        if (!asks && !forms.leavesOpen.test(text) && stems.filter((stem) => own.has(stem)).length >= SHARED_STEMS)
          return true;
    return false;
  }
}
