import { expect, it } from 'vitest';
import { isAnswerable, momentCategory } from '../../../src/contract/findings.ts';
import { conversationOf } from '../../../src/conversation/rules/facts.ts';
import { type IndexedMoment, patternsOf } from '../../../src/worker/results/pattern-index.ts';
import { dialogues, resultOf, timelineOf } from '../../../support/results.ts';

const isAnswer = ({ category }: Pick<IndexedMoment, 'category'>): boolean =>
  momentCategory(category).answers !== undefined;

it('the answer to an offer is the one that its result links, in real dialogues', () => {
  let linked = 0;
  let unanswered = 0;
  /** Offers after which another moment's answer comes soon. By the times alone, it would be theirs. */
  let misleading = 0;
  for (const dialogue of dialogues().filter((_, i) => i % 80 === 0)) {
    const result = resultOf(dialogue.id, timelineOf(dialogue.id, dialogue));
    const { moments } = patternsOf(result, conversationOf(result).facts.speakers);
    const ordered = result.moments.toSorted((a, b) => a.start_ms - b.start_ms);
    for (const [i, { category, moment_id }] of ordered.entries()) {
      if (!isAnswerable(category)) continue;
      const answers = ordered.filter((one) => one.answers === moment_id);
      const { follows, outcome, start } = moments[i]!;
      const next = follows === null ? undefined : moments[follows]!;
      const found = next && isAnswer(next) ? next.id : undefined;
      expect(found).toBe(answers[0]?.moment_id);
      if (answers[0]) expect(outcome).toBe(answers[0].category);
      else if (moments.some((one) => isAnswer(one) && one.start > start && one.start <= start + 60_000)) misleading++;
      if (answers.length > 0) linked++;
      else unanswered++;
    }
  }
  expect(linked).toBeGreaterThan(0);
  expect(unanswered).toBeGreaterThan(0);
  expect(misleading).toBeGreaterThan(0);
});
