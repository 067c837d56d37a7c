import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import type { Commitment } from '../../../src/contract/commitments.ts';
import type { Findings } from '../../../src/contract/findings.ts';
import { recordedAt } from '../../../src/conversation/commitments/recorded-at.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { talk } from '../lines.ts';

/** The findings of a conversation that was recorded on a Wednesday. */
function read(
  lines: string,
  options = { recorded_at: '2026-11-25T10:00:00Z' } as Parameters<typeof recordedAt>[0],
): Findings {
  const recorded = recordedAt(options);
  const conversation = new Conversation({ conversationId: 'c', goal: '', recorded }, conversationWeights());
  for (const utterance of talk(lines)) conversation.add(utterance);
  return conversation.finish();
}

const commitmentsOf = (lines: string, options?: Parameters<typeof recordedAt>[0]): Commitment[] =>
  read(lines, options).commitments!;

describe('a promise', () => {
  it('names its owner, its deed and its day, with the words they come from', () => {
    const [one, ...others] = commitmentsOf(`
      A: Do you have the contract for us?
      B: It is nearly finished, so I'll send you the contract by Friday.
      A: Great, thank you.`);
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      commitment_id: 'c_utt_1_commitment_0',
      owner: 'B',
      to: 'A',
      speaker: 'B',
      deed: 'send you the contract',
      due: {
        date: '2026-11-27',
        from: null,
        time: null,
        said: 'Friday',
        time_zone: 'UTC',
        time_zone_source: 'assumed',
      },
      vague_due: null,
      state: 'accepted',
      utterance_id: 'c_utt_1',
      answer_utterance_id: 'c_utt_2',
    });

    expect([one!.t_start, one!.t_end]).toEqual([4, expect.closeTo(7, 1)]);
    expect(one!.quote).toContain("I'll send you the contract by Friday");
  });

  it('is not what its speaker does not think or expect to do', () => {
    for (const doubt of ["I don't think I'm going to", "I do not believe I'll", "I don't expect I'll"])
      expect(
        commitmentsOf(`
        A: Would you send a donation to them today?
        B: ${doubt} make a donation today, sorry.
        A: Okay, thank you anyway.`),
      ).toEqual([]);
  });

  it('keeps a time of day whole, and ends before "as well"', () => {
    const deeds = commitmentsOf(`
      A: I will arrive late tonight at the hotel.
      B: We'll hold your room for you until 9:30 in the evening.
      A: Good. I'll send you the form as well.
      B: Thank you very much.`).map(({ deed }) => deed);
    expect(deeds).toEqual([expect.stringContaining('until 9:30'), 'send you the form']);
  });

  it('has no day if none was said, and keeps vague words as they are', () => {
    const [one] = commitmentsOf(`
      A: What happens with the results of the test?
      B: We'll get back to you with the results as soon as possible.
      A: And where do I have to go now?`);
    expect(one).toMatchObject({ owner: 'B', due: null, vague_due: 'as soon as possible', state: 'open' });
  });

  it.each([
    ['in', 'When the fault is confirmed, we will send you a new book in 2 days.', 'in 2 days'],
    ['beside', "Let's meet at the bank on Friday. I'll bring the physics book to you.", 'on Friday'],
    ['behind', "We'll run some tests for your father, which will include a swab today.", 'today'],
    ['a clock', "We'll hold your room for you until 9:30 pm.", 'until 9:30 pm'],
  ])('has words about time, but no day, where a day may not be its own: %s', (_, said, words) => {
    const [one] = commitmentsOf(`
      A: There was something else that we had to talk about.
      B: ${said}
      A: All right, then that was all for me.`);
    expect(one).toMatchObject({ owner: 'B', due: null, vague_due: words });
  });

  it('has the day of the question before only as words about time', () => {
    const [one] = commitmentsOf(`
      A: Could you confirm how much you would like to donate today?
      B: I will donate two dollars to the children.
      A: We thank you very much for it.`);
    expect(one).toMatchObject({ owner: 'B', due: null, vague_due: 'today' });
  });

  it.each([
    "I'll send it back to you.",
    "I'll bring them with me tomorrow.",
    "We'll certainly look into.",
    "I'll put you through to our legal consultant.",
    "I'll have to write you a ticket.",
    "I'm going to get you to look at both your arms.",
    "We're going to do one more test.",
    'I will probably donate some money.',
  ])('is not “%s”, which names no deed, is done at once or is none', (said) => {
    const lines = `
      A: There was something else that we had to talk about.
      B: ${said}
      A: All right, then that was all for me.`;
    expect(commitmentsOf(lines)).toEqual([]);
  });

  it('is declined by a refusal, and done when its owner says so', () => {
    const [declined] = commitmentsOf(`
      A: The invoice did not arrive.
      B: I'm sorry to hear that. Should I send the invoice again?
      A: No, you don't need to do that.
      B: All right, then we close the case here.`);
    expect(declined).toMatchObject({ state: 'declined', owner: 'B', answer_utterance_id: 'c_utt_2' });
    const [done] = commitmentsOf(`
      A: Can we talk about the invoice again?
      B: I'll send you the invoice for March.
      A: There was also a question about the discount of the second order.
      B: I have sent the invoice, it is in your mailbox.
      A: I can see it.`);
    expect(done).toMatchObject({ state: 'done', owner: 'B', answer_utterance_id: 'c_utt_3' });
  });
});

describe('a request', () => {
  it('commits the listener who agrees to it', () => {
    const [one] = commitmentsOf(`
      A: We need the agenda for the meeting. Could you send me the agenda by Monday?
      B: Sure, no problem.
      A: Then that is all from me for the moment.`);
    expect(one).toMatchObject({ owner: 'B', to: 'A', speaker: 'A', deed: 'send me the agenda', state: 'accepted' });
    expect(one!.due).toMatchObject({ date: '2026-11-30', said: 'Monday' });
  });

  it('is due on the day that the answer promises', () => {
    const all = commitmentsOf(`
      A: We need the contract for the meeting. Please send me the contract.
      B: Sure, I will send it to you by Friday.
      A: Then that is all from me for the moment.`);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({ owner: 'B', to: 'A', deed: 'send me the contract', due: { date: '2026-11-27' } });
  });

  it('commits nobody who does not', () => {
    const lines = (answer: string) => `
      A: We need the agenda for the meeting. Could you send me the agenda by Monday?
      B: ${answer}
      A: Then that is all from me for the moment.`;
    for (const answer of [
      'Hm, I am away until Tuesday.',
      'Yes, but not before Wednesday.',
      'Which agenda do you mean?',
    ])
      expect(commitmentsOf(lines(answer)), answer).toEqual([]);
  });
});

it.each([
  ['a condition', "If the test is positive, I'll call you."],
  ['a report', "He said I'll send you the contract."],
  ['a habit', "I'll usually call them on weekends."],
  ['a question', "I'll send you what?"],
  ['something done at once', "I'll call her right now."],
  ['a denial', "I'm not going to send you the contract."],
  ['what a group might do', "Maybe we'll meet some day."],
])('%s is no promise', (_, text) => {
  const commitments = commitmentsOf(`
    A: What about the contract and the test?
    B: ${text}
    A: We have one more point for today.
    B: Which one is it?`);
  expect(commitments).toEqual([]);
});

it("a 'we' among several people commits nobody in particular", () => {
  const lines = (owner: string) => `
    A: Who talks to the supplier about the price?
    B: ${owner} call the supplier tomorrow.
    C: I have the numbers here.`;
  expect(commitmentsOf(lines("We'll"))).toEqual([]);
  expect(commitmentsOf(lines("I'll"))).toMatchObject([{ owner: 'B', to: null, due: { date: '2026-11-26' } }]);
});

it('the day is the one of the time zone that was given', () => {
  const lines = `
    A: When will I hear from you about the order?
    B: I'll call you tomorrow.
    A: That works for me.`;
  const late = '2026-11-25T23:30:00Z';
  expect(commitmentsOf(lines, { recorded_at: late })[0]!.due).toMatchObject({
    date: '2026-11-26',
    time_zone: 'UTC',
    time_zone_source: 'assumed',
  });
  expect(commitmentsOf(lines, { recorded_at: late, time_zone: 'Europe/Berlin' })[0]!.due).toMatchObject({
    date: '2026-11-27',
    time_zone: 'Europe/Berlin',
    time_zone_source: 'given',
  });
  expect(commitmentsOf(lines, {})[0]!.due).toBeNull();
});

it('a recording of one person has no commitments', () => {
  expect(commitmentsOf("A: I'll send you the contract by Friday.\nA: I'll call you on Monday.")).toEqual([]);
});

it('a question stays open if the reply is that nobody knows and nobody comes back to it', () => {
  const lines = (later: string) => `
    A: We have a few points about the new receiver.
    B: Do you think we can use the same receiver for both rooms?
    A: I don't know, I have to check.
    B: ${later}
    A: All right, then let us go on with the budget.`;
  expect(read(lines('Fine by me.')).open_questions).toMatchObject([
    {
      question_id: 'c_utt_1_question',
      speaker: 'B',
      to: 'A',
      quote: 'Do you think we can use the same receiver for both rooms?',
      reply: { utterance_id: 'c_utt_2' },
    },
  ]);
  expect(read(lines('I looked it up, the same receiver works for both rooms.')).open_questions).toEqual([]);
});
