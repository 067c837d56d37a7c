import { describe, expect, it, vi } from 'vitest';
import type { ConversationRecordBody, DeletionReceipt } from '../../../src/contract/conversations.ts';
import type { MomentList } from '../../../src/contract/patterns.ts';
import {
  type RuleBody,
  type RuleHistory,
  RuleHistorySchema,
  type RuleMatchList,
  RuleMatchListSchema,
  RuleSchema,
  type RuleTryResult,
  RuleTryResultSchema,
} from '../../../src/contract/rules.ts';
import { SPOKEN, sayEverything } from '../../../support/fake-pipeline.ts';
import { MADE } from '../../../support/made-conversations.ts';
import { OTHER_KEY } from '../../../support/service-under-test.ts';
import {
  analysed,
  ask,
  edited,
  get,
  of,
  runService,
  service,
  shown,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService();

const PRICE = { said: { phrases: ['price'] } };
const OTHER = { 'X-API-Key': OTHER_KEY };

async function added(body: object): Promise<RuleBody> {
  const answer = await ask<RuleBody>('POST', '/rules', { name: 'Price', when: PRICE, ...body });
  expect(answer.status, answer.text).toBe(201);
  return RuleSchema.parse(answer.body);
}
const tried = async (path: string, body: object = {}): Promise<RuleTryResult> => {
  const answer = await ask('POST', path, body);
  expect(answer.status, answer.text).toBe(200);
  return RuleTryResultSchema.parse(answer.body);
};
const matchesOf = async (id: string): Promise<RuleMatchList> =>
  RuleMatchListSchema.parse((await get(`/rules/${id}/matches?limit=100`)).body);
const rulesIn = async (id: string) => (await get<ConversationRecordBody>(of(id, '/record'))).body.rules;

describe('a rule', () => {
  it('is created, listed, changed with versions and removed', async () => {
    const { id } = await added({ name: '  Price  ' });
    expect((await get<RuleHistory>(`/rules/${id}`)).body).toMatchObject({
      name: 'Price',
      version: 1,
      alert: true,
      is_enabled: false,
      pending: 0,
    });
    const when = { said: { phrases: ['costs'] } };
    const patched = await ask<RuleBody>('PATCH', `/rules/${id}`, { name: 'Costs', when });
    expect(patched.body).toMatchObject({ name: 'Costs', version: 2, when: { said: { phrases: ['costs'] } } });
    // The same condition is no new version.
    expect((await ask<RuleBody>('PATCH', `/rules/${id}`, { when, alert: false })).body.version).toBe(2);
    const history = RuleHistorySchema.parse((await get(`/rules/${id}`)).body);
    expect(history.versions.map(({ version, when: { said } }) => [version, said?.phrases])).toEqual([
      [2, ['costs']],
      [1, ['price']],
    ]);
    expect((await get<{ rules: RuleBody[] }>('/rules')).body.rules.map((rule) => rule.id)).toContain(id);
    expect((await ask('DELETE', `/rules/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/matches'],
      ['POST', '/try'],
    ] as const)
      expect((await ask(method, `/rules/${id}${path}`, method === 'PATCH' ? { name: 'x' } : undefined)).status).toBe(
        404,
      );
  });

  it('is refused with the path of its fault', async () => {
    const refused = async (body: object) => (await ask<{ detail: string }>('POST', '/rules', body)).body.detail;
    expect(await refused({ name: 'x', when: { all: [PRICE, { said: { phrase: ['x'] } }] } })).toBe(
      'Unknown field "phrase"; did you mean "phrases"?'.replace(/^/, 'when.all.1.said: '),
    );
    expect(await refused({ name: 'x', when: { all: [PRICE, {}] } })).toMatch(/^when\.all\.1: must have exactly one of/);
    expect(await refused({ name: 'x' })).toBe('must have either when or Rules');
    expect(await refused({ when: PRICE })).toBe('must have either name or CategoryName');
    const Rules = [{ TranscriptFilter: { TranscriptFilterType: 'SEMANTIC', Targets: ['x'] } }];
    expect(await refused({ name: 'x', Rules })).toMatch(/^Rules\.0\.TranscriptFilter\.TranscriptFilterType: /);
    let when: object = PRICE;
    for (let i = 0; i < 5_000; i++) when = { not: when };
    expect(await refused({ name: 'x', when })).toBe('The body is nested more than 100 levels deep');
  });

  it('can be a category of Call Analytics as it is', async () => {
    const category = {
      CategoryName: 'price-objection',
      InputType: 'POST_CALL',
      Rules: [
        { TranscriptFilter: { TranscriptFilterType: 'EXACT', Targets: ['too high'], Negate: false } },
        { NonTalkTimeFilter: { Threshold: 60_000, Negate: true } },
      ],
    };
    const answer = await ask<RuleBody>('POST', '/rules', category);
    expect(answer.body).toMatchObject({
      name: 'price-objection',
      when: { all: [{ said: { phrases: ['too high'], words: 'exact' } }, { not: { silence: { min_seconds: 60 } } }] },
    });
    await ask('DELETE', `/rules/${answer.body.id}`);
  });
});

describe('a trial', () => {
  it('quotes its hits in everything stored, before the rule is on', async () => {
    const { id } = await analysed('tried.wav');
    const { id: rule } = await added({});
    const result = await tried(`/rules/${rule}/try`);
    expect(result).toMatchObject({ version: 1, unknown: 0, unsure: 0, precision: null });
    expect(result.matched).toBe(result.conversations);
    expect(result.cost).toEqual({
      nodes: 2,
      utterances: result.conversations * SPOKEN.length,
      steps: 2 * result.cost.utterances,
      limit: 20_000_000,
    });
    expect(result.matches.find((match) => match.conversation_id === id)).toMatchObject({
      title: 'tried',
      outcome: 'matched',
      hit_count: 1,
      hits: [{ utterance_ids: [`${id}_utt_1`], speaker: 'Speaker_1', t_start: 2, t_end: 3.5, quote: SPOKEN[1] }],
    });
    expect((await matchesOf(rule)).matches).toEqual([]);
    expect(await rulesIn(id)).toBeUndefined();
    expect((await tried('/rules/try', { when: PRICE })).matches).toEqual(result.matches);
    const future = await tried(`/rules/${rule}/try`, { created_after: '2100-01-01T00:00:00Z' });
    expect(future).toMatchObject({ conversations: 0, matches: [] });
    await ask('DELETE', `/rules/${rule}`);
  });

  it('says what each phrase contributes, and what it just leaves out', async () => {
    const { id } = await analysed('phrases.wav');
    const said = { phrases: ['price', 'too high', 'prices', 'meet you'], words: 'exact' as const };
    const when = { all: [{ said }, { not: { said: { phrases: ['Tuesday'] } } }] };
    const none = await tried('/rules/try', { when });
    expect(none.matched).toBe(0);
    expect(none.phrases.map(({ hit_count }) => hit_count)).toEqual([0, 0, 0, 0]);
    expect(none.left_out.map(({ path, hit_count }) => [path, hit_count])).toEqual([
      ['when.all.1.not', none.conversations],
    ]);
    const [{ when: wider, matches }] = none.left_out as [RuleTryResult['left_out'][number]];
    expect(wider).toEqual({ all: [{ said }] });
    expect(matches[0]).toMatchObject({ hits: [{ quote: SPOKEN[1] }], hit_count: 1 });
    expect(matches.length).toBeLessThanOrEqual(10);

    const some = await tried('/rules/try', { when: { said } });
    const count = some.conversations;
    expect(some.phrases.map(({ path, phrase, hit_count }) => [path, phrase, hit_count])).toEqual([
      ['when.said.phrases.0', 'price', count],
      ['when.said.phrases.1', 'too high', count],
      ['when.said.phrases.2', 'prices', 0],
      ['when.said.phrases.3', 'meet you', 0],
    ]);
    // "price" and "prices" have one form, and are found in no other utterance.
    expect(some.left_out).toEqual([]);
    const loose = { said: { phrases: ['shall Tuesday', 'shall meet'] } };
    const apart = await tried('/rules/try', { when: loose });
    expect(apart.hit_count).toBe(0);
    expect(apart.left_out).toMatchObject([{ path: 'when.said.words', hit_count: count }]);
    const found = await tried('/rules/try', { when: apart.left_out[0]!.when });
    expect(found.phrases.map(({ hit_count }) => hit_count)).toEqual([0, count]);
    expect(found.matches.find((match) => match.conversation_id === id)?.hits).toMatchObject([
      { quote: SPOKEN[2], spans: [[0, 'Shall we meet'.length]] },
    ]);
  });

  it('prints its precision by the judgements on its hits', async () => {
    const calls = [await analysed(), await analysed(), await analysed()];
    const { id: rule } = await added({});
    for (const [i, { id }] of calls.entries()) {
      const judgement = { conversation_id: id, utterance_id: `${id}_utt_1`, thumb: i === 0 ? 'down' : 'up' };
      expect((await ask('POST', `/rules/${rule}/feedback`, judgement)).status).toBe(204);
    }
    const { precision, matches } = await tried(`/rules/${rule}/try`);
    expect(precision).toMatchObject({ right: 2, judged: 3 });
    expect(precision?.share).toBeCloseTo(2 / 3);
    const [first] = calls;
    expect(matches.find(({ conversation_id }) => conversation_id === first!.id)?.hits[0]?.thumb).toBe('down');
    const nobody = { conversation_id: first!.id, utterance_id: `${first!.id}_utt_9`, thumb: 'up' };
    expect((await ask('POST', `/rules/${rule}/feedback`, nobody)).status).toBe(400);
    await ask('POST', `/rules/${rule}/feedback`, { ...nobody, utterance_id: `${first!.id}_utt_1`, thumb: null });
    expect((await tried(`/rules/${rule}/try`)).precision).toMatchObject({ right: 2, judged: 2 });
    // The utterances of another run are others.
    await ask('POST', of(calls[1]!.id, '/reanalyze'), {});
    expect((await tried(`/rules/${rule}/try`)).precision).toMatchObject({ right: 1, judged: 1 });
    await ask('DELETE', `/rules/${rule}`);
  });
});

it('says what followed its hits, as the moments do', async () => {
  service.pipeline.answer = MADE['eight-people']!.answer;
  await analysed('offers.wav');
  service.pipeline.answer = sayEverything;
  const { id: rule } = await added({ when: { moment: { categories: ['cta_offered'] } }, is_enabled: true });
  await vi.waitFor(async () => expect((await get<RuleBody>(`/rules/${rule}`)).body.pending).toBe(0), 10_000);
  const list = async (query: string): Promise<RuleMatchList> =>
    RuleMatchListSchema.parse((await get(`/rules/${rule}/matches?limit=1${query}`)).body);
  const { followed_by, matches } = await list('&followed_by=true');
  const { totals } = (await get<MomentList>('/moments?category=cta_offered')).body;
  expect(followed_by).toEqual(totals!.outcomes);
  expect(Object.keys(followed_by!)).toEqual(expect.arrayContaining(['cta_accepted', 'nothing']));
  expect(matches[0]!.hit_count).toBeGreaterThan(1);
  expect(await list('&followed_by=true&label=nowhere')).toMatchObject({ followed_by: {}, matches: [] });
  expect((await list('')).followed_by).toBeUndefined();
  await ask('DELETE', `/rules/${rule}`);
});

describe('an enabled rule', () => {
  it('applies to everything stored and to new results, and follows edits', async () => {
    const before = await analysed('before.wav');
    const { id: rule } = await added({ is_enabled: true });
    await vi.waitFor(async () => expect((await get<RuleBody>(`/rules/${rule}`)).body.pending).toBe(0), 10_000);
    const after = await analysed('after.wav');
    expect((await get<RuleBody>(`/rules/${rule}`)).body.pending).toBe(0);
    const ids = async () => (await matchesOf(rule)).matches.map(({ conversation_id }) => conversation_id);
    expect(await ids()).toEqual(expect.arrayContaining([before.id, after.id]));
    expect(await rulesIn(after.id)).toEqual([
      expect.objectContaining({ rule_id: rule, name: 'Price', version: 1, outcome: 'matched', hit_count: 1 }),
    ]);
    const second = { utterance_id: `${after.id}_utt_1`, text: 'It is fine.' };
    await edited(after.id, { correct: [second] });
    expect(await rulesIn(after.id)).toBeUndefined();
    expect(await ids()).not.toContain(after.id);
    await ask('POST', of(after.id, '/undo'));
    expect(await ids()).toContain(after.id);
    await ask('PATCH', `/rules/${rule}`, { is_enabled: false });
    expect(await ids()).toEqual([]);
    await ask('DELETE', `/rules/${rule}`);
  });

  it('is unknown where affect is hidden, and never false', async () => {
    const when = { sentiment: { is: ['negative'], who: { speaker: 'Speaker_1' } } };
    const { id: rule } = await added({ name: 'Negative', when, is_enabled: true });
    const { id } = await analysed();
    expect(await rulesIn(id)).toBeUndefined();
    await edited(id, { hide_affect: { Speaker_1: true } });
    expect(await rulesIn(id)).toEqual([expect.objectContaining({ outcome: 'unknown', hits: [] })]);
    expect(await matchesOf(rule)).toMatchObject({ matched: 0, unknown: 1 });
    const counted = async (filter: string) => (await get<RuleMatchList>(`/rules/${rule}/matches?${filter}`)).body;
    expect(await counted('outcome=matched')).toMatchObject({ matches: [], unknown: 1 });
    expect(await counted('label=nowhere')).toMatchObject({ matched: 0, unknown: 0 });
    await ask('POST', of(id, '/undo'));
    expect(await matchesOf(rule)).toMatchObject({ matched: 0, unknown: 0 });
    await ask('DELETE', `/rules/${rule}`);
  });

  it('knows a role by the name of the speaker', async () => {
    const when = { said: { phrases: ['price'], who: { role: 'customer' } } };
    const { id: rule } = await added({ when, is_enabled: true });
    const { id } = await analysed();
    expect((await rulesIn(id))?.[0]?.outcome).toBe('unknown');
    await edited(id, { speakers: { Speaker_1: 'Customer' } });
    expect((await rulesIn(id))?.[0]).toMatchObject({ outcome: 'matched', hits: [{ speaker: 'Customer' }] });
    await ask('DELETE', `/rules/${rule}`);
  });

  it('leaves no trace of a deleted conversation', async () => {
    const { id: rule } = await added({ is_enabled: true });
    const { id, tenant } = await analysed();
    await ask('POST', `/rules/${rule}/feedback`, { conversation_id: id, utterance_id: `${id}_utt_1`, thumb: 'up' });
    const tables = ['rule_facts', 'rule_results', 'rule_thumbs', 'rule_alerts'];
    const rows = async () => {
      const dump = await (await tenantObject(tenant)).dump();
      return tables.map((table) => dump[table]!.length);
    };
    const full = await rows();
    const { body } = await ask<DeletionReceipt>('DELETE', of(id));
    expect(body.index).toContain('rules');
    expect(await rows()).toEqual(full.map((count) => count - 1));
    const { matches } = await matchesOf(rule);
    expect(JSON.stringify([matches, (await tried(`/rules/${rule}/try`)).matches])).not.toContain(id);
    await ask('DELETE', `/rules/${rule}`);
  });

  it('is reported to webhooks, once for each conversation', async () => {
    const url = 'https://example.com/hook';
    const hook = await ask<{ id: string }>('POST', '/webhooks', { url, events: ['rule.matched'] });
    expect(hook.status, hook.text).toBe(201);
    const { id: rule } = await added({ is_enabled: true });
    const { id: silent } = await added({ name: 'Silent', is_enabled: true, alert: false });
    const { id, tenant } = await analysed();
    await ask('POST', of(id, '/reanalyze'), {});
    const rows = (await (await tenantObject(tenant)).dump()).deliveries!.filter((row) => row.webhook === hook.body.id);
    expect(rows.map((row) => JSON.parse(String(row.body)))).toEqual([
      {
        type: 'rule.matched',
        timestamp: expect.any(String),
        data: {
          conversation_id: id,
          rule: {
            id: rule,
            name: 'Price',
            version: 1,
            hits: [expect.objectContaining({ quote: SPOKEN[1], t_start: 2 })],
          },
        },
      },
    ]);
    for (const one of [rule, silent]) await ask('DELETE', `/rules/${one}`);
    await ask('DELETE', `/webhooks/${hook.body.id}`);
  });

  it('has the same matches after the catalogue was lost and is rebuilt', async () => {
    const { tenant } = await analysed('rebuilt.wav');
    const { id: rule } = await added({ is_enabled: true });
    await vi.waitFor(async () => expect((await get<RuleBody>(`/rules/${rule}`)).body.pending).toBe(0), 10_000);
    const before = await matchesOf(rule);
    expect(before.matched).toBeGreaterThan(0);
    await (await tenantObject(tenant)).loseCatalogue();
    expect((await matchesOf(rule)).matches).toEqual([]);
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: Response = await service.admin('POST', `/tenants/${tenant}/reindex?cursor=${cursor}`);
      cursor = ((await answer.json()) as { next_cursor: string | null }).next_cursor;
    }
    expect(await matchesOf(rule)).toEqual(before);
    await ask('DELETE', `/rules/${rule}`);
  });

  it('is not seen by another tenant', async () => {
    const { id: rule } = await added({ is_enabled: true });
    const { id } = await analysed();
    expect((await shown(id)).utterances).toBe(SPOKEN.length);
    expect((await get(`/rules/${rule}/matches`, OTHER)).status).toBe(404);
    expect((await get<{ rules: unknown[] }>('/rules', OTHER)).body.rules).toEqual([]);
    const foreign = await ask<RuleTryResult>('POST', '/rules/try', { when: PRICE }, OTHER);
    expect(foreign.body.conversations).toBe(0);
    await ask('DELETE', `/rules/${rule}`);
  });
});
