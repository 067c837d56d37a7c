import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import type { Findings } from '../../src/contract/findings.ts';
import type { Unread, Utterance } from '../../src/contract/timeline.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import { segmentConversation } from '../../src/conversation/summary/phase-descriptions.ts';
import { words } from '../../src/conversation/text/tokens.ts';
import { dialogues, timelineOf } from '../../support/results.ts';

const DIALOGUE = dialogues()[3]!;

function unread(utterance: Utterance, reason: Unread): Utterance {
  return { ...utterance, unread: reason };
}

function found(utterances: Utterance[], goal = ''): Findings {
  const conversation = new Conversation({ conversationId: DIALOGUE.id, goal }, conversationWeights());
  for (const utterance of utterances) conversation.add(utterance);
  return conversation.finish();
}

describe('a conversation whose words are not read', () => {
  const timeline = timelineOf(DIALOGUE.id, DIALOGUE);
  const findings = found(
    timeline.map((utterance) => unread(utterance, 'not_understood')),
    'hair',
  );

  it('has no moments, insights or recommendations, and one phase', () => {
    const { summary, moments, segmentation, insights } = findings;
    expect(moments).toEqual([]);
    expect(insights.key_moments).toEqual([]);
    expect(summary).toMatchObject({
      key_insights: [],
      notable_patterns: [],
      recommendations: [],
      what_went_well: null,
      what_went_wrong: null,
    });
    expect(segmentation.total_phases).toBe(1);
  });

  it('says so, and keeps who spoke and when', () => {
    expect(findings.summary.overview).toMatch(/^The words were not understood\. Speaker_0 and Speaker_1 talk for /);
    expect(findings.insights.metrics.speakers.Speaker_0?.talk_ratio).toBeGreaterThan(0);
    const other = found(timeline.map((utterance) => unread(utterance, 'language')));
    expect(other.summary.overview).toMatch(/^The words are in a language that this analysis does not support\./);
  });

  it('is segmented again without its words', () => {
    const again = segmentConversation(
      timeline.map((utterance) => unread(utterance, 'language')),
      {},
      conversationWeights(),
    );
    expect(again.total_phases).toBe(1);
  });
});

it('no finding repeats a word of an utterance that is not read', () => {
  const timeline = timelineOf(DIALOGUE.id, DIALOGUE);
  const read = timeline.map((utterance, i) => (i % 3 === 0 ? unread(utterance, 'not_understood') : utterance));
  const known = new Set(read.flatMap(({ text, unread }) => (unread ? [] : words(text))));
  const hidden = read.flatMap(({ text, unread }) => (unread ? words(text) : [])).filter((word) => !known.has(word));
  const { summary, segmentation, moments } = found(read);
  const said = new Set(words(JSON.stringify([summary, segmentation, moments])));
  expect(hidden.filter((word) => said.has(word) && word.length > 6)).toEqual([]);
});
