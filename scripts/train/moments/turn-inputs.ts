import { languageOf } from '../../../src/conversation/languages.ts';
import { type TurnFeatures, turnFeatures, windowFacts } from '../../../src/conversation/moments/turn-features.ts';
import type { MarkedTurn } from '../../../support/own-data.ts';

/** The network's inputs for a turn, except the encodings and the states of its neighbours. */
export interface TurnInputs {
  runs: readonly number[];
  facts: readonly number[];
  /** Features of the turn and its neighbours. */
  window: readonly number[];
}

/** @param encodings of the texts; a missing one counts as unknown */
export function turnInputs(
  turns: readonly Pick<MarkedTurn, 'speaker' | 'text'>[],
  encodings: ReadonlyMap<string, Float32Array>,
): TurnInputs[] {
  const speakers = new Set<string>();
  const heard = turns.map(({ speaker, text }, index): TurnFeatures => {
    speakers.add(speaker);
    const utterance = { utterance_id: `${index}`, speaker, t_start: index, t_end: index, text };
    return turnFeatures(utterance, { index, speakers: speakers.size, encoding: encodings.get(text) }, languageOf('en'));
  });
  return heard.map((turn, i) => ({
    runs: turn.runs,
    facts: turn.facts,
    window: windowFacts({ turn, before: heard[i - 1], earlier: heard[i - 2], next: heard[i + 1] }),
  }));
}
