import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import type { MomentCategory, MomentEvent } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import { conclude } from '../../../src/conversation/conclude.ts';
import { utterancesOf } from '../timelines.ts';

const UTTERANCES = utterancesOf(`
Speaker_0: Good morning, I am calling about the boiler in the kitchen of the flat.
Speaker_1: The boiler makes a noise like a drum every time we take a shower.
Speaker_0: Every day somebody complains about this type of boiler, it is a known fault.
Speaker_1: How long would the repair of the boiler take our landlord?
Speaker_0: Could we come on Thursday at half past nine for ninety pounds?
Speaker_1: Thursday, yes, that suits us.
Speaker_0: I'll send the engineer the number of the flat tomorrow.
Speaker_1: The last engineer left mud on every carpet of the flat.`);
const [, , , , OFFER, ANSWER, PROMISE] = UTTERANCES as [
  Utterance,
  Utterance,
  Utterance,
  Utterance,
  Utterance,
  Utterance,
  Utterance,
];

function moment(u: Utterance, category: MomentCategory, confidence: number, answers?: string): MomentEvent {
  return {
    moment_id: `${u.utterance_id}_${category}`,
    category,
    speaker_id: u.speaker,
    start_ms: u.t_start * 1000,
    end_ms: u.t_end * 1000,
    utterance_ids: [u.utterance_id],
    summary: '',
    labels: [],
    confidence,
    evidence: [{ utterance_id: u.utterance_id, quote: u.text, t_start: u.t_start, t_end: u.t_end }],
    ...(answers !== undefined && { answers }),
  };
}

function settlement(offered: Utterance, answered: Utterance, confidence: number): MomentEvent[] {
  const offer = moment(offered, 'cta_offered', 0.4);
  return [offer, moment(answered, 'cta_accepted', confidence, offer.moment_id)];
}

/** @param again an offer and its answer after the conversation, settled as well */
function summaryOf(goal: string, confidence: number | null, again?: [Utterance, Utterance]) {
  const utterances = [...UTTERANCES, ...(again ?? [])];
  const moments =
    confidence === null
      ? []
      : [...settlement(OFFER, ANSWER, confidence), ...(again ? settlement(...again, confidence) : [])];
  const { overview, answer, nearest } = conclude(
    { utterances, transitions: [], moments, goal },
    conversationWeights(),
  ).summary;
  return { overview, answer, nearest };
}

const settled = [ANSWER.utterance_id, OFFER.utterance_id];

describe('a goal that asks for a thing that was settled', () => {
  it.each(['Which day was agreed?', 'When do they come?', 'What price was agreed?', 'Who agreed?', 'What time is it?'])(
    '%s: an unsure acceptance with it is a possible answer',
    (goal) => {
      const { overview, answer, nearest } = summaryOf(goal, 0.4);
      expect(answer).toBeNull();
      expect(nearest).toEqual({ utterance_ids: settled, score: 0.4 });
      expect(overview).toMatch(
        /No sentence clearly answers “.*”\. Possible answers?, unsure: .*Thursday at half past nine/,
      );
      expect(overview.match(/Thursday at half past nine/g)).toHaveLength(1);
    },
  );

  it('has no possible answer twice when it is said again', () => {
    const last = UTTERANCES.at(-1)!;
    const later = (u: Utterance, seconds: number): Utterance => ({
      ...u,
      utterance_id: `again_${seconds}`,
      t_start: last.t_end + seconds,
      t_end: last.t_end + seconds + 1.5,
    });
    const { overview } = summaryOf('Which day was agreed?', 0.4, [later(OFFER, 1), later(ANSWER, 3)]);
    expect(overview.match(/Thursday, yes, that suits us/g)).toHaveLength(1);
  });

  it('is answered by a sure acceptance', () => {
    const { overview, answer, nearest } = summaryOf('Which day was agreed?', 0.8);
    expect(answer).toEqual({ utterance_ids: settled, score: 0.8 });
    expect(nearest).toBeUndefined();
    expect(overview).toMatch(/^On “Which day was agreed\?”, this was settled: .*Thursday/);
    expect(overview.match(/Thursday at half past nine/g)).toHaveLength(1);
  });

  it('is not answered by an acceptance about something else, or without the thing', () => {
    for (const goal of [
      'Which day was agreed for the funeral of the admiral?',
      'Which discount in euros was agreed?',
    ]) {
      const { overview, nearest } = summaryOf(goal, 0.8);
      expect(overview).not.toMatch(/this was settled|Possible answer/);
      expect(nearest).toBeUndefined();
    }
  });

  it('has promises as possible answers', () => {
    const { overview, nearest } = summaryOf('When is the engineer sent?', null);
    expect(nearest?.utterance_ids).toEqual([PROMISE.utterance_id]);
    expect(overview).toMatch(/Possible answers?, unsure: .*tomorrow/);
  });

  it('has no unrelated sentence as a possible answer', () => {
    const { overview, answer, nearest } = summaryOf('Which day was agreed?', null);
    expect(overview).toMatch(/No sentence clearly answers “Which day was agreed\?”\./);
    expect(overview).not.toContain('complains');
    expect({ answer, nearest }).toEqual({ answer: null, nearest: undefined });
  });
});
