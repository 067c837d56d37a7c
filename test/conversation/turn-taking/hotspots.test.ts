import { expect, it } from 'vitest';
import { findHotspots } from '../../../src/conversation/turn-taking/hotspots.ts';
import { talk } from '../lines.ts';

const of = (signals: Parameters<typeof Object.assign>[0][]) =>
  findHotspots(talk('A: so it is\n'.repeat(signals.length)).map((u, i) => ({ ...u, ...signals[i] }))).map(
    ({ utterance, by, score }) => [utterance.utterance_id, by, score],
  );

it('are the utterances where a signal or the load stands out', () => {
  expect(of([{ cognitive_signals: { uncertain: 0.7 } }, {}, {}, { load_level: 'high' }])).toEqual([
    ['c_utt_0', 'uncertain', 0.7],
    ['c_utt_3', 'load', 0.6],
  ]);
});

it('name the signal of a loaded utterance only where it is the stronger', () => {
  expect(of([{ load_level: 'high', cognitive_signals: { confused: 0.55 } }])).toEqual([['c_utt_0', 'load', 0.6]]);
  expect(of([{ load_level: 'high', cognitive_signals: { confused: 0.65 } }])).toEqual([['c_utt_0', 'confused', 0.65]]);
});

it('lie apart, the strongest kept', () => {
  const signals = [0.6, 0.9, 0.7, 0, 0.8].map((confused) => ({ cognitive_signals: { confused } }));
  expect(of(signals).map(([id]) => id)).toEqual(['c_utt_1', 'c_utt_4']);
});
