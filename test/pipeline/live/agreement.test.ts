import { expect, it } from 'vitest';
import { LocalAgreement } from '../../../containers/pipeline/live/agreement.ts';

it('holds nothing stable after one hypothesis', () => {
  expect(new LocalAgreement().next('so what')).toEqual({ text: 'so what', stableText: '' });
});

it('holds stable what two hypotheses in a row agree on', () => {
  const agreement = new LocalAgreement();
  agreement.next('so what is the prize');
  expect(agreement.next('so what is the price of it')).toEqual({
    text: 'so what is the price of it',
    stableText: 'so what is the',
  });
});

it('does not take a stable word back', () => {
  const agreement = new LocalAgreement();
  agreement.next('I can hear you');
  agreement.next('I can hear you now');
  expect(agreement.next('I cannot hear you now please')).toEqual({
    text: 'I can hear you now please',
    stableText: 'I can hear you',
  });
});

it('looks past case and punctuation', () => {
  const agreement = new LocalAgreement();
  agreement.next('Well.');
  expect(agreement.next('well, yes').stableText).toBe('well,');
});

it('takes an empty hypothesis', () => {
  expect(new LocalAgreement().next('')).toEqual({ text: '', stableText: '' });
});
