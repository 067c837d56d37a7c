import { expect, test } from 'vitest';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { TransitionDetector } from '../../../src/conversation/affect/transitions.ts';

const at = (i: number, valence: number, speaker = 'A', more: Partial<Utterance> = {}): Utterance => ({
  utterance_id: `u${i}`,
  speaker,
  t_start: i * 4,
  t_end: i * 4 + 3,
  text: 'so it is',
  pad_scores: { valence, arousal: 0.5, dominance: 0.5 },
  confidence: 0.8,
  ...more,
});

function run(valences: number[]): { streamed: string[]; detector: TransitionDetector } {
  const detector = new TransitionDetector('c');
  const streamed = valences.flatMap((v, i) =>
    detector.add(at(i, v)).map((t) => `${t.transition_id} ${t.stability} ${i}`),
  );
  return { streamed, detector };
}

test('a drop is reported once a second utterance shows it, dated by the first', () => {
  const { streamed, detector } = run([0.6, 0.6, 0.6, 0.1, 0.1, 0.1]);
  expect(streamed).toEqual(['c_trn_0 final 4']);
  expect(detector.transitions).toMatchObject([
    { transition_id: 'c_trn_0', stability: 'final', from_state: 'content', to_state: 'tense', at_ms: 12000 },
  ]);
  expect(detector.transitions[0]?.drivers.valence_drop).toBeLessThan(-0.15);
  expect(detector.transitions[0]?.evidence_utterance_ids).toEqual(['u2', 'u3', 'u4']);
});

test('a change that does not hold is none', () => {
  expect(run([0.6, 0.6, 0.6, 0.1, 0.9, 0.6, 0.6]).detector.transitions).toEqual([]);
});

test('utterances of one or two words change nothing', () => {
  const detector = new TransitionDetector('c');
  const spoken = [0.6, 0.6, 0.6, 0.1, 0.1].map((v, i) => at(i, v, 'A', i < 3 ? {} : { text: 'Oh, no.' }));
  expect(spoken.flatMap((u) => detector.add(u))).toEqual([]);
  expect([5, 6].flatMap((i) => detector.add(at(i, 0.1)).map((t) => t.evidence_utterance_ids))).toEqual([
    ['u2', 'u5', 'u6'],
  ]);
});

test('an even conversation has no transitions', () => {
  expect(run([0.5, 0.53, 0.48, 0.51, 0.5, 0.52, 0.49]).detector.transitions).toEqual([]);
});

test('a speaker who always varies needs a larger change', () => {
  const varied = [0.75, 0.3, 0.75, 0.3, 0.75, 0.3, 0.75];
  expect(run([...varied, 0.35, 0.35]).detector.transitions.filter((t) => t.stability === 'final')).toEqual([]);
});

test('utterances without any measure of affect are skipped', () => {
  const detector = new TransitionDetector('c');
  for (let i = 0; i < 5; i++)
    detector.add({ utterance_id: `u${i}`, speaker: 'A', t_start: i, t_end: i + 1, text: 'x' });
  expect(detector.transitions).toEqual([]);
});

test('polarity alone is enough', () => {
  const detector = new TransitionDetector('c');
  for (const [i, polarity] of [0.5, 0.5, 0.5, -0.9, -0.9].entries()) {
    detector.add({ utterance_id: `u${i}`, speaker: 'A', t_start: i, t_end: i + 1, text: 'so it is', polarity });
  }
  expect(detector.transitions).toMatchObject([{ stability: 'final', speaker_id: 'A' }]);
});

test('each speaker has a state of their own', () => {
  const detector = new TransitionDetector('c');
  [0.6, 0.6, 0.6, 0.1, 0.1, 0.1].forEach((v, i) => {
    detector.add(at(2 * i, v, 'A'));
    detector.add(at(2 * i + 1, 0.6, 'B'));
  });
  expect(detector.transitions.filter((t) => t.speaker_id === 'B')).toEqual([]);
  expect(detector.transitions.filter((t) => t.speaker_id === 'A')).toHaveLength(1);
});
