import { expect, it } from 'vitest';
import { LocalAgreement } from '../../../containers/pipeline/live/agreement.ts';

it('has no stable word after one hypothesis', () => {
  expect(new LocalAgreement().next('so what')).toEqual({ text: 'so what', stableText: '' });
});

it('keeps words stable on which two consecutive hypotheses agree', () => {
  const agreement = new LocalAgreement();
  agreement.next('so what is the prize');
  expect(agreement.next('so what is the price of it')).toEqual({
    text: 'so what is the price of it',
    stableText: 'so what is the',
  });
});

it('does not withdraw a stable word', () => {
  const agreement = new LocalAgreement();
  agreement.next('I can hear you');
  agreement.next('I can hear you now');
  expect(agreement.next('I cannot hear you now please')).toEqual({
    text: 'I can hear you now please',
    stableText: 'I can hear you',
  });
});

it('ignores case and punctuation', () => {
  const agreement = new LocalAgreement();
  agreement.next('Well.');
  expect(agreement.next('well, yes').stableText).toBe('well,');
});

it('accepts an empty hypothesis', () => {
  expect(new LocalAgreement().next('')).toEqual({ text: '', stableText: '' });
});
