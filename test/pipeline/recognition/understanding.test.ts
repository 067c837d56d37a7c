import { describe, expect, it } from 'vitest';
import { type RepeatedRecognition, understandingOf } from '../../../containers/pipeline/recognition/understanding.ts';

const said = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `word${from + i}`).join(' ');
const heard = (seconds: number, confidence: number, ...texts: string[]): RepeatedRecognition[] => [
  { seconds, passes: texts.map((text) => ({ text, confidence })) },
];

describe('speech', () => {
  it('is understood at once where the recogniser is sure of enough words', () => {
    expect(understandingOf(heard(10, 0.9, said(20)))).toBe('understood');
  });

  it('needs another pass where it is not sure, or there are few words', () => {
    expect(understandingOf(heard(10, 0.7, said(20)))).toBeNull();
    expect(understandingOf(heard(3, 0.9, said(5)))).toBeNull();
  });

  it('is understood when most words stay the same in the second pass', () => {
    expect(understandingOf(heard(10, 0.7, said(20), said(18)))).toBe('understood');
  });

  it('is not understood when the second pass gives entirely different words', () => {
    expect(understandingOf(heard(10, 0.7, said(20), said(20, 100)))).toBe('not_understood');
  });

  it('is judged by the mean of three passes in between', () => {
    expect(understandingOf(heard(10, 0.7, said(20), said(10)))).toBeNull();
    expect(understandingOf(heard(10, 0.7, said(20), said(10), said(18)))).toBe('understood');
    expect(understandingOf(heard(10, 0.7, said(20), said(10), said(8)))).toBe('not_understood');
  });

  it('is not understood where the recogniser has no confidence in any words', () => {
    expect(understandingOf(heard(10, 0.4, said(20)))).toBe('not_understood');
  });

  it('is not understood when many words repeat, or long speech gives hardly any', () => {
    expect(understandingOf(heard(10, 0.9, Array(8).fill('and this is').join(' ')))).toBe('not_understood');
    expect(understandingOf(heard(20, 0.9, said(9)))).toBe('not_understood');
    expect(understandingOf(heard(20, 0, ''))).toBe('not_understood');
  });

  it('is uncertain over few words that are not sure or do not agree', () => {
    expect(understandingOf(heard(3, 0.7, said(6), said(6), said(6)))).toBe('understood');
    expect(understandingOf(heard(3, 0.5, said(6), said(6), said(6)))).toBe('uncertain');
    expect(understandingOf(heard(3, 0.7, said(6), said(2), said(2)))).toBe('uncertain');
    expect(understandingOf([])).toBe('uncertain');
  });

  it('is uncertain over few words of which a pass is not sure or was broken off', () => {
    const passesOf = (confidence: number, cut: boolean) =>
      [0.7, 0.7, confidence].map((one) => ({ text: said(6), confidence: one, cut }));
    expect(understandingOf([{ seconds: 3, passes: passesOf(0.7, false) }])).toBe('understood');
    expect(understandingOf([{ seconds: 3, passes: passesOf(0.5, false) }])).toBe('uncertain');
    expect(understandingOf([{ seconds: 3, passes: passesOf(0.7, true) }])).toBe('uncertain');
  });
});
