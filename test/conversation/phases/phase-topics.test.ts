import { expect, it } from 'vitest';
import type { PhaseKind } from '../../../src/conversation/lexicon/phase-kinds.ts';
import { phaseTopics } from '../../../src/conversation/phases/phase-topics.ts';

const topic = (surface: string, score = 1, mentions = 1) => ({
  stem: surface,
  surface,
  score,
  mentions,
  density: 5,
  first: 0,
  last: 1,
});
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

it('what is said once is no topic, except for a phrase with which a part of a short conversation begins', () => {
  const phases = [
    { kind: undefined, topics: [topic('hoof')] },
    { kind: undefined, topics: [{ ...topic('steering wheel'), first: 0.8 }] },
    { kind: undefined, topics: [topic('rental car')] },
    { kind: undefined, topics: [topic('garden', 1, 2)] },
  ];
  const names = [undefined, undefined, 'rental car', 'garden'];
  expect(phaseTopics(phases, new Set())).toEqual(names);
  expect(phaseTopics(phases, new Set(), 3)).toEqual(names.map(() => undefined));
});

it('a topic that is said too rarely is named only on request', () => {
  const of = (mentions: number, words: number) => ({
    kind: undefined,
    topics: [{ ...topic('boat', 1, mentions), density: (100 * mentions) / words }],
  });
  const names = (...phases: ReturnType<typeof of>[]) => phases.map((one) => phaseTopics([one], new Set())[0]);
  expect(names(of(2, 50), of(8, 700))).toEqual(['boat', 'boat']);
  expect(names(of(2, 150), of(6, 700))).toEqual([undefined, undefined]);
  expect(phaseTopics([of(6, 700)], new Set(['boat']))).toEqual(['boat']);
});

it('a topic that lasts comes before one that is mentioned in passing', () => {
  const passing = { ...topic('trailer', 2, 3), first: 0.5, last: 0.6 };
  expect(phaseTopics([{ kind: undefined, topics: [passing, topic('tent', 1, 3)] }], new Set())).toEqual(['tent']);
  expect(phaseTopics([{ kind: undefined, topics: [passing] }], new Set())).toEqual(['trailer']);
});

it('up to three topics of similar weight are named together', () => {
  const named = (...topics: ReturnType<typeof topic>[]) => phaseTopics([{ kind: undefined, topics }], new Set())[0];
  expect(named(topic('trail', 2, 3), topic('tent', 1.8, 2))).toBe('trail, tent');
  expect(named(topic('trail', 2, 3), topic('tent', 0.9, 2))).toBe('trail');
  expect(named(topic('trail', 2, 3), topic('trail map', 1.8, 2), topic('tent', 1.8, 2))).toBe('trail, tent');
  expect(named(...['trail', 'tent', 'stove', 'lamp'].map((one) => topic(one, 1, 2)))).toBe('trail, tent, stove');
});
