import { expect, it } from 'vitest';
import { isBackChannel } from '../../../src/conversation/text/back-channels.ts';

it.each(['mm', 'mmmmmm', 'mm-hmm', 'mmmm-hm', 'mmmhm', 'hmm mmhm', 'mhmmm', 'Mm-hm. Yeah, right.', 'uh-huh mm mm'])(
  '%s only shows that somebody listens',
  (text) => expect(isBackChannel(text)).toBe(true),
);

it.each(['m', 'mmm-hm', 'mhmm', 'mm mm mm mm', 'mmx', 'yes but'])('%s says more', (text) =>
  expect(isBackChannel(text)).toBe(false),
);

it('up to three listening words only show that somebody listens', () => {
  expect(['Mm-hm.', 'Oh okay, right.', 'Yeah.'].map(isBackChannel)).toEqual([true, true, true]);
  expect(isBackChannel('Yeah, send it.')).toBe(false);
});
