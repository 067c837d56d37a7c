import { expect, it } from 'vitest';
import type { MomentEvent } from '../../../src/contract/findings.ts';
import type { Outcomes } from '../../../src/conversation/outcomes.ts';
import type { PhaseSignal } from '../../../src/conversation/phases/phase-signals.ts';
import type { Phase } from '../../../src/conversation/phases/phases.ts';
import { narrativeArc, rationale } from '../../../src/conversation/summary/narrative.ts';

const phase = (signal?: PhaseSignal): Phase => ({
  from: 0,
  to: 1,
  kind: undefined,
  topics: [],
  tone: { valence: null, arousal: null, word: 'not measured' },
  floor: new Map(),
  topic: undefined,
  manner: 'discussion',
  signal,
});
const NOTHING: Outcomes = { accepted: [], rejected: [], open: [], overcome: [], standing: [] };
const by = (speaker_id: string, start_ms = 0, category = 'cta_offered') =>
  ({ speaker_id, start_ms, category, labels: ['price'] }) as MomentEvent;
const arcOf = (outcomes: Partial<Outcomes>) => narrativeArc([phase()], ['Discussion'], { ...NOTHING, ...outcomes });

it('counts what a phase begins with, not the words that somebody said', () => {
  const asked: PhaseSignal = {
    by: 'question',
    speaker: 'A',
    sentence: 'why the silence, the mood, and who announces it?',
  };
  expect(rationale([phase(), phase(asked), phase({ by: 'silence', speaker: 'B' })])).toBe(
    'Cut where the wording opens something new; of the 2 boundaries 1 after a silence and 1 opened by a question.',
  );
});

it('tells how the proposals ended, or that one stays open', () => {
  const [early, late] = [by('A', 1, 'cta_accepted'), by('B', 2, 'cta_rejected')];
  const settled = { accepted: [{ offer: undefined, answer: early }], rejected: [{ offer: undefined, answer: late }] };
  expect(arcOf({ ...settled, open: [by('C')] })).toBe('Discussion throughout. In the end B declines what is proposed.');
  expect(arcOf({ open: [by('C')] })).toBe("Discussion throughout. C's proposal stays open.");
  expect(arcOf({ standing: [by('D')] })).toBe('Discussion throughout. D objects on price.');
  expect(arcOf({})).toBe('Discussion throughout.');
});
