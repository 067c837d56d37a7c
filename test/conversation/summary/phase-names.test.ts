import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { readEvidence } from '../../../src/conversation/phases/phase-evidence.ts';
import { segmentConversation } from '../../../src/conversation/summary/phase-descriptions.ts';
import { readTurns } from '../../../src/conversation/text/turns.ts';
import { utterancesOf } from '../timelines.ts';

const ENGLISH = languageOf('en');

const SUPPORT = `
agent: Hello, thank you for calling customer support, how can I help you today?
caller: Hi, my internet is not working since yesterday.
agent: I am sorry about that. May I have your account number and your full name?
caller: My account number is in my email, the name is Robin Field.
agent: Thank you, let me verify the account. Have you tried to restart the router?
caller: Yes, I restarted it, the screen shows an error.
agent: Please unplug the cable and plug it in again, then check the settings.
caller: I unplugged it. The light is green now.
agent: Great, so the internet works now?
caller: It is working now, thank you.
agent: I have reset the line, so it is all set. Is there anything else I can do?
caller: No, that is all. Have a nice day, bye.
`;

const ORDER = `
clerk: Hello, this is the shop.
buyer: Hi, I'd like to buy a lamp, can you help me with that?
clerk: Sure, which colour would you like? We have red and blue.
buyer: Let's get the blue one.
clerk: Would you like the large model or the small one?
buyer: The small one is fine.
clerk: Would you like to ship it express?
buyer: Express, please.
clerk: It's on its way. Thank you very much.
buyer: Thank you, bye.
`;

const VISIT = `
clerk: Hello, this is the workshop, how can I help you?
owner: Hi, the heater is not working, it makes a strange noise and it keeps cutting out.
owner: The display says there is an error.
clerk: Could you spell your last name for me, please?
owner: My last name is Hart, h, a, r, t.
clerk: And your account number?
owner: It is four four one.
clerk: Which day works for you? I have a slot on Tuesday.
owner: Tuesday morning, the earlier the better.
clerk: So I have an appointment for you at 8 a.m. on Tuesday.
owner: Great, thank you so much.
clerk: See you on Tuesday, bye.
`;

const genreOf = (text: string) =>
  readEvidence(readTurns(utterancesOf(text), conversationWeights().vectors, ENGLISH)).genre;
const namesOf = (text: string, options = {}) =>
  segmentConversation(utterancesOf(text), options, conversationWeights()).phases.map((p) => p.phase_name);

describe('the genre', () => {
  it('is support where accounts and routers come up', () => {
    expect(genreOf(SUPPORT)).toBe('support');
  });

  it('is any where no cue points to one', () => {
    expect(genreOf('a: I like rain.\nb: Me too.\na: Snow is nicer.\nb: Not for my knees.')).toBe('any');
  });
});

describe('phase names', () => {
  it('follow the course of a support call', () => {
    const names = namesOf(SUPPORT);
    expect(names[0]).toBe('Opening');
    expect(names).toContain('Troubleshooting');
    expect(names.at(-1)).toBe('Closing');
  });

  it('follow the course of an order', () => {
    expect(namesOf(ORDER).slice(-2)).toEqual([expect.stringMatching(/^Order Details/), 'Closing']);
  });

  it('distinguish a problem, a verification and a scheduling', () => {
    const names = namesOf(VISIT);
    expect(names).toEqual(expect.arrayContaining(['Problem', 'Verification', 'Scheduling']));
    expect(names.indexOf('Verification')).toBeLessThan(names.indexOf('Scheduling'));
  });

  it('add the topic where the context asks for it', () => {
    expect(namesOf(VISIT, { context: 'heater' }).some((name) => name.endsWith(': Heater'))).toBe(true);
  });

  it('use no name of a person as a topic', () => {
    const names = namesOf(`
a: Hi, Morgan. The garden needs water.
b: The garden is dry, Morgan told me so. Yes, Morgan said the garden is dry.
a: Thanks, Morgan. I bring a hose for the garden.
b: The hose lies behind the shed, Morgan put it there.`);
    expect(names.join()).not.toMatch(/Morgan/);
  });

  it('fall back to the topic', () => {
    const text = `
a: The volcano on the island erupted in spring.
b: Lava from the volcano reached the village.
a: The village was empty, and the lava stopped at the church.
b: They dug the church out of the lava.`;
    expect(namesOf(text)[0]).toMatch(/^(Volcano|Lava|Church|Village)/);
  });

  it('say that there is no clear topic where nothing is said twice', () => {
    const told = `
a: The volcano erupted in spring and its lava ran down to a village by night.
b: Oh.
a: Nobody slept before the boats had left, and some of those people never returned afterwards.
b: My.`;
    expect(namesOf(told)).toEqual(['No clear topic']);
    const asked = `
a: Where did lava stop?
b: Behind a church.
a: When was that?
b: In spring.
a: Who dug it out?
b: Some people from nearby.`;
    expect(namesOf(asked)).toEqual(['No clear topic']);
  });

  it('use no agreement where nobody agreed', () => {
    const talk = utterancesOf(`
a: The lamp has a green shade. I can offer you the lamp for forty pounds.
b: How about thirty five pounds, and you throw in the shade? Would you take that?
a: We could do thirty eight pounds, and that's my final offer. Is that fair?
b: How does thirty seven sound? Would you take thirty seven pounds?`);
    const nameWith = (moments?: []) =>
      segmentConversation(talk, { ...(moments && { moments }) }, conversationWeights()).phases.map((p) => p.phase_name);
    expect(nameWith().join()).toContain('Negotiation');
    expect(nameWith([]).join()).not.toContain('Negotiation');
  });
});
