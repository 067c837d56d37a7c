import { expect, it } from 'vitest';
import { isBackChannel, isQuestion } from '../../../src/conversation/words/surface.ts';

it.each(['mm', 'mmmmmm', 'mm-hmm', 'mmmm-hm', 'mmmhm', 'hmm mmhm', 'mhmmm', 'Mm-hm. Yeah, right.', 'uh-huh mm mm'])(
  '%s only shows that somebody listens',
  (text) => expect(isBackChannel(text)).toBe(true),
);

it.each(['m', 'mmm-hm', 'mhmm', 'mm mm mm mm', 'mmx', 'yes but'])('%s says more', (text) =>
  expect(isBackChannel(text)).toBe(false),
);

it('tells a question behind any closing marks', () => {
  expect(isQuestion('That is fine, right.. .')).toBe(true);
  expect(isQuestion('That is fine.. .')).toBe(false);
});
