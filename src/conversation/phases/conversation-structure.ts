import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import type { Genre } from '../lexicon/phase-kinds.ts';
import { SmallTalkGuess } from '../moments/small-talk.ts';
import { type SpokenSentence, spokenSentences } from '../text/spoken-sentences.ts';
import { type Turns, turnsInSteps } from '../text/turns.ts';
import type { WordVectors } from '../text/word-vectors.ts';
import { boundariesInSteps } from '../topics/boundaries.ts';
import type { BoundaryModels } from '../topics/boundary-classifier.ts';
import { boundaryHints, pausesBefore } from '../topics/hints.ts';
import type { NounShares } from '../topics/noun-shares.ts';
import { readEvidence } from './phase-evidence.ts';
import { describePhases, type Phase, segmentPhases } from './phases.ts';

/** Information other than utterances that helps to divide a conversation. */
export interface StructureHints {
  /** Undefined when moments were not detected. */
  moments: MomentEvent[] | undefined;
  transitions: TransitionEvent[];
  /** Stems of the caller's context or goal. */
  focus: ReadonlySet<string>;
}

/** The weights for dividing a conversation. */
export interface StructureWeights {
  vectors: WordVectors;
  nouns: NounShares;
  boundaries: BoundaryModels;
}

/** The structure of a conversation. It is computed once, and every conclusion depends on it. */
export interface ConversationStructure {
  /** Ordered by `t_start`. */
  utterances: Utterance[];
  /** Speakers, in the order in which they first speak. */
  speakers: string[];
  turns: Turns;
  /** The sentences of one utterance, which is split when they are first used. */
  sentencesOf: (turn: number) => readonly SpokenSentence[];
  genre: Genre;
  /** Nobody seems to propose anything, so that promises, praise and complaints are not about the conversation. */
  isSmallTalk: boolean;
  /** Phases without gaps or overlaps, each of at least one utterance. */
  phases: Phase[];
  focus: ReadonlySet<string>;
}

/** Analyses a conversation in steps, so that other work can run in between. The longest conversation takes seconds. */
export function* analyseStructure(
  utterances: Utterance[],
  { moments, transitions, focus }: StructureHints,
  weights: StructureWeights,
  language: Language,
): Generator<void, ConversationStructure> {
  const turns = yield* turnsInSteps(utterances, weights.vectors, language);
  yield;
  const pauses = pausesBefore(utterances);
  const topics = yield* boundariesInSteps(
    turns,
    weights.boundaries,
    boundaryHints(utterances, pauses, moments ?? [], transitions, turns.goesOn),
  );
  yield;
  const evidence = readEvidence(turns);
  yield;
  const smallTalk = new SmallTalkGuess(language);
  for (const { text } of utterances) smallTalk.add(text);
  const { isSmallTalk } = smallTalk;
  const stages = segmentPhases(evidence, topics, utterances, moments, isSmallTalk);
  yield;
  const purposes = yield* describePhases(stages, utterances, turns, pauses, focus, weights);
  yield;
  const sentences: SpokenSentence[][] = [];
  return {
    utterances,
    speakers: [...new Set(turns.speakers)],
    turns,
    sentencesOf: (turn) => {
      sentences[turn] ??= spokenSentences(turns, turn);
      return sentences[turn];
    },
    genre: evidence.genre,
    isSmallTalk,
    phases: purposes,
    focus,
  };
}
