import type { ConversationSetting, TransitionEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { SmallTalkGuess } from '../moments/small-talk.ts';
import type { Outcomes } from '../outcomes.ts';
import type { ConversationStructure, StructureWeights } from '../phases/conversation-structure.ts';
import type { Spans } from '../sentences/spans.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { calledNames, type TopicWord, topicWords } from '../topics/topic-words.ts';
import type { EvidenceBook } from './evidence.ts';
import type { InsightsOf } from './findings-of.ts';
import { answerGoal, type GoalAnswer } from './goal-answer.ts';
import { AT_THE_HEAD, salience } from './salience.ts';

/** Everything that a summary is based on. */
export interface SummaryInput {
  structure: ConversationStructure;
  setting: ConversationSetting;
  insights: InsightsOf<Spans>;
  transitions: TransitionEvent[];
  outcomes: Outcomes;
  /** The client's analysis focus, or '' for none. */
  goal: string;
}

/** Everything that the parts of a summary use, computed once. */
export interface SummaryMaterial extends ConversationStructure {
  setting: ConversationSetting;
  insights: InsightsOf<Spans>;
  transitions: TransitionEvent[];
  goal: string;
  /** The best answer to the goal; undefined without a goal, or if nobody says any of its words. */
  answer: GoalAnswer | undefined;
  topics: TopicWord[];
  sentences: SpokenSentence[];
  /** Salience of each sentence, aligned with `sentences`; 0 if it was recognised too poorly to be repeated. */
  value: Float64Array;
  /** The same, with more weight on the purpose of the conversation. */
  purposeValue: Float64Array;
  outcomes: Outcomes;
  /** Nobody seems to propose anything, so that promises, praise and complaints are not about the conversation. */
  isSmallTalk: boolean;
  /** Seconds from the first start to the last end. */
  duration: number;
  book: EvidenceBook;
  language: Language;
  /** Ids of the utterances that a sentence extends over. */
  idsOf: (sentence: SpokenSentence) => string[];
}

export const idsIn =
  (utterances: readonly Utterance[]): SummaryMaterial['idsOf'] =>
  ({ turn, turns }) =>
    utterances.slice(turn, turn + turns).map((u) => u.utterance_id);

/** Limit on the topics that a summary names, and minimum number of mentions of each. */
const TOPICS = 5;
const MENTIONS = 2;
/** Minimum mean confidence of the recogniser for a sentence to be repeated in a summary. */
const QUOTABLE = 0.6;

const isQuotable = ({ asrConfidence }: SpokenSentence): boolean => asrConfidence.mean >= QUOTABLE;
const quotable = (sentences: readonly SpokenSentence[], value: Float64Array): Float64Array =>
  value.map((v, i) => (isQuotable(sentences[i]!) ? v : 0));

export function gatherMaterial(
  { structure, setting, insights, transitions, outcomes, goal }: SummaryInput,
  book: EvidenceBook,
  weights: Pick<StructureWeights, 'vectors' | 'nouns'>,
): SummaryMaterial {
  const { utterances, turns, sentencesOf, focus } = structure;
  const sentences = utterances.flatMap((_, turn) => sentencesOf(turn));
  const first = utterances[0]?.t_start ?? 0;
  const smallTalk = new SmallTalkGuess(turns.language);
  for (const { text } of utterances) smallTalk.add(text);
  return {
    ...structure,
    setting,
    insights,
    transitions,
    goal: goal.trim(),
    answer: answerGoal(goal, turns, sentences.filter(isQuotable), weights.vectors),
    topics: topicWords(turns, 0, turns.count, focus, TOPICS, calledNames(turns.texts, turns.language), weights).filter(
      ({ mentions }) => mentions >= MENTIONS,
    ),
    sentences,
    value: quotable(sentences, salience(sentences, turns, focus)),
    purposeValue: quotable(sentences, salience(sentences, turns, focus, AT_THE_HEAD)),
    outcomes,
    isSmallTalk: smallTalk.isSmallTalk,
    duration: utterances.reduce((end, u) => Math.max(end, u.t_end), first) - first,
    book,
    language: turns.language,
    idsOf: idsIn(utterances),
  };
}
