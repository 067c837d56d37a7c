import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversationRecordBody } from '../../../src/contract/conversations.ts';
import { type RuleBody, RuleMatchEventSchema } from '../../../src/contract/rules.ts';
import type { LiveClient } from '../../../support/live-client.ts';
import { type LiveStack, startLiveStack } from '../../../support/live-service.ts';

let stack: LiveStack;
let client: LiveClient;
beforeAll(async () => {
  stack = await startLiveStack();
  client = stack.client;
});
afterAll(() => stack.stop());

const added = async (name: string, when: object): Promise<RuleBody> =>
  (await (await client.json('/rules', { name, when, is_enabled: true })).json()) as RuleBody;

describe('an enabled rule in a live session', () => {
  it('is reported with quote and second right after the words, numbered like any event, and once', async () => {
    const heard = await added('Heard', { said: { phrases: ['chunk 1'] } });
    const never = await added('Never', { said: { phrases: ['elsewhere'] } });
    const absent = await added('Absent', { not: { said: { phrases: ['elsewhere'] } } });
    const session = await client.start({ suffix: '.wav' });
    const reader = await client.attach(session);
    for (let seq = 0; seq < 3; seq++) await client.chunk(session, seq);
    await client.control(session, 'finalize');
    await reader.end();
    const { received } = reader;
    expect(received.map(({ id }) => Number(id))).toEqual(received.map((_, i) => i));
    const matches = received.filter(({ event }) => event === 'rule_match');
    expect(matches).toHaveLength(1);
    const match = RuleMatchEventSchema.parse(matches[0]!.data);
    const words = received.find(({ event, data }) => event === 'final_transcript' && /chunk 1/.test(String(data.text)));
    expect(match).toMatchObject({
      rule_id: heard.id,
      name: 'Heard',
      version: 1,
      utterance_ids: [words!.data.utterance_id],
      t_start: words!.data.t_start,
      quote: words!.data.text,
    });
    expect(received.indexOf(matches[0]!) - received.indexOf(words!)).toBe(1);
    const record = await client.request(`/conversations/${session.conversation_id}/record`);
    const { rules } = (await record.json()) as ConversationRecordBody;
    expect(rules?.map(({ rule_id, outcome }) => [rule_id, outcome])).toEqual([
      [heard.id, 'matched'],
      [absent.id, 'matched'],
    ]);
    expect(rules?.[0]?.hits.map(({ quote, t_start }) => [quote, t_start])).toEqual([[match.quote, match.t_start]]);
    for (const { id } of [heard, never, absent]) await client.request(`/rules/${id}`, { method: 'DELETE' });
  });
});
