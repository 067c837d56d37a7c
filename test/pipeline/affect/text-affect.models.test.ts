import { describe, expect, it } from 'vitest';
import { readModel } from '../../../containers/pipeline/affect/text/model.ts';
import { reactionsIn } from '../../../containers/pipeline/affect/text/reactions.ts';
import { readTextAffect, readWritten } from '../../../containers/pipeline/affect/text/text-affect.ts';
import { EMOTIONS, type EmotionMap } from '../../../src/contract/timeline.ts';
import { languageOf } from '../../../src/conversation/languages.ts';

const ENGLISH = languageOf('en');

const dominant = (map: EmotionMap) => EMOTIONS.reduce((best, name) => (map[name] > map[best] ? name : best), 'neutral');
const sum = (map: EmotionMap) => EMOTIONS.reduce((total, name) => total + map[name], 0);

describe('the text model', () => {
  it.each([
    ['I love this so much, thank you!', 'joy'],
    ['I am so sad that she died.', 'sadness'],
    ['I hate you, you stupid idiot.', 'anger'],
    ['I am scared of the dark.', 'fear'],
    ['Wow, I did not expect that at all!', 'surprise'],
    ['That is disgusting.', 'disgust'],
    ['The train leaves at nine.', 'neutral'],
  ])('reads "%s" as %s', (text, emotion) => expect(dominant(readWritten(readModel(text, ENGLISH)))).toBe(emotion));

  it('reads the same words alike without case and marks', () => {
    expect(dominant(readWritten(readModel('i am scared of the dark', ENGLISH)))).toBe('fear');
  });

  it.each(['', '...', 'ÄÖ 漢字 🙂', 'a '.repeat(2000)])('gives a distribution for odd text %#', (text) => {
    for (const map of [readWritten(readModel(text, ENGLISH)), readTextAffect(text, ENGLISH).emotions])
      expect(sum(map)).toBeCloseTo(1, 9);
  });

  it('gives the same numbers every time', () => {
    expect(readTextAffect('we could lower it', ENGLISH)).toEqual(readTextAffect('we could lower it', ENGLISH));
  });

  it('orders valence and arousal as people do', () => {
    const pad = (text: string) => readTextAffect(text, ENGLISH).pad;
    expect(pad('What a wonderful day, I love it!').valence).toBeGreaterThan(
      pad('The children were killed in the war.').valence + 0.2,
    );
    expect(pad('Oh my God, they are shooting at us!').arousal).toBeGreaterThan(
      pad('The office opens at nine.').arousal,
    );
  });
});

describe('the conversational reading', () => {
  it.each([
    'Okay.',
    'Right, yeah.',
    'Mm-hmm.',
    'How much is the monthly fee?',
    'What does it cost?',
    'I will send you the link.',
    'We have two offices.',
    'Sounds fine to me.',
    'Sorry, could you repeat that?',
  ])('finds "%s" neutral', (text) => expect(dominant(readTextAffect(text, ENGLISH).emotions)).toBe('neutral'));

  it.each([
    ['I am really angry about this, stop it!', 'anger'],
    ['This is fantastic, I am so happy!', 'joy'],
    ['No way! Are you serious?!', 'surprise'],
  ])('still reads the feeling in "%s"', (text, emotion) =>
    expect(dominant(readTextAffect(text, ENGLISH).emotions)).toBe(emotion),
  );

  it('reads an interjection', () => {
    expect(reactionsIn('Oh my god!', ENGLISH)).toEqual(['surprise']);
    expect(reactionsIn('The report is on your desk.', ENGLISH)).toEqual([]);
  });
});
