import type { RuleUtterance } from '../../../src/conversation/rules/facts.ts';
import { conversationOf, type RuleConversation, type RuleResult } from '../../../src/conversation/rules/facts.ts';

type Line = Partial<Omit<RuleUtterance, 'utterance_id'>> & Pick<RuleUtterance, 'speaker' | 't_start' | 'text'>;

const POSITIVE = { positive: 0.8, negative: 0.1, neutral: 0.1 };
const NEGATIVE = { positive: 0.1, negative: 0.8, neutral: 0.1 };
const NEUTRAL = { positive: 0.1, negative: 0.1, neutral: 0.8 };
const MIXED = { positive: 0.4, negative: 0.4, neutral: 0.2 };

/**
 * A call of 100 s between an agent and a customer. The agent greets, the customer asks for a manager at 12 s, the agent
 * cuts the customer off at 29.5 s, and nobody speaks from 40 s to 65 s.
 */
export const CALL: RuleResult = result([
  { speaker: 'Agent', t_start: 1, t_end: 4, text: 'Hello and welcome to Example Bank.', sentiment: POSITIVE },
  { speaker: 'Customer', t_start: 12, t_end: 16, text: 'I want to speak to a manager.', sentiment: NEGATIVE },
  { speaker: 'Agent', t_start: 17, t_end: 20, text: 'May I ask what happened?', sentiment: NEUTRAL },
  { speaker: 'Customer', t_start: 21, t_end: 30, text: 'You charged me for cancelled orders, and', sentiment: MIXED },
  { speaker: 'Agent', t_start: 29.5, t_end: 40, text: 'I will look into the orders now.', sentiment: NEUTRAL },
  { speaker: 'Customer', t_start: 65, t_end: 70, text: 'Thank you, that is great.', sentiment: POSITIVE },
  { speaker: 'Agent', t_start: 92, t_end: 95, text: 'Goodbye.', sentiment: NEUTRAL },
]);

/** A result of 100 s with these utterances. An utterance has neutral sentiment unless it says otherwise. */
export function result(lines: readonly Line[], more: Partial<RuleResult> = {}): RuleResult {
  const timeline = lines.map(
    (line, n): RuleUtterance => ({
      utterance_id: `c_utt_${n}`,
      t_end: line.t_start + 2,
      sentiment: NEUTRAL,
      ...line,
    }),
  );
  return { timeline, moments: [], transitions: [], media: { duration_s: 100 }, language: 'en', ...more };
}

export const called = (lines: readonly Line[], more: Partial<RuleResult> = {}): RuleConversation =>
  conversationOf(result(lines, more));
