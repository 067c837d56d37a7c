import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { Insights } from '../../contract/insights.ts';
import { type Outcomes, outcomesOf } from '../outcomes.ts';
import type { Reading, ReadingWeights } from '../purposes/reading.ts';
import { calledNames, type TopicWord, topicWords } from '../topics/topic-words.ts';
import type { Sentence } from '../words/sentences.ts';
import type { EvidenceBook } from './evidence.ts';
import { salience } from './salience.ts';

/** Everything the summary may rest on. */
export interface SummaryInput {
  reading: Reading;
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  /** The client's analysis focus; '' for none. */
  goal: string;
}

/** Everything the parts of a summary draw on, read once. */
export interface Material extends Reading {
  insights: Insights;
  transitions: TransitionEvent[];
  goal: string;
  topics: TopicWord[];
  sentences: Sentence[];
  /** How much each sentence tells, aligned with `sentences`. */
  value: Float64Array;
  outcomes: Outcomes;
  /** Seconds from the first start to the last end. */
  duration: number;
  book: EvidenceBook;
  /** Id of a sentence's utterance. */
  idOf: (sentence: Sentence) => string;
}

/** Topics a summary may name. */
const TOPICS = 5;

export function gatherMaterial(
  { reading, insights, transitions, moments, goal }: SummaryInput,
  book: EvidenceBook,
  weights: Pick<ReadingWeights, 'vectors' | 'nouns'>,
): Material {
  const { utterances, turns, sentencesOf, focus } = reading;
  const sentences = utterances.flatMap((_, turn) => sentencesOf(turn));
  const first = utterances[0]?.t_start ?? 0;
  return {
    ...reading,
    insights,
    transitions,
    goal: goal.trim(),
    topics: topicWords(turns, 0, turns.count, focus, TOPICS, calledNames(turns.texts), weights),
    sentences,
    value: salience(sentences, turns, focus),
    outcomes: outcomesOf(moments, utterances),
    duration: utterances.reduce((end, u) => Math.max(end, u.t_end), first) - first,
    book,
    idOf: (s) => utterances[s.turn]!.utterance_id,
  };
}
