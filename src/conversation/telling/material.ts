import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { Insights } from '../../contract/insights.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Genre } from '../lexicon/phase-kind.ts';
import { type Outcomes, outcomesOf } from '../outcomes.ts';
import { readEvidence } from '../purposes/stage-evidence.ts';
import { calledNames, focusStems, type TopicWord, topicWords } from '../topics/topic-words.ts';
import type { SegmentationWeights } from '../weights.ts';
import { readSentences, type Sentence } from '../words/sentences.ts';
import { readTurns } from '../words/turns.ts';
import type { EvidenceBook } from './evidence.ts';
import { salience } from './salience.ts';

/** Everything the parts of a summary draw on, read once. */
export interface Material {
  utterances: Utterance[];
  insights: Insights;
  transitions: TransitionEvent[];
  goal: string;
  /** Stems of the goal. */
  focus: ReadonlySet<string>;
  genre: Genre;
  topics: TopicWord[];
  sentences: Sentence[];
  /** How much each sentence tells, aligned with `sentences`. */
  value: Float64Array;
  outcomes: Outcomes;
  speakers: string[];
  /** Seconds from the first start to the last end. */
  duration: number;
  book: EvidenceBook;
  /** Id of a sentence's utterance. */
  idOf: (sentence: Sentence) => string;
}

/** Topics a summary may name. */
const TOPICS = 5;

export function gatherMaterial(
  input: {
    utterances: Utterance[];
    insights: Insights;
    transitions: TransitionEvent[];
    moments: MomentEvent[];
    goal: string;
  },
  book: EvidenceBook,
  weights: Pick<SegmentationWeights, 'vectors' | 'nouns'>,
): Material {
  const { utterances, insights, transitions, moments, goal } = input;
  const turns = readTurns(utterances, weights.vectors);
  const focus = focusStems(goal);
  const sentences = readSentences(turns);
  const first = utterances[0]?.t_start ?? 0;
  return {
    utterances,
    insights,
    transitions,
    goal: goal.trim(),
    focus,
    genre: readEvidence(turns).genre,
    topics: topicWords(turns, 0, turns.count, focus, TOPICS, calledNames(turns.texts), weights),
    sentences,
    value: salience(sentences, turns, focus),
    outcomes: outcomesOf(moments, utterances),
    speakers: [...new Set(utterances.map((u) => u.speaker))],
    duration: utterances.reduce((end, u) => Math.max(end, u.t_end), first) - first,
    book,
    idOf: (s) => utterances[s.turn]!.utterance_id,
  };
}
