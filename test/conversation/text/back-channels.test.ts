import { expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { isBackChannel } from '../../../src/conversation/text/back-channels.ts';

const ENGLISH = languageOf('en');

it.each(['mm', 'mmmmmm', 'mm-hmm', 'mmmm-hm', 'mmmhm', 'hmm mmhm', 'mhmmm', 'Mm-hm. Yeah, right.', 'uh-huh mm mm'])(
  '%s only shows that somebody listens',
  (text) => expect(isBackChannel(text, ENGLISH)).toBe(true),
);

it.each(['m', 'mmm-hm', 'mhmm', 'mm mm mm mm', 'mmx', 'yes but'])('%s says more', (text) =>
  expect(isBackChannel(text, ENGLISH)).toBe(false),
);

it('up to three listening words only show that somebody listens', () => {
  expect(['Mm-hm.', 'Oh okay, right.', 'Yeah.'].map((text) => isBackChannel(text, ENGLISH))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isBackChannel('Yeah, send it.', ENGLISH)).toBe(false);
});
