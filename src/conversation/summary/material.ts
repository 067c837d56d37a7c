import type { Commitment } from '../../contract/commitments.ts';
import type { ConversationSetting, MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import type { Outcomes } from '../outcomes.ts';
import type { ConversationStructure, StructureWeights } from '../phases/conversation-structure.ts';
import { isDense, mainTopics, mentionsNeeded } from '../phases/phase-topics.ts';
import type { Spans } from '../sentences/spans.ts';
import { hesitates, isBroken, isCutOff } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { isContentWord, isNumber, words } from '../text/tokens.ts';
import type { NounShares } from '../topics/noun-shares.ts';
import { calledNames, type TopicWord, topicWords } from '../topics/topic-words.ts';
import type { EvidenceBook } from './evidence.ts';
import type { InsightsOf } from './findings-of.ts';
import { answersTo, type GoalAnswers } from './goal-candidates.ts';
import { AT_THE_HEAD, salience } from './salience.ts';

/** Everything that a summary is based on. */
export interface SummaryInput {
  structure: ConversationStructure;
  setting: ConversationSetting;
  insights: InsightsOf<Spans>;
  transitions: TransitionEvent[];
  /** Between people, and in order of time. */
  moments: readonly MomentEvent[];
  outcomes: Outcomes;
  commitments: readonly Commitment[];
  /** The client's analysis focus, or '' for none. */
  goal: string;
}

/** Everything that the parts of a summary use, computed once. */
export interface SummaryMaterial extends ConversationStructure {
  setting: ConversationSetting;
  insights: InsightsOf<Spans>;
  transitions: TransitionEvent[];
  goal: string;
  moments: readonly MomentEvent[];
  answers: GoalAnswers;
  topics: TopicWord[];
  sentences: SpokenSentence[];
  /** Salience of each sentence, aligned with `sentences`; 0 if it is not repeated: recognised too poorly, about nothing it names, dependent on the one before, begun twice or cut off. */
  value: Float64Array;
  /** The same, with more weight on the purpose of the conversation. */
  purposeValue: Float64Array;
  outcomes: Outcomes;
  commitments: readonly Commitment[];
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

/** Number of words among which a summary looks for its topics. */
const TOPICS = 5;
/** Minimum mentions of the first topic of a long conversation, and number of utterances of one. */
const LONG_TALK = { mentions: 5, utterances: 20 } as const;
/** Minimum mentions of the topics in 100 words. A whole conversation has more than one subject. */
const DENSITY = 0.5;
/** Minimum share of the conversation from the first to the last mention of a topic. */
const SPAN = 0.4;
/**
 * Minimum confidence of the recogniser for a sentence to be repeated in a summary: the mean of its content words, and
 * each single one.
 */
const QUOTABLE = { mean: 0.7, least: 0.3 } as const;
/** Minimum share of noun phrases for a word to say what a sentence is about. */
const SUBJECT = 0.55;
/** Minimum share of head nouns for a word to be what a later pronoun refers to. */
const REFERENT = 0.5;

/** The topics of a whole conversation that last. None if the first is mentioned too rarely to be the subject. */
function overallTopics(topics: readonly TopicWord[], utterances: number): TopicWord[] {
  const mentions = mentionsNeeded(utterances);
  const lasting = topics.filter((topic) => topic.mentions >= mentions && topic.last - topic.first >= SPAN);
  const isRare = utterances >= LONG_TALK.utterances && (lasting[0]?.mentions ?? 0) < LONG_TALK.mentions;
  const main = mainTopics(lasting, mentions);
  return isRare || !isDense(main, DENSITY) ? [] : main;
}

const isRecognised = ({ asrConfidence: { mean, least } }: SpokenSentence): boolean =>
  mean >= QUOTABLE.mean && least >= QUOTABLE.least;

/**
 * Minimum number of different content words of a sentence, in a conversation of several minutes. Strict readers found
 * most of the shorter ones trivial or incomplete; one with a figure, or with what its speaker wants, is not.
 */
const SUBSTANCE = 7;
/** The same for a sentence that says what its speaker wants. */
const WISH = 4;
/** Maximum number of words of a sentence that is repeated. Longer ones are hard to follow, and are cut off in a line. */
const LONGEST = 36;
/** Number of sentences from which there are enough to choose from. */
const CHOICE = 40;

/** Whether a sentence says by itself what it is about. "They did it again" does not. */
const hasSubject = ({ text }: SpokenSentence, nouns: NounShares, language: Language): boolean =>
  words(text).some(
    (word) => isNumber(word, language) || (isContentWord(word, language) && nouns.nominal(word, language) >= SUBJECT),
  );

/** Whether a sentence refers to somebody or something that an earlier one names: "they did it again", "as he said". */
function leansBack({ text }: SpokenSentence, nouns: NounShares, language: Language): boolean {
  const { pronoun, anybody, expletive } = language.summaryCues;
  for (const word of words(text.replace(expletive, ' '))) {
    if (pronoun.test(word)) return true;
    if (anybody.test(word) || (isContentWord(word, language) && nouns.head(word, language) >= REFERENT)) return false;
  }
  return false;
}

export function gatherMaterial(
  { structure, setting, insights, transitions, moments, outcomes, commitments, goal: asked }: SummaryInput,
  book: EvidenceBook,
  weights: Pick<StructureWeights, 'vectors' | 'nouns'>,
): SummaryMaterial {
  const { utterances, turns, sentencesOf, speakers, focus } = structure;
  const { language } = turns;
  const goal = asked.trim();
  const idsOf = idsIn(utterances);
  const sentences = utterances.flatMap((_, turn) => sentencesOf(turn));
  const { leaningStart, dependentOnly, wanted } = turns.language.summaryCues;
  const isSubstantial = (s: SpokenSentence): boolean =>
    sentences.length < CHOICE ||
    s.stems.length >= SUBSTANCE ||
    /\d/.test(s.text) ||
    (s.stems.length >= WISH && wanted.test(s.text));
  const isQuotable = sentences.map(
    (s) =>
      isRecognised(s) &&
      isSubstantial(s) &&
      s.length <= LONGEST &&
      hasSubject(s, weights.nouns, turns.language) &&
      (s.asks || !leaningStart.test(s.text)) &&
      !dependentOnly.test(s.text) &&
      !isBroken(s.text, turns.language) &&
      (sentences.length < CHOICE ||
        !(hesitates(s.text, turns.language) || leansBack(s, weights.nouns, turns.language))) &&
      !isCutOff(s.text, turns.language),
  );
  const ofQuotable = (value: Float64Array): Float64Array => value.map((v, i) => (isQuotable[i] ? v : 0));
  const first = utterances[0]?.t_start ?? 0;
  return {
    ...structure,
    setting,
    insights,
    transitions,
    moments,
    goal,
    answers: answersTo(
      { goal, turns, sentences, utterances, speakers, moments, outcomes, commitments, idsOf, language },
      sentences.filter(isRecognised),
      weights.vectors,
    ),
    topics: overallTopics(
      topicWords(turns, 0, turns.count, focus, TOPICS, calledNames(turns.texts, turns.language), weights),
      turns.count,
    ),
    sentences,
    value: ofQuotable(salience(sentences, turns, focus)),
    purposeValue: ofQuotable(salience(sentences, turns, focus, AT_THE_HEAD)),
    outcomes,
    commitments,
    duration: utterances.reduce((end, u) => Math.max(end, u.t_end), first) - first,
    book,
    language,
    idsOf,
  };
}
