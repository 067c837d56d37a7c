import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { SmallTalkGuess } from '../../../src/conversation/moments/small-talk.ts';

const STORIES = [
  'They moved there when the kids were small, and my mother thought it was a terrible town.',
  'It flooded the year they arrived. The neighbours had boats tied to their porches.',
  'Really? And the school was closed all that time?',
  'It stayed closed until people cleaned it out. Everybody brought a shovel, and she cooked for them.',
  'People did that, back then. He told the story every Christmas, how the piano floated out of the church.',
  'It was found two miles away, and they played it again after it dried.',
];
const BOOKING = [
  'Hello, I would like to book an appointment for next week, please.',
  'Of course, I can offer you Tuesday at ten. Will that work for you?',
  'I need something after five. Could we do Wednesday?',
  "We have six o'clock on Wednesday. I'll need your phone number and your address.",
  'My number is 555 0134. What will it cost?',
  "It's forty pounds. You can pay by card, and I'll send you an email.",
];

function guessOf(lines: readonly string[]): SmallTalkGuess {
  const guess = new SmallTalkGuess(languageOf('en'));
  for (const line of lines) guess.add(line);
  return guess;
}

describe('the guess whether a conversation is small talk', () => {
  it('is certain of stories and not of a booking', () => {
    expect(guessOf(STORIES).isSmallTalk).toBe(true);
    expect(guessOf(BOOKING).chance).toBeLessThan(0.2);
  });

  it('is undecided before much was said', () => {
    for (const lines of [[], STORIES.slice(0, 1)]) expect(guessOf(lines).isSmallTalk).toBe(false);
  });

  it('follows a conversation that comes to business', () => {
    const guess = guessOf(STORIES);
    for (const line of [...BOOKING, ...BOOKING]) guess.add(line);
    expect(guess.isSmallTalk).toBe(false);
  });

  it('does not depend on signs of listening', () => {
    const listening = STORIES.flatMap((line) => [line, 'Yeah.', 'Uh, well, like, okay.']);
    expect(guessOf(listening).chance).toBeCloseTo(guessOf(STORIES).chance, 10);
  });
});
