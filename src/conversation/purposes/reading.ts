import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Genre } from '../lexicon/phase-kinds.ts';
import { findBoundaries } from '../topics/boundaries.ts';
import type { BoundaryModels } from '../topics/boundary-classifier.ts';
import { boundaryHints, pausesBefore } from '../topics/hints.ts';
import type { NounShares } from '../topics/noun-shares.ts';
import { type SaidSentence, saidSentences } from '../words/said-sentences.ts';
import { readTurns, type Turns } from '../words/turns.ts';
import type { WordVectors } from '../words/word-vectors.ts';
import { type Purpose, purposesOf, stagesOf } from './purposes.ts';
import { readEvidence } from './stage-evidence.ts';

/** What helps to read a conversation beside its utterances. */
export interface ReadingHints {
  /** Undefined where nobody read any. */
  moments: MomentEvent[] | undefined;
  transitions: TransitionEvent[];
  /** Stems of what the caller asks for. */
  focus: ReadonlySet<string>;
}

/** What a conversation is read with. */
export interface ReadingWeights {
  vectors: WordVectors;
  nouns: NounShares;
  boundaries: BoundaryModels;
}

/** A conversation as it was read, once: all that is told of it rests on this. */
export interface Reading {
  /** In order of `t_start`. */
  utterances: Utterance[];
  /** In order of their first utterance. */
  speakers: string[];
  turns: Turns;
  /** The sentences of one utterance, read when they are first asked for. */
  sentencesOf: (turn: number) => readonly SaidSentence[];
  genre: Genre;
  /** They tile the conversation, each of at least one utterance. */
  purposes: Purpose[];
  focus: ReadonlySet<string>;
}

/** Reads a conversation in steps between which others can have their turn: of the longest it takes seconds. */
export function* readInSteps(
  utterances: Utterance[],
  { moments, transitions, focus }: ReadingHints,
  weights: ReadingWeights,
): Generator<void, Reading> {
  const turns = readTurns(utterances, weights.vectors);
  yield;
  const pauses = pausesBefore(utterances);
  const topics = findBoundaries(
    turns,
    weights.boundaries,
    boundaryHints(utterances, pauses, moments ?? [], transitions),
  );
  yield;
  const evidence = readEvidence(turns);
  yield;
  const stages = stagesOf(evidence, topics, utterances, moments);
  yield;
  const purposes = purposesOf(stages, utterances, turns, pauses, focus, weights);
  yield;
  const sentences: SaidSentence[][] = [];
  return {
    utterances,
    speakers: [...new Set(turns.speakers)],
    turns,
    sentencesOf: (turn) => {
      sentences[turn] ??= saidSentences(turns, turn);
      return sentences[turn];
    },
    genre: evidence.genre,
    purposes,
    focus,
  };
}
