import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnfaithful } from '../../../bench/faithfulness.ts';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { encodeText } from '../../../containers/pipeline/stages/encoding.ts';
import { ConversationSummarySchema, type Findings } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { Conversation } from '../../../src/conversation/conversation.ts';
import { anyTimeline, utterancesOf } from '../timelines.ts';

const RUNS = { numRuns: 60 };

function conclude(utterances: Utterance[], goal = ''): Findings {
  const conversation = new Conversation({ conversationId: 't', goal }, conversationWeights());
  for (const u of utterances) conversation.add(u);
  return conversation.finish();
}

const SALES = `
Speaker_0: Hi, this is Dana from Northwind, thanks for taking the call.
Speaker_1: Sure, we need a new invoicing tool before March because the old one crashes every week.
Speaker_0: How many people write invoices at the moment?
Speaker_1: There are 14 people in two offices, and they lose about a day a week.
Speaker_0: Our platform sends the invoices on its own and costs 40 dollars a seat.
Speaker_1: That is too expensive for us, we planned 25 dollars a seat.
Speaker_0: I understand. Shall I send you an offer for the yearly plan at 30 dollars a seat?
Speaker_1: Yes, please send the offer, that sounds good.
Speaker_0: Great, I will send it by Tuesday.
Speaker_1: Thank you so much, this was really helpful.
`;

const RIVER = `
Speaker_0: The river was over the meadow again, up to the old willow.
Speaker_1: My uncle saw two herons there, and one of them had a fish.
Speaker_0: They stand there all morning while the ice melts.
Speaker_1: The bridge looks small from the hill, with the fog below it.
Speaker_0: In winter the whole valley is white, and the mill stands in it.
Speaker_1: The mill has been empty since the fire.
Speaker_0: Its wheel still turns when the water is high.
Speaker_1: I never heard it, but the fog swallows everything there.
`;

const linesOf = ({ summary: s }: Findings): string[] => [
  ...s.key_insights,
  ...s.notable_patterns,
  ...s.recommendations,
  ...(s.what_went_well ?? []),
  ...(s.what_went_wrong ?? []),
];

describe('the summary of small talk', () => {
  const STORIES = `
    Speaker_0: They moved there when the kids were small, and my mother thought it was a terrible town.
    Speaker_1: It flooded the year they arrived. The neighbours had boats tied to their porches.
    Speaker_0: The school was closed all that time, and she cooked for the people who cleaned it out.
    Speaker_1: He told the story every Christmas, how the piano floated out of the church.`;
  const PROMISE = 'Speaker_0: I will send you the photographs by Tuesday.';

  it('reports no promise as open', () => {
    const { overview, recommendations } = conclude(utterancesOf(`${STORIES}\n${PROMISE}`)).summary;
    expect(recommendations.join(' ')).not.toContain('photographs');
    expect(overview).not.toMatch(/owes|promise/i);
  });

  it('reports the same promise in other talk', () => {
    const { recommendations } = conclude(utterancesOf(`${SALES}\n${PROMISE}`)).summary;
    expect(recommendations.join(' ')).toContain('photographs');
  });
});

describe('the summary of any timeline', () => {
  it('is faithful: its evidence holds every number and every quoted word', () => {
    fc.assert(
      fc.property(anyTimeline(), fc.constantFrom('', 'price', 'training 40'), (utterances, goal) => {
        expect(findUnfaithful(conclude(utterances, goal), utterances, goal)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('matches the schema and is built in', () => {
    fc.assert(
      fc.property(anyTimeline({ maxLength: 20 }), (utterances) => {
        expect(ConversationSummarySchema.parse(conclude(utterances).summary).source).toBe('built_in');
      }),
      RUNS,
    );
  });

  it('lists evidence for every line, in order, with ids that exist', () => {
    fc.assert(
      fc.property(anyTimeline({ maxLength: 20 }), (utterances) => {
        const findings = conclude(utterances);
        const { summary } = findings;
        const ids = new Set(utterances.map((u) => u.utterance_id));
        const texts = summary.evidence.map(({ text }) => text);
        const lines = [...linesOf(findings), ...summary.quality_reasons];
        expect(texts.slice(0, texts.length - lines.length).join(' ')).toBe(summary.overview);
        expect(texts.slice(texts.length - lines.length)).toEqual(lines);
        for (const { text, utterance_ids, measures } of summary.evidence) {
          expect(utterance_ids.every((id) => ids.has(id))).toBe(true);
          if (!summary.quality_reasons.includes(text))
            expect(utterance_ids.length + Object.keys(measures).length).toBeGreaterThan(0);
        }
      }),
      RUNS,
    );
  });

  it('changes only the names when the speakers are renamed', () => {
    fc.assert(
      fc.property(anyTimeline({ maxLength: 20 }), (utterances) => {
        const rename = (u: Utterance) => ({ ...u, speaker: u.speaker.replace('Speaker_', 'Person_') });
        const before = JSON.stringify(conclude(utterances).summary).replaceAll('Speaker_', 'Person_');
        expect(JSON.stringify(conclude(utterances.map(rename)).summary)).toBe(before);
      }),
      RUNS,
    );
  });
});

describe('the summary of a service call', () => {
  it('opens with the matter, not with the procedure', () => {
    const { overview } = conclude(
      utterancesOf(`
Speaker_0: Give me a second to look up your customer account.
Speaker_0: Can you please confirm the last four digits of your card number?
Speaker_1: It is one two three four.
Speaker_1: The card was charged twice for the same hotel in Lisbon.
Speaker_0: I have refunded the second charge for the hotel to your card.`),
    ).summary;
    expect(overview).toMatch(/hotel/);
    expect(overview).not.toMatch(/customer account|last four/);
  });
});

describe('a summary', () => {
  it('does not call a speaker annoyed who only mentions annoyance', () => {
    const { what_went_wrong, what_went_well } = conclude(
      utterancesOf(`
Speaker_0: I understand that you are annoyed about the recorder.
Speaker_0: I have noted your complaint and passed it on to our office.
Speaker_1: The recorder was never helpful to me or to my office.
Speaker_0: Somebody from the office calls you on Monday about the recorder.`),
    ).summary;
    expect(what_went_wrong ?? []).toEqual([]);
    expect(what_went_well ?? []).toEqual([]);
    const praised = conclude(
      utterancesOf('Speaker_0: Hello.\nSpeaker_1: You have been wonderful about my old recorder.'),
    );
    expect(praised.summary.what_went_well).toHaveLength(1);
    const complained = conclude(
      utterancesOf('Speaker_0: Hello.\nSpeaker_1: I wish to register a complaint about my recorder.'),
    );
    expect(complained.summary.what_went_wrong).toEqual([
      'Speaker_1 complains: “I wish to register a complaint about my recorder”.',
    ]);
  });

  it('ignores praise and complaints about something outside the conversation', () => {
    const { what_went_wrong, what_went_well } = conclude(
      utterancesOf(`
Speaker_0: The old car was great for the long drives, we were happy with the seats.
Speaker_1: My sister was so upset about the seats in her car.
Speaker_0: There used to be whistles for the keys, a little bit annoying.
Speaker_1: The whistles were on every bunch of keys in the house.`),
    ).summary;
    expect([what_went_well, what_went_wrong]).toEqual([null, null]);
  });

  it('lists a promise, but none that is only supposed or done at once', () => {
    const overviewOf = (last: string) =>
      conclude(
        utterancesOf(`
Speaker_0: The heating of the office has leaked since the weekend.
Speaker_1: The leak is near the window in the office.
Speaker_1: ${last}`),
      ).summary.overview;
    expect(overviewOf("I'll send a plumber to the office on Monday.")).toContain(
      "Speaker_1 promised: “I'll send a plumber to the office on Monday”.",
    );
    expect(overviewOf("If it gets worse I'll send a plumber to the office.")).not.toContain('promised');
    expect(overviewOf("I'll check the plan of the office in a second.")).not.toContain('promised');
  });

  it('quotes an answer with its question, and only once', () => {
    const { key_insights } = conclude(
      utterancesOf(`
Speaker_0: Which blood cells does the laboratory count for my doctor?
Speaker_1: I'm sorry. They count the white blood cells.
Speaker_0: And what do the white blood cells tell my doctor?
Speaker_1: Whether there is an infection.
Speaker_0: How long does the laboratory take for the blood cells?
Speaker_1: Two days at most.
Speaker_0: Who brings the count of the blood cells to my doctor?
Speaker_1: A nurse of the laboratory does.
Speaker_0: When does my doctor call about the blood cells?
Speaker_1: On Friday morning.
Speaker_0: Does the laboratory keep the blood cells for a second count?
Speaker_1: For a month, yes.`),
    ).summary;
    const quotes = key_insights.flatMap((line) => line.match(/“[^”]*”/g) ?? []);
    expect(quotes.length).toBeGreaterThan(1);
    expect(new Set(quotes).size).toBe(quotes.length);
    expect(key_insights.join()).not.toContain('sorry');
  });
});

describe('the summary of badly recognised words', () => {
  it('quotes none of them and says, from two minutes on, what it was for, or that this could not be determined', () => {
    const doubtful = utterancesOf(SALES).map((u) => ({ ...u, asr_confidence: 0.5 }));
    const { overview, key_insights } = conclude(doubtful).summary;
    expect(overview).toMatch(/^Speaker_0 and Speaker_1 talk/);
    expect(key_insights).toEqual([]);
    const slowly = (text: string) =>
      utterancesOf(text).map((u) => ({ ...u, asr_confidence: 0.5, t_start: 4 * u.t_start, t_end: 4 * u.t_end }));
    // A sales conversation has a purpose.
    expect(conclude(slowly(SALES)).summary.overview).toMatch(/^Speaker_0 and Speaker_1 talk .*in a sales conversation/);
    expect(conclude(slowly(RIVER)).summary.overview).toMatch(
      /^Speaker_0 and Speaker_1 talk .*; the purpose could not be determined\.$/,
    );
    expect(conclude(utterancesOf(SALES)).summary.overview).not.toContain('could not be determined');
  });
});

describe('the summary of a sales call', () => {
  const utterances = utterancesOf(SALES);
  const findings = conclude(utterances);

  it('says what was wanted and what was agreed', async () => {
    const conversation = new Conversation({ conversationId: 'c', goal: '' }, conversationWeights());
    for (const u of utterances) conversation.add(u, (await encodeText(u.text))?.moments);
    const { overview } = conversation.finish().summary;
    expect(overview).toContain('invoicing tool');
    expect(overview).toMatch(/Speaker_1 agrees to Speaker_0's proposal “.*”/);
  });

  it('repeats no insight', () => {
    const { key_insights } = findings.summary;
    expect(new Set(key_insights).size).toBe(key_insights.length);
  });

  it('begins with the answer to the goal, and gives its utterances with a score', () => {
    const { overview, answer, nearest } = conclude(utterances, 'Why do they need a new invoicing tool?').summary;
    expect(overview).toMatch(/^On “Why do they need a new invoicing tool\?”: .*the old one crashes every week/);
    expect(answer?.utterance_ids).toEqual([utterances[1]!.utterance_id]);
    expect(answer?.score).toBeGreaterThan(0.7);
    expect(nearest).toBeUndefined();
  });

  it('shows no sentence that is far from the goal', () => {
    const { overview, answer, nearest } = conclude(utterances, 'Did the seats of the theatre have velvet?').summary;
    expect(overview).toContain('No sentence clearly answers “Did the seats of the theatre have velvet?”.');
    expect(overview).not.toMatch(/^No sentence/);
    expect(overview).not.toContain('Possible answer');
    expect(answer).toBeNull();
    expect(nearest).toBeUndefined();
  });

  it('shows a sentence with all words of the goal as a possible answer', () => {
    const { overview, answer, nearest } = conclude(utterances, 'seat').summary;
    expect(overview).toMatch(/No sentence is clearly about “seat”\. Possible answer, unsure: .*seat/);
    expect(answer).toBeNull();
    expect(nearest?.utterance_ids).toHaveLength(1);
    expect(nearest?.score).toBeLessThan(0.7);
  });

  it('opens with the outcome when the goal asks for it and no sentence surely answers', async () => {
    const goal = 'Was a yearly price agreed with the board?';
    const conversation = new Conversation({ conversationId: 'c', goal }, conversationWeights());
    for (const u of utterances) conversation.add(u, (await encodeText(u.text))?.moments);
    const { overview, answer, evidence } = conversation.finish().summary;
    expect(overview).toMatch(
      /^On “Was a yearly price agreed with the board\?”, this was settled: Speaker_1 agrees to Speaker_0's proposal/,
    );
    expect(overview).not.toContain('No sentence clearly answers');
    expect(overview.match(/Speaker_1 agrees to/g)).toHaveLength(1);
    expect(answer?.utterance_ids).toEqual(evidence[0]!.utterance_ids);
    expect(evidence[0]!.utterance_ids.length).toBeGreaterThan(1);
  });

  it('does not take an outcome about something else as an answer, nor as a possible one', async () => {
    const goal = 'Was a parking space agreed?';
    const conversation = new Conversation({ conversationId: 'c', goal }, conversationWeights());
    for (const u of utterances) conversation.add(u, (await encodeText(u.text))?.moments);
    const { overview, nearest } = conversation.finish().summary;
    expect(overview).toMatch(/Nothing here answers “Was a parking space agreed\?”\.|No sentence clearly answers/);
    expect(overview).not.toContain('Possible answer');
    expect(overview).toContain("Speaker_1 agrees to Speaker_0's proposal");
    expect(nearest).toBeUndefined();
  });

  it('takes an outcome that names an amount as the answer to a question for what something costs', async () => {
    const conversation = new Conversation(
      { conversationId: 'c', goal: 'Was the cost settled?' },
      conversationWeights(),
    );
    for (const u of utterances) conversation.add(u, (await encodeText(u.text))?.moments);
    expect(conversation.finish().summary.overview).toMatch(/^On “Was the cost settled\?”/);
  });

  it('names a price as agreed only if an amount of money was', async () => {
    const wellOf = async (offer: string): Promise<string[]> => {
      const conversation = new Conversation({ conversationId: 'c', goal: '' }, conversationWeights());
      for (const u of utterancesOf(
        SALES.replace('Shall I send you an offer for the yearly plan at 30 dollars a seat?', offer),
      ))
        conversation.add(u, (await encodeText(u.text))?.moments);
      return conversation.finish().summary.what_went_well ?? [];
    };
    expect((await wellOf('Shall I send you the yearly plan at 30 dollars a seat?')).join(' ')).toContain(
      'agree on a price',
    );
    const discounted = (await wellOf('Shall I send you the yearly plan with a discount?')).join(' ');
    expect(discounted).toContain('discount');
    expect(discounted).not.toContain('agree on a price');
  });

  it('has no answer without a goal', () => {
    const { summary } = conclude(utterances);
    expect(summary).not.toHaveProperty('answer');
    expect(summary).not.toHaveProperty('nearest');
  });

  it('says so when nobody talks about the goal', () => {
    const { overview, answer, nearest } = conclude(utterances, 'kangaroo').summary;
    expect(overview).toContain('Nobody talks about “kangaroo”');
    const asked = conclude(utterances, 'What do kangaroos eat?').summary;
    expect(asked.overview).toContain('Nothing here answers “What do kangaroos eat?”');
    expect({ answer, nearest }).toEqual({ answer: null, nearest: undefined });
  });
});

describe('the faithfulness check', () => {
  const utterances = utterancesOf(SALES);
  const tampered = (change: (f: Findings) => void): string[] => {
    const findings = structuredClone(conclude(utterances));
    change(findings);
    return findUnfaithful(findings, utterances);
  };

  it('finds a number that nobody measured', () => {
    const line = 'Speaker_0 interrupts 7 times.';
    const faults = tampered(({ summary }) => {
      summary.quality_reasons.push(line);
      summary.evidence.push({ text: line, utterance_ids: ['t_utt_0'], measures: { interruptions: 2 } });
    });
    expect(faults).toEqual([`summary: no measure gives 7 in “${line}”`]);
  });

  it('finds a quote that nobody said', () => {
    const line = 'Speaker_1 says: “we buy fifty seats”.';
    const faults = tampered(({ summary }) => {
      summary.quality_reasons.push(line);
      summary.evidence.push({ text: line, utterance_ids: ['t_utt_1'], measures: {} });
    });
    expect(faults).toHaveLength(1);
  });

  it('finds a line without evidence', () => {
    expect(tampered(({ summary }) => summary.recommendations.push('Call back.'))).toHaveLength(1);
  });

  it('finds invented words in phases and moments', () => {
    const faults = tampered(({ segmentation, moments }) => {
      segmentation.phases[0]!.summary = 'Speaker_0 says: “all for free”';
      segmentation.phases[0]!.theme = 'kangaroos';
      if (moments[0]) moments[0].summary = 'Speaker_1 objects: "never ever"';
    });
    expect(faults.length).toBeGreaterThanOrEqual(2);
  });
});
