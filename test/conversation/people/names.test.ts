import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { spokenNames } from '../../../src/conversation/people/names.ts';

const ENGLISH = languageOf('en');

/** The names in lines such as `A: Hello.`, as `A Ann sure`. */
const heard = (lines: string): string[] => {
  const timeline = lines
    .trim()
    .split('\n')
    .map((line, i) => {
      const [speaker = '', text = ''] = line.trim().split(/: (.*)/);
      return { utterance_id: `u_${i}`, speaker, t_start: i, text };
    });
  return spokenNames(timeline, ENGLISH).map(({ speaker, name, sure }) => `${speaker} ${name}${sure ? ' sure' : ''}`);
};

describe('a name', () => {
  it.each([
    ['A: Hello, my name is Ann Berg, how can I help?\nB: Hi.', ['A Ann Berg sure']],
    ["A: My name's um, Ann.\nB: Hi.", ['A Ann sure']],
    ["A: Hi, I'm Doctor Jacob and welcome.\nB: Hi.", ['A Jacob sure']],
    ['A: Good morning, this is Ann speaking.\nB: Hi.', ['A Ann sure']],
    ["A: Hi, I'm Bob.\nB: Nice to meet you, Bob.", ['A Bob sure']],
  ])('is sure in %j', (lines, names) => {
    expect(heard(lines)).toEqual(names);
  });

  it.each([
    ["A: I'm Joe, one of the team.\nB: Hi.", ['A Joe']],
    ['A: How are you?\nB: Thanks, Bob.', ['A Bob']],
    ['A: My name is Ann.\nB: So it is Ann? My name is Ann, too.', ['A Ann', 'B Ann']],
    ['A: My name is Ann.\nB: Yes.\nA: I mean, my name is Eva.', ['A Ann', 'A Eva']],
  ])('is proposed without being sure in %j', (lines, names) => {
    expect(heard(lines)).toEqual(names);
  });

  it.each([
    "A: I'm OK, thanks.\nB: Thank you, Nurse.",
    "A: I am Mister Rath's assigned assistant.\nB: Good afternoon Sir.",
    'A: THIS IS ANN SPEAKING. MY NAME IS ANN.\nB: OK.',
    'A: This is my daughter Miya.\nB: Hi mom, this is Doctor Jay. He is a specialist.',
    'A: What is my name?\nB: I am Glad you ask.',
  ])('is not heard in %j', (lines) => {
    expect(heard(lines)).toEqual([]);
  });

  it('in address is nobody in particular among three', () => {
    expect(heard('A: Hello.\nB: Thanks, Bob.\nC: Yes.')).toEqual([]);
  });

  it('is quoted from a long utterance, in linear time', () => {
    const text = `${'well you know '.repeat(60)}my name is Ann. ${'and so on '.repeat(20_000)}`;
    const [found] = spokenNames([{ utterance_id: 'u', speaker: 'A', t_start: 3, text }], ENGLISH);
    expect(found).toMatchObject({ name: 'Ann', t_start: 3, utterance_id: 'u' });
    expect(found!.quote).toContain('my name is Ann.');
    expect(found!.quote.length).toBeLessThan(130);
  });
});
