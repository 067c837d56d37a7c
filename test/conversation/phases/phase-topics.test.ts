import { expect, it } from 'vitest';
import type { PhaseKind } from '../../../src/conversation/lexicon/phase-kinds.ts';
import { phaseTopics } from '../../../src/conversation/phases/phase-topics.ts';

const topic = (surface: string, score = 1, mentions = 1) => ({ stem: surface, surface, score, mentions });
const about = (kind: PhaseKind | undefined, ...surfaces: string[]) => ({ kind, topics: surfaces.map((s) => topic(s)) });

it('two phases about the same are told apart', () => {
  const phases = [about(undefined, 'cat', 'kitten'), about(undefined, 'cat', 'house'), about(undefined, 'cat')];
  expect(phaseTopics(phases, new Set())).toEqual(['cat', 'house', 'cat']);
});

it('a kind tells its topic where it comes twice or was asked for', () => {
  const phases = [about('pricing', 'seats'), about('pricing', 'training'), about('payment', 'card')];
  expect(phaseTopics(phases, new Set())).toEqual(['seats', 'training', undefined]);
  expect(phaseTopics(phases, new Set(['card']))).toEqual(['seats', 'training', 'card']);
});

it('two topics of like weight are told together', () => {
  const phases = [{ kind: undefined, topics: [topic('trail', 2, 3), topic('tent', 1.8, 2)] }];
  expect(phaseTopics(phases, new Set())).toEqual(['trail and tent']);
});
