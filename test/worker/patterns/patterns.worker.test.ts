import { beforeEach, describe, expect, it } from 'vitest';
import type { CommitmentList } from '../../../src/contract/commitments.ts';
import type { ConversationList } from '../../../src/contract/conversations.ts';
import { type LineList, LineListSchema, type MomentList, MomentListSchema } from '../../../src/contract/patterns.ts';
import type { RuleMatchList } from '../../../src/contract/rules.ts';
import type { TrendList } from '../../../src/contract/trends.ts';
import { linesOf, write } from '../../../support/fake-pipeline.ts';
import {
  analysed,
  ask,
  edited,
  get,
  of,
  reindexed,
  runService,
  service,
  shown,
  tenantObject,
} from '../conversations/conversations-under-test.ts';

runService();

const CALL = [
  'We would set it all up for you, the price is four hundred pounds a month.',
  "That's too expensive, the price is way over our budget.",
  'Would you like me to book you in for Tuesday morning, then we look at the price?',
  'Yes please, Tuesday would be great.',
  'Great, see you then.',
];

beforeEach(() => {
  service.pipeline.answer = (response, { options }) => {
    write(response, linesOf(options.conversation_id, CALL));
    response.end();
  };
});

async function moments(query = ''): Promise<MomentList> {
  const { status, body, text } = await get(`/moments${query}`);
  expect(status, text).toBe(200);
  return MomentListSchema.parse(body);
}
async function lines(query: string): Promise<LineList> {
  const { status, body, text } = await get(`/lines${query}`);
  expect(status, text).toBe(200);
  return LineListSchema.parse(body);
}
const recorded = (day: string) => ({ recorded_at: `${day}T10:00:00Z` });

/** Every entry of a list, one page after the other. */
async function paged<T>(read: (cursor: string) => Promise<{ entries: T[]; next_cursor: string | null }>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor = ''; ; ) {
    const { entries, next_cursor } = await read(cursor);
    all.push(...entries);
    if (next_cursor === null) return all;
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
  }
}

describe('the moments of all conversations', () => {
  it('have their quote, place, confidence and what followed, and can be played', async () => {
    const { id } = await analysed('played.wav', recorded('2024-03-05'));
    const result = await shown(id);
    const list = await moments('?from=2024-03-05&to=2024-03-06');
    expect(list.moments.map(({ moment_id }) => moment_id)).toEqual(result.moments.map(({ moment_id }) => moment_id));
    for (const [i, hit] of list.moments.entries()) {
      const { category, confidence, speaker_id, start_ms, evidence } = result.moments[i]!;
      expect(hit).toMatchObject({ category, confidence, speaker: speaker_id, t_start: start_ms / 1000 });
      expect(hit).toMatchObject({ quote: evidence[0]!.quote, utterance_id: evidence[0]!.utterance_id });
      expect(hit.conversation).toMatchObject({ title: 'played', recorded_at: '2024-03-05T10:00:00.000Z' });
    }
    const offer = list.moments.findLast(({ category }) => category === 'cta_offered')!;
    expect(offer.followed_by).toMatchObject({ category: 'cta_accepted', after_s: expect.any(Number) });
    expect(offer.before?.text).toBe(CALL[1]);
    expect(offer.after?.text).toBe(CALL[3]);
    const near = result.timeline.filter((u) => u.t_start < offer.t_end + 5 && u.t_end > offer.t_start - 5);
    expect(offer.around).toEqual(near.map(({ speaker, t_start, t_end }) => ({ speaker, t_start, t_end })));
    expect((await get(offer.media.split('#')[0]!)).status).toBe(200);
    expect(offer.page).toBe(`/app/conversations/${id}?t=${offer.t_start}`);
    const { totals } = list;
    expect(totals).toMatchObject({ count: list.moments.length, conversations: 1, searched: 1 });
    expect(totals!.unsure).toBe(list.moments.filter(({ confidence }) => confidence < 0.5).length);
    expect(Object.values(totals!.outcomes).reduce((sum, { count }) => sum + count, 0)).toBe(totals!.count);
  });

  it('have the rating that was given to them, and so have their marks, until it is taken back', async () => {
    const { id } = await analysed('rated.wav', recorded('2024-03-12'));
    const period = '?from=2024-03-12&to=2024-03-13';
    const rated = (await moments(period)).moments.at(-1)!.moment_id;
    const rate = (thumb: 'down' | null) => ask('POST', of(id, '/feedback'), { moment_id: rated, thumb });
    const thumbs = async () => {
      const hits = (await moments(period)).moments.filter(({ thumb }) => thumb);
      const { cells } = (await get<TrendList>(`/trends${period}&measure=moments.count&marks=true`)).body;
      const marks = cells.flatMap(({ marks: own }) => own ?? []).filter(({ thumb }) => thumb);
      expect(marks.map(({ moment_id, thumb }) => [moment_id, thumb])).toEqual(
        hits.map(({ moment_id, thumb }) => [moment_id, thumb]),
      );
      return Object.fromEntries(hits.map(({ moment_id, thumb }) => [moment_id, thumb]));
    };
    expect(await thumbs()).toEqual({});
    await rate('down');
    expect(await thumbs()).toEqual({ [rated]: 'down' });
    await rate(null);
    expect(await thumbs()).toEqual({});
  });

  it('are quoted in the list of conversations that have one of a category, if they are sure', async () => {
    const { id } = await analysed('quoted.wav', recorded('2024-03-12'));
    const result = await shown(id);
    const sure = result.moments.filter(({ category, confidence }) => category === 'cta_offered' && confidence >= 0.5);
    expect(sure.length).toBeGreaterThan(0);
    const entries = async (query: string) =>
      ((await get(`/conversations?${query}`)).body as ConversationList).conversations.filter(
        (entry) => entry.conversation_id === id,
      );
    const [entry] = await entries('moment=cta_offered');
    expect(entry?.matches).toEqual(
      sure.slice(0, 3).map(({ start_ms, evidence: [first] }) => ({
        utterance_id: first!.utterance_id,
        t_start: start_ms / 1000,
        text: first!.quote,
        hits: [],
      })),
    );
    // A search shows where its words were said.
    const [searched] = await entries('moment=cta_offered&q=tuesday');
    expect(searched?.matches?.every(({ hits }) => hits.length > 0)).toBe(true);
    expect((await entries(''))[0]?.matches).toBeUndefined();
  });

  it('that nobody said are none of the conversations that were searched', async () => {
    await analysed('searched.wav', recorded('2024-03-19'));
    const { totals } = await moments('?from=2024-03-19&to=2024-03-20&category=objection&min_confidence=1');
    expect(totals).toMatchObject({ count: 0, conversations: 0, searched: 1 });
  });

  it('are found by every filter, alone and together', async () => {
    const { id } = await analysed('filtered.wav', recorded('2024-04-02'));
    const period = '?from=2024-04-02&to=2024-04-03';
    const all = (await moments(period)).moments;
    const matching = async (query: string) => (await moments(`${period}${query}`)).moments;
    const objections = all.filter(({ category }) => category === 'objection');
    expect(objections).not.toEqual([]);
    expect(await matching('&category=objection')).toEqual(objections);
    expect(await matching('&category=objection,cta_offered')).toEqual(
      all.filter(({ category }) => category === 'objection' || category === 'cta_offered'),
    );
    const { speaker, confidence } = objections[0]!;
    expect(await matching(`&speaker=${speaker}`)).toEqual(all.filter((one) => one.speaker === speaker));
    expect(await matching(`&min_confidence=${confidence}`)).toEqual(all.filter((one) => one.confidence >= confidence));
    expect(await matching('&outcome=cta_accepted')).toEqual(
      all.filter(({ followed_by }) => followed_by?.category === 'cta_accepted'),
    );
    expect(await matching('&label=renewal')).toEqual([]);
    await edited(id, { labels: ['renewal'], speakers: { Speaker_1: 'Quirin Vale' } });
    expect((await matching('&label=renewal&category=objection'))[0]?.speaker).toBe('Quirin Vale');
    expect(await matching('&person=Quirin%20Vale')).toHaveLength(all.length);
    expect(await matching('&person=Nobody')).toEqual([]);
    const { body: bo } = await ask<{ id: string }>('POST', '/people', { name: 'Bo Lund', role: 'customer' });
    await edited(id, { people: { Speaker_1: bo.id } });
    expect((await matching(`&speaker=${bo.id}&role=customer`))[0]).toMatchObject({ speaker: 'Bo Lund', person: bo.id });
    expect(await matching('&role=agent')).toEqual([]);
    expect(await matching('&language=de')).toEqual([]);
    expect(await matching('&q=tuesday%20budget')).toHaveLength(all.length);
    expect(await matching('&q=wednesday')).toEqual([]);
    const rule = { name: 'Price', when: { said: { phrases: ['price'] } } };
    const { body: made } = await ask<{ id: string }>('POST', '/rules', rule);
    await ask('PATCH', `/rules/${made.id}`, { is_enabled: true });
    await expect.poll(() => matching(`&rule=${made.id}`)).toHaveLength(all.length);
    // The other lists over all conversations accept the same filters.
    // The marks and sums of the weeks are those of the list, for any filter.
    for (const query of [
      '',
      '&category=objection',
      '&outcome=cta_accepted',
      '&role=customer',
      '&q=tuesday',
      `&rule=${made.id}`,
    ]) {
      const { totals } = await moments(`${period}${query}`);
      const asked = `/trends${period}${query}&measure=moments.count&by=week,category&marks=true`;
      const { cells } = (await get<TrendList>(asked)).body;
      const drawn = cells.flatMap(({ marks }) => marks ?? []);
      expect([drawn.length, drawn.filter(({ p }) => p < 0.5).length], query).toEqual([totals!.count, totals!.unsure]);
      for (const { group, sum, unsure } of cells) {
        const own = totals!.categories[group.category as 'objection'] ?? { count: 0, unsure: 0 };
        expect({ count: sum, unsure }, query).toEqual(own);
      }
    }
    const ids = async (query: string) =>
      ((await get(`/conversations${period}${query}`)).body as ConversationList).conversations.map(
        ({ conversation_id }) => conversation_id,
      );
    const matches = async (query: string) =>
      ((await get(`/rules/${made.id}/matches${period}${query}`)).body as RuleMatchList).matches.length;
    const owed = async (query: string) =>
      ((await get(`/commitments${period}${query}`)).body as CommitmentList).counts.statuses;
    const nothing = { offered: 0, open: 0, accepted: 0, declined: 0, done: 0 };
    for (const query of ['', '&label=renewal', '&q=tuesday%20budget']) {
      expect(await ids(query)).toEqual([id]);
      expect(await matches(query)).toBe(1);
      expect(await owed(query)).toEqual(await owed(''));
    }
    expect(await ids(`&rule=${made.id}&person=Bo%20Lund`)).toEqual([id]);
    expect(await ids(`&person=${bo.id}`)).toEqual([id]);
    for (const query of ['&label=other', '&language=de', '&q=wednesday']) {
      expect(await ids(query)).toEqual([]);
      expect(await matches(query)).toBe(0);
      expect(await owed(query)).toEqual(nothing);
    }
    expect(await owed('')).not.toEqual(nothing);
    await ask('DELETE', `/rules/${made.id}`);
    // A day begins in the zone of the request: in Kiritimati it is already the next one.
    expect((await moments('?from=2024-04-03&to=2024-04-04&tz=Pacific/Kiritimati')).moments).toHaveLength(all.length);
  });

  it('come newest recording first, page by page, also those recorded at the same time', async () => {
    for (const name of ['one.wav', 'two.wav', 'three.wav']) await analysed(name, recorded('2024-05-06'));
    await analysed('earlier.wav', recorded('2024-05-05'));
    const period = '?from=2024-05-05&to=2024-05-07';
    const all = (await moments(`${period}&limit=100`)).moments;
    expect(new Set(all.map(({ moment_id }) => moment_id)).size).toBe(all.length);
    expect(all.map(({ conversation }) => conversation.recorded_at)).toEqual(
      all.map(({ conversation }) => conversation.recorded_at).toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
    );
    const pages = await paged(async (cursor) => {
      const page = await moments(`${period}&limit=2${cursor}`);
      expect(page.totals === null).toBe(cursor !== '');
      return { entries: page.moments, next_cursor: page.next_cursor };
    });
    expect(pages).toEqual(all);
    const surest = [...Map.groupBy(all, ({ conversation_id }) => conversation_id).values()].map((own) =>
      own.reduce((best, one) => (one.confidence > best.confidence ? one : best)),
    );
    for (const limit of [1, 3, 100])
      expect(
        await paged(async (cursor) => {
          const page = await moments(`${period}&one_per=conversation&limit=${limit}${cursor}`);
          return { entries: page.moments, next_cursor: page.next_cursor };
        }),
      ).toEqual(surest);
  });

  it('are exported as a table with a row for each, whatever the size of a page', async () => {
    const period = 'from=2024-05-05&to=2024-05-07';
    const rows = async (path: string) => (await get(path)).text.trimEnd().split('\r\n').slice(1);
    const all = (await moments(`?${period}&limit=100`)).moments;
    const table = await rows(`/moments/export?${period}&format=csv`);
    expect(table.map((row) => row.split(',')[0])).toEqual(all.map(({ moment_id }) => `"${moment_id}"`));
    const said = (await lines(`?q=price&${period}&limit=100`)).lines;
    expect(await rows(`/lines/export?q=price&${period}&format=csv`)).toHaveLength(said.length);
    expect((await get('/moments/export?format=xls')).status).toBe(400);
  });

  it('are not sent again while they are the same', async () => {
    for (const path of ['/moments?limit=1', '/lines?q=price&limit=1', '/trends?measure=duration&by=language']) {
      const etag = (await get(path)).headers.get('ETag') ?? '';
      expect(etag).not.toBe('');
      const again = await get(path, { 'If-None-Match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    }
  });

  it.each([
    ['/moments?category=praise', 'category: must be'],
    ['/moments?from=tuesday', 'from'],
    ['/moments?tz=Mars/Base', 'tz: must be a time zone'],
    ['/moments?cursor=1.2', 'cursor: does not belong to this list'],
    ['/moments?mood=bad', 'mood'],
    ['/moments?q=%21', 'q: must contain at least one word'],
    ['/lines', 'q'],
    ['/lines?q=price&cursor=x', 'cursor: does not belong to this list'],
    ['/lines?q=price&category=objection', 'category'],
  ])('refuse %s by name', async (path, fault) => {
    const { status, text } = await get(path);
    expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
  });
});

describe('the lines of all conversations', () => {
  it('have all words of a search, their place and their confidence', async () => {
    const { id } = await analysed('said.wav', recorded('2024-06-04'));
    const period = '&from=2024-06-04&to=2024-06-05';
    const { lines: hits } = await lines(`?q=price${period}`);
    expect(hits.map(({ utterance_id }) => utterance_id)).toEqual([0, 1, 2].map((n) => `${id}_utt_${n}`));
    const { timeline } = await shown(id);
    for (const hit of hits) {
      const said = timeline.find(({ utterance_id }) => utterance_id === hit.utterance_id)!;
      expect(hit).toMatchObject({ speaker: said.speaker, t_start: said.t_start, t_end: said.t_end, text: said.text });
      expect(hit.spans.map(([from, to]) => hit.text.slice(from, to))).toEqual(['price']);
    }
    const found = async (q: string) =>
      (await lines(`?q=${encodeURIComponent(q)}${period}`)).lines.map(({ utterance_id }) => utterance_id);
    // Both words are in the conversation, but only one line has both.
    expect(await found('price tuesday')).toEqual([`${id}_utt_2`]);
    expect(await found('budget tuesday')).toEqual([]);
    expect(await found('"way over"')).toEqual([`${id}_utt_1`]);
    expect(await found('tues*')).toEqual([`${id}_utt_2`, `${id}_utt_3`]);
    const by = (await lines(`?q=price&speaker=${hits[0]!.speaker}${period}`)).lines;
    expect(by).toEqual(hits.filter(({ speaker }) => speaker === hits[0]!.speaker));
  });

  it('come page by page', async () => {
    for (const name of ['a.wav', 'b.wav', 'c.wav']) await analysed(name, recorded('2024-07-02'));
    const query = '?q=price&from=2024-07-02&to=2024-07-03';
    const all = (await lines(query)).lines;
    expect(all).toHaveLength(9);
    for (const limit of [1, 2, 4])
      expect(
        await paged(async (cursor) => {
          const page = await lines(`${query}&limit=${limit}${cursor}`);
          return { entries: page.lines, next_cursor: page.next_cursor };
        }),
      ).toEqual(all);
    const firsts = all.filter((one, i) => one.conversation_id !== all[i - 1]?.conversation_id);
    expect(firsts).toHaveLength(3);
    for (const limit of [1, 2, 4])
      expect(
        await paged(async (cursor) => {
          const page = await lines(`${query}&one_per=conversation&limit=${limit}${cursor}`);
          return { entries: page.lines, next_cursor: page.next_cursor };
        }),
      ).toEqual(firsts);
  });
});

it('moments and lines follow corrections, merges, another analysis, a rebuild and removal', async () => {
  const { id, tenant } = await analysed('followed.wav', recorded('2024-08-06'));
  const period = 'from=2024-08-06&to=2024-08-07';
  const both = async () => {
    const [found, said] = [await moments(`?${period}`), await lines(`?q=price&${period}`)];
    return { moments: found, lines: said };
  };
  const first = await both();
  await edited(id, {
    correct: [{ utterance_id: `${id}_utt_1`, text: "That's too expensive, the cost is way over our budget." }],
  });
  const corrected = await both();
  expect(corrected.lines.lines).toHaveLength(2);
  expect(corrected.moments.moments.find(({ category }) => category === 'objection')?.quote).toContain('cost');
  await edited(id, { merge: [['Speaker_1', 'Speaker_0']] });
  expect((await both()).lines.lines.map(({ speaker }) => speaker)).toEqual(['Speaker_0', 'Speaker_0']);
  await ask('POST', of(id, '/undo'));
  await ask('POST', of(id, '/undo'));
  expect(await both()).toEqual(first);
  const again = await ask('POST', of(id, '/reanalyze'), {});
  expect(again.status, again.text).toBe(200);
  const repeated = await both();
  const quotes = ({ moments: list }: { moments: MomentList }) => list.moments.map(({ quote }) => quote);
  expect(quotes(repeated)).toEqual(quotes(first));
  await (await tenantObject(tenant)).loseCatalogue();
  expect((await both()).moments.moments).toEqual([]);
  await reindexed(tenant);
  expect(await both()).toEqual(repeated);
  await ask('DELETE', of(id));
  const left = await both();
  expect([left.moments.moments, left.lines.lines]).toEqual([[], []]);
  const rows = await (await tenantObject(tenant)).dump();
  for (const table of ['conversations', 'speakers', 'lines', 'moments'])
    expect(JSON.stringify(rows[`pattern_${table}`])).not.toContain(id);
});
