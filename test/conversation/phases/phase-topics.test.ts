import { expect, it } from 'vitest';
import type { PhaseKind } from '../../../src/conversation/lexicon/phase-kinds.ts';
import { phaseTopics } from '../../../src/conversation/phases/phase-topics.ts';

const topic = (surface: string, score = 1, mentions = 1) => ({ stem: surface, surface, score, mentions });
const about = (kind: PhaseKind | undefined, ...surfaces: string[]) => ({
  kind,
  topics: surfaces.map((s, i) => topic(s, 1 / (i + 1), 2)),
});

it('two phases with the same topics get different names', () => {
  const phases = [about(undefined, 'cat', 'kitten'), about(undefined, 'cat', 'house'), about(undefined, 'cat')];
  expect(phaseTopics(phases, new Set())).toEqual(['cat', 'house', 'cat']);
});

it('a kind has its topic in the name where it occurs twice or matches the request', () => {
  const phases = [about('pricing', 'seats'), about('pricing', 'training'), about('payment', 'card')];
  expect(phaseTopics(phases, new Set())).toEqual(['seats', 'training', undefined]);
  expect(phaseTopics(phases, new Set(['card']))).toEqual(['seats', 'training', 'card']);
});

it('what is said once is no topic', () => {
  const phases = [
    { kind: undefined, topics: [topic('hoof')] },
    { kind: undefined, topics: [topic('rental car')] },
    { kind: undefined, topics: [topic('garden', 1, 2)] },
  ];
  expect(phaseTopics(phases, new Set())).toEqual([undefined, undefined, 'garden']);
});

it('two topics of similar weight are named together', () => {
  const phases = [{ kind: undefined, topics: [topic('trail', 2, 3), topic('tent', 1.8, 2)] }];
  expect(phaseTopics(phases, new Set())).toEqual(['trail and tent']);
});
