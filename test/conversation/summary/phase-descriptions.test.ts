import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { ConversationSegmentationSchema } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { segmentConversation, segmentInSteps } from '../../../src/conversation/summary/phase-descriptions.ts';
import { anyTimeline, utterancesOf } from '../timelines.ts';

const RUNS = { numRuns: 60 };

/** Two calls in one: a billing question, then a chat about hiking. */
const TWO_TOPICS = `
agent: Hello, thanks for calling, how can I help you?
caller: My last bill is wrong, there is a roaming charge of twelve dollars.
agent: Let me look at the bill. Which month is the charge on?
caller: It is on the March bill, and I never left the country.
agent: I see the roaming charge. I will credit it to the next bill.
caller: So the next bill will be twelve dollars lower?
agent: Yes, the credit shows on the bill in April.
caller: By the way, are you the one who goes hiking in the mountains?
agent: Yes, we hiked a long trail in the mountains last weekend.
caller: How long was the trail?
agent: The trail runs nine miles over two mountains, with snow at the top.
caller: Did you sleep in a tent up there in the snow?
agent: We had a tent, and a fire beside the trail.
caller: Next summer I will try that trail and bring my own tent.
`;

function expectTiling(utterances: Utterance[]): void {
  const { phases, total_phases, key_transitions } = segmentConversation(utterances, {}, conversationWeights());
  expect(total_phases).toBe(phases.length);
  expect(key_transitions).toHaveLength(Math.max(0, phases.length - 1));
  const ids = utterances.map((u) => u.utterance_id);
  let next = 0;
  for (const phase of phases) {
    expect(phase.start_utterance_id).toBe(ids[next]);
    next += phase.utterance_count;
    expect(phase.end_utterance_id).toBe(ids[next - 1]);
  }
  expect(next).toBe(utterances.length);
}

it('reads a long text in many steps, so that other work runs in between', () => {
  const sentence = 'The bill was wrong again, and I will call the bank about it on Monday. ';
  const utterances = utterancesOf(TWO_TOPICS).map((one) => ({ ...one, text: sentence.repeat(200) }));
  const steps = segmentInSteps(utterances, {}, conversationWeights());
  let count = 0;
  while (!steps.next().done) count++;
  // The turns and the phases are each read in pieces of 50,000 characters.
  expect(count).toBeGreaterThan(12);
});

describe('phases of any timeline', () => {
  it('tile it without gap or overlap', () => {
    fc.assert(fc.property(anyTimeline(), expectTiling), RUNS);
  });

  it('match the schema', () => {
    fc.assert(
      fc.property(anyTimeline(), fc.string(), (utterances, context) => {
        ConversationSegmentationSchema.parse(segmentConversation(utterances, { context }, conversationWeights()));
      }),
      RUNS,
    );
  });

  it('change only the names when the speakers are renamed', () => {
    fc.assert(
      fc.property(anyTimeline(), (utterances) => {
        const rename = (u: Utterance) => ({ ...u, speaker: u.speaker.replace('Speaker_', 'Person_') });
        const before = JSON.stringify(segmentConversation(utterances, {}, conversationWeights())).replaceAll(
          'Speaker_',
          'Person_',
        );
        expect(JSON.stringify(segmentConversation(utterances.map(rename), {}, conversationWeights()))).toBe(before);
      }),
      RUNS,
    );
  });

  it('change only their times when the conversation is shifted', () => {
    fc.assert(
      fc.property(anyTimeline(), fc.integer({ min: 1, max: 5000 }), (utterances, shift) => {
        const moved = segmentConversation(
          utterances.map((u) => ({ ...u, t_start: u.t_start + shift, t_end: u.t_end + shift })),
          {},
          conversationWeights(),
        );
        const still = segmentConversation(utterances, {}, conversationWeights());
        expect(moved.phases.map((p) => [p.phase_name, p.start_utterance_id, p.theme, p.summary])).toEqual(
          still.phases.map((p) => [p.phase_name, p.start_utterance_id, p.theme, p.summary]),
        );
        moved.phases.forEach((p, i) => {
          expect(p.start_timestamp).toBeCloseTo(still.phases[i]!.start_timestamp + shift, 6);
        });
      }),
      RUNS,
    );
  });
});

describe('phases', () => {
  it('do not exist in an empty timeline', () => {
    expect(segmentConversation([], {}, conversationWeights()).total_phases).toBe(0);
  });

  it('are one for three utterances', () => {
    expect(
      segmentConversation(utterancesOf('a: Hello.\nb: Hi, is the shop open?\na: Until six.'), {}, conversationWeights())
        .total_phases,
    ).toBe(1);
  });

  it('change where the topic changes', () => {
    const { phases } = segmentConversation(utterancesOf(TWO_TOPICS), {}, conversationWeights());
    expect(phases.map((p) => p.start_utterance_id)).toContain('t_utt_7');
    expect(phases.length).toBeLessThanOrEqual(4);
  });

  it('name their topic and their signal', () => {
    const { phases } = segmentConversation(utterancesOf(TWO_TOPICS), {}, conversationWeights());
    const hiking = phases.find((p) => p.start_utterance_id === 't_utt_7');
    expect(hiking?.theme).toMatch(/trail|mountains|tent/);
    expect(hiking?.transition_signal).toContain('By the way');
    expect(phases[0]?.transition_signal).toBeNull();
  });

  it('are named by the context where it comes up', () => {
    const { phases } = segmentConversation(utterancesOf(TWO_TOPICS), { context: 'roaming' }, conversationWeights());
    expect(phases.some((p) => /roaming/i.test(p.phase_name))).toBe(true);
    expect(phases.some((p) => /^roaming/.test(p.theme))).toBe(true);
  });

  it('weigh tone by the length of utterances', () => {
    const [first, second] = utterancesOf('a: one\nb: two');
    const tone = (valence: number) => ({ pad_scores: { valence, arousal: 0.5, dominance: 0.5 } });
    const { phases } = segmentConversation(
      [
        { ...first!, ...tone(0.9), t_end: first!.t_start + 30 },
        { ...second!, ...tone(0.1), t_start: 31, t_end: 32 },
      ],
      {},
      conversationWeights(),
    );
    expect(phases[0]?.emotional_tone).toBe('warm');
  });

  it('ignore moments and transitions of unknown utterances', () => {
    const moment = {
      moment_id: 'm',
      category: 'objection' as const,
      speaker_id: 'x',
      start_ms: 0,
      end_ms: 1,
      utterance_ids: ['gone'],
      summary: 'x objects',
      labels: [],
      evidence: [],
      confidence: 0.9,
    };
    const { phases } = segmentConversation(utterancesOf(TWO_TOPICS), { moments: [moment] }, conversationWeights());
    expect(phases.flatMap((p) => p.key_moments)).toEqual([]);
  });
});
