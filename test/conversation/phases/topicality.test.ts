import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { readEvidence } from '../../../src/conversation/phases/phase-evidence.ts';
import { cutPhaseSpans, findPhaseSpans } from '../../../src/conversation/phases/phase-segmentation.ts';
import { TOPICAL_TALK, type TopicChanges, topicality } from '../../../src/conversation/phases/topicality.ts';
import { readTurns } from '../../../src/conversation/text/turns.ts';
import { talk } from '../lines.ts';

const ENGLISH = languageOf('en');

const CALL = `
A: Good morning, how can I help you?
B: Hello, I'd like to book an appointment for my car.
A: Can I have your name and your phone number please?
B: It is Jack Miller, and my phone number is 555 0134.
A: Can you spell your last name for me?
B: M I L L E R.
A: What day works for you?
B: Is there an appointment available on Monday at 9 o'clock?
A: Monday works for us, I'll book you in for 9 o'clock.
B: Thank you very much, bye.
A: Thanks for calling, have a great day.
`;
const CHAT = `
A: I saw a heron by the river.
B: They stand there for ages.
A: It caught a fish in the end.
B: My uncle paints birds.
A: In oil?
B: Mostly with ink.
A: The bakery has new bread.
B: The dark one?
A: With walnuts.
B: I have to taste it.
A: It goes quickly.
`;
const evidenceOf = (lines: string) => readEvidence(readTurns(talk(lines), conversationWeights().vectors, ENGLISH));
/** Changes of topic before the given turns of eleven, every other boundary at `elsewhere`. */
const topicsAt = (at: Record<number, number>, elsewhere: number): TopicChanges => ({
  starts: Object.keys(at).map(Number),
  gains: Float32Array.from({ length: 10 }, (_, i) => at[i + 1] ?? elsewhere),
});

describe('how far topics describe a conversation', () => {
  it('is little for a call whose turns tell their purpose, more for a chat', () => {
    const topics = topicsAt({ 4: 0.1 }, -2);
    expect(topicality(evidenceOf(CALL), topics)).toBeLessThan(TOPICAL_TALK);
    expect(topicality(evidenceOf(CHAT), topics)).toBeGreaterThan(TOPICAL_TALK);
  });

  it('grows with the clearness of all changes of topic together', () => {
    const call = evidenceOf(CALL);
    const once = topicality(call, topicsAt({ 4: 2 }, -2));
    expect(topicality(call, topicsAt({ 4: 2, 7: 1 }, -2))).toBeCloseTo(once + 1, 5);
  });
});

describe('phases of a call', () => {
  const cutsOf = (topics: TopicChanges): number[] => {
    const evidence = evidenceOf(CALL);
    const stages = cutPhaseSpans(findPhaseSpans(evidence, topics, new Map()), evidence, topics);
    return stages.slice(1).map(({ from }) => from);
  };

  it('change with its purposes where no topic is clear', () => {
    expect(cutsOf(topicsAt({}, -2)).length).toBeGreaterThanOrEqual(3);
  });

  it('change only with the topic where topics are clear and the words speak against the rest', () => {
    expect(cutsOf(topicsAt({ 4: 3, 7: 3 }, -2))).toEqual([4, 7]);
  });
});
