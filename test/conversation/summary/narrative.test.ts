import { expect, it } from 'vitest';
import type { MomentEvent } from '../../../src/contract/findings.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import type { Outcomes } from '../../../src/conversation/outcomes.ts';
import type { PhaseSignal } from '../../../src/conversation/phases/phase-signals.ts';
import type { Phase } from '../../../src/conversation/phases/phases.ts';
import { textOf } from '../../../src/conversation/sentences/spans.ts';
import { narrativeArc, rationale } from '../../../src/conversation/summary/narrative.ts';

const ENGLISH = languageOf('en');
const phase = (signal?: PhaseSignal): Phase => ({
  from: 0,
  to: 1,
  kind: undefined,
  topics: [],
  tone: { valence: null, arousal: null, word: 'not measured' },
  floor: new Map(),
  topic: undefined,
  signal,
});
const NOTHING: Outcomes = { accepted: [], rejected: [], overcome: [], unresolved: [] };
const by = (speaker_id: string, start_ms = 0, category = 'cta_offered') =>
  ({ speaker_id, start_ms, category, labels: ['price'] }) as MomentEvent;
const arcOf = (outcomes: Partial<Outcomes>): string =>
  textOf(
    narrativeArc(
      {
        setting: 'conversation',
        phases: [{ ...phase(), topic: 'boats' }],
        names: ['Boats'],
        outcomes: { ...NOTHING, ...outcomes },
      },
      ENGLISH,
    ),
  );
const WHOLE = 'The whole conversation is one phase: Boats.';

it('names consecutive phases of one purpose once', () => {
  const of = (kind: Phase['kind'], topic?: string): Phase => ({ ...phase(), kind, topic });
  const phases = [of(undefined, 'supplier'), of('scheduling'), of('scheduling'), of('closing')];
  const names = ['Supplier', 'Scheduling: Demo', 'Scheduling: Visit', 'Closing'];
  const arc = (from: number, to: number): string =>
    textOf(
      narrativeArc(
        { setting: 'conversation', phases: phases.slice(from, to), names: names.slice(from, to), outcomes: NOTHING },
        ENGLISH,
      ),
    );
  expect(arc(0, 4)).toBe('The conversation goes from Supplier through Scheduling to Closing.');
});

it('says a purpose or a topic that all phases share once', () => {
  const arcOf = (...phases: [Phase['kind'], topic?: string][]): string =>
    textOf(
      narrativeArc(
        {
          setting: 'conversation',
          phases: phases.map(([kind, topic]) => ({ ...phase(), kind, topic })),
          names: phases.map(([kind, topic]) => textOf(ENGLISH.sentences.phases.name({ kind, topic }))),
          outcomes: NOTHING,
        },
        ENGLISH,
      ),
    );
  const demo: [Phase['kind'], string] = ['scheduling', 'demo'];
  const boats: [Phase['kind'], string] = [undefined, 'boats'];
  const unnamed: [Phase['kind']] = [undefined];
  expect(arcOf(demo, ['scheduling', 'visit'])).toBe('Scheduling takes up both phases (demo and visit).');
  expect(arcOf(demo, ['scheduling'], unnamed)).toBe('Scheduling takes up 2 of the 3 phases (demo).');
  expect(arcOf(['scheduling'], unnamed, ['scheduling'])).toBe('Scheduling takes up 2 of the 3 phases.');
  expect(arcOf(boats, unnamed, boats)).toBe('Boats is the topic of 2 of the 3 phases.');
  expect(arcOf(demo, unnamed, ['scheduling'], boats)).toBe('The conversation goes from Scheduling to Boats.');
});

it('leaves out phases without a name', () => {
  const arcOf = (...topics: (string | undefined)[]): string =>
    textOf(
      narrativeArc(
        {
          setting: 'conversation',
          phases: topics.map((topic) => ({ ...phase(), topic })),
          names: topics.map((topic) => topic ?? 'No clear topic'),
          outcomes: NOTHING,
        },
        ENGLISH,
      ),
    );
  expect(arcOf('Boats', undefined, 'Harbour')).toBe('The conversation goes from Boats to Harbour.');
  expect(arcOf('Boats', undefined)).toBe('Only one of the 2 phases has a clear topic: Boats.');
  expect(arcOf(undefined, undefined)).toBe('No part of the conversation has a clear topic.');
});

it('counts the signals of phases, not the words that somebody said', () => {
  const asked: PhaseSignal = {
    by: 'question',
    speaker: 'A',
    sentence: 'why the silence, the mood, and who announces it?',
  };
  expect(textOf(rationale([phase(), phase(asked), phase({ by: 'silence', speaker: 'B' })], ENGLISH))).toBe(
    'The conversation is divided where a speaker moves on to something new. 1 of the 2 boundaries followed a silence and 1 opened with a question.',
  );
});

it('says how the proposals ended', () => {
  const [early, late] = [by('A', 1, 'cta_accepted'), by('B', 2, 'cta_rejected')];
  const offer = by('C');
  expect(arcOf({ accepted: [{ offer, answer: early }], rejected: [{ offer, answer: late }] })).toBe(
    `${WHOLE} B declines the proposal in the end.`,
  );
  expect(arcOf({ unresolved: [by('D')] })).toBe(`${WHOLE} D objects (price).`);
  expect(arcOf({})).toBe(WHOLE);
});
