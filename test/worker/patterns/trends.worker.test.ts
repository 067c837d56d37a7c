import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { type TrendList, TrendListSchema } from '../../../src/contract/trends.ts';
import { linesOf, write } from '../../../support/fake-pipeline.ts';
import { KEY } from '../../../support/service-under-test.ts';
import {
  analysed,
  ask,
  edited,
  get,
  of,
  runService,
  service,
  shown,
} from '../conversations/conversations-under-test.ts';

runService();

const folder = mkdtempSync(join(tmpdir(), 'undertone-trend-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

async function trends(query: string): Promise<TrendList> {
  const { status, body, text } = await get(`/trends?${query}`);
  expect(status, text).toBe(200);
  return TrendListSchema.parse(body);
}
const several = async (n: number, at: string) => {
  const ids: string[] = [];
  for (let i = 0; i < n; i++) ids.push((await analysed(`${i}.wav`, { recorded_at: at })).id);
  return ids;
};

it('a cell of 7 conversations has their values, one of 8 a mean with its interval', async () => {
  const ids = await several(7, '2023-01-03T10:00:00Z');
  const week = 'measure=moments.count&from=2023-01-02&to=2023-01-09';
  const { moments } = await shown(ids[0]!);
  const seven = await trends(week);
  expect(seven.cells).toEqual([
    {
      group: { week: '2023-01-02' },
      n: 7,
      n_unknown: 0,
      sum: 7 * moments.length,
      unsure: 7 * moments.filter(({ confidence }) => confidence < 0.5).length,
      unsure_share: null,
      mean: null,
      pooled: null,
      quartiles: null,
      values: ids.map((id) => ({ conversation_id: id, value: moments.length })),
    },
  ]);
  await several(1, '2023-01-04T10:00:00Z');
  const eight = (await trends(week)).cells[0]!;
  const all = { value: moments.length, from: moments.length, to: moments.length };
  expect(eight).toMatchObject({ n: 8, mean: all, values: null, quartiles: [all.value, all.value, all.value] });
  // A ratio has both: the mean of the calls, and that of all seconds together.
  const pace = (await trends('measure=pace&from=2023-01-02&to=2023-01-09&by=week,role')).cells[0]!;
  expect(pace).toMatchObject({
    group: { week: '2023-01-02', role: null },
    sum: null,
    pooled: { value: expect.any(Number) },
  });
  const marked = (await trends(`${week}&marks=true&by=week,category`)).cells;
  for (const cell of marked) expect(cell.marks).toHaveLength(Math.min(60, cell.sum!));
  const sure = marked.flatMap(({ marks }) => [marks!.map(({ p }) => p >= 0.5)]);
  for (const flags of sure) expect(flags).toEqual(flags.toSorted((a, b) => Number(b) - Number(a)));
});

it('persons have measures of timing against their own median, by name, and never a tone', async () => {
  const [first = '', second = ''] = await several(2, '2023-02-07T10:00:00Z');
  const person = async (name: string, role: string) =>
    (await ask<{ id: string }>('POST', '/people', { name, role })).body.id;
  const [zoe, adam] = [await person('Zoe Ash', 'agent'), await person('Adam Bly', 'customer')];
  for (const id of [first, second]) await edited(id, { people: { Speaker_0: zoe, Speaker_1: adam } });
  const period = 'from=2023-02-06&to=2023-02-13';
  const list = await trends(`measure=talk_share&by=person,week&${period}`);
  expect(list.people?.map(({ name, n }) => [name, n])).toEqual([
    ['Adam Bly', 2],
    ['Zoe Ash', 2],
  ]);
  expect(list.cells.map(({ group }) => group)).toEqual([
    { person: adam, week: '2023-02-06' },
    { person: zoe, week: '2023-02-06' },
  ]);
  const { insights } = await shown(first);
  const share = insights.metrics.speakers['Zoe Ash']!;
  const total = Object.values(insights.metrics.speakers).reduce((sum, { talk_time_s }) => sum + talk_time_s, 0);
  expect(list.cells[1]!.values![0]!.value).toBeCloseTo(share.talk_time_s / total, 9);
  const own = (await trends(`measure=longest_turn&speaker=${zoe}&${period}`)).cells[0]!;
  expect(own.values!.map(({ value }) => value)).toEqual([share.longest_monologue_s, share.longest_monologue_s]);

  // A few seconds of speech have no questions an hour.
  const asked = await trends(`measure=questions&by=person,week&${period}`);
  expect(asked.cells.map(({ n, n_unknown }) => [n, n_unknown])).toEqual([
    [0, 2],
    [0, 2],
  ]);

  // The tone is that of the customer alone: the agent is staff, and hidden affect is not known.
  const tone = async (query = '') => (await trends(`measure=tone&${period}${query}`)).cells[0];
  const { timeline } = await shown(first);
  const ofCustomer = timeline.filter(({ speaker, pad_scores }) => speaker === 'Adam Bly' && pad_scores);
  const seconds = ofCustomer.reduce((sum, { t_start, t_end }) => sum + t_end - t_start, 0);
  const valence =
    ofCustomer.reduce((sum, one) => sum + one.pad_scores!.valence * (one.t_end - one.t_start), 0) / seconds;
  expect((await tone())!.values![0]!.value).toBeCloseTo(valence, 9);
  await edited(first, { hide_affect: { Speaker_1: true } });
  expect(await tone()).toMatchObject({ n: 1, n_unknown: 1, values: [{ conversation_id: second }] });
  await edited(second, { hide_affect: { Speaker_1: true } });
  expect(await tone()).toMatchObject({ n: 0, n_unknown: 2, mean: null, values: [] });
  expect((await trends(`measure=tone&by=role&${period}`)).cells.map(({ group }) => group)).toEqual([
    { role: 'customer' },
  ]);
  expect(await tone(`&person=${adam}`)).toBeUndefined();
});

it('labels, rules and outcomes are groups; a label or a deletion counts at once', async () => {
  const [first = '', second = ''] = await several(2, '2023-03-07T10:00:00Z');
  const period = 'from=2023-03-06&to=2023-03-13';
  await edited(first, { labels: ['renewal', 'clinic'] });
  const byLabel = await trends(`measure=duration&by=label&${period}`);
  expect(byLabel.n).toBe(2);
  expect(byLabel.cells.map(({ group, n }) => [group.label, n])).toEqual([
    ['clinic', 1],
    ['renewal', 1],
  ]);
  const rule = { name: 'Price', when: { said: { phrases: ['price'] } } };
  const { body: made } = await ask<{ id: string }>('POST', '/rules', rule);
  await ask('PATCH', `/rules/${made.id}`, { is_enabled: true });
  const byRule = async () =>
    (await trends(`measure=duration&by=rule&${period}`)).cells.map(({ group, n }) => [group, n]);
  await expect.poll(byRule).toEqual([[{ rule: made.id }, 2]]);
  await ask('DELETE', `/rules/${made.id}`);
  const outcomes = (await trends(`measure=moments.count&category=cta_offered&by=outcome&${period}`)).cells;
  const { moments } = await shown(first);
  const offers = moments.filter(({ category }) => category === 'cta_offered').length;
  expect(outcomes.reduce((sum, cell) => sum + cell.sum!, 0)).toBe(2 * offers);
  expect(outcomes.every(({ n }) => n === 2)).toBe(true);
  const csv = await get(`/trends/export?measure=moments.count&by=week,category&format=csv&${period}`);
  const [head, row] = csv.text.split('\r\n');
  expect(head).toBe(
    'week,category,measure,unit,n,n_unknown,sum,unsure,unsure_share,mean,mean_from,mean_to,pooled,pooled_from,pooled_to,lower_quartile,median,upper_quartile,values',
  );
  expect(row).toContain('"2023-03-06"');
  const file = join(folder, 'trends.parquet');
  const path = `/trends/export?measure=moments.count&by=week,category&format=parquet&${period}`;
  const bytes = await fetch(new URL(path, service.url), { headers: { 'X-API-Key': KEY } });
  expect(bytes.headers.get('Content-Type')).toBe('application/vnd.apache.parquet');
  writeFileSync(file, Buffer.from(await bytes.arrayBuffer()));
  const { cells } = await trends(`measure=moments.count&by=week,category&${period}`);
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await db.runAndReadAll(`SELECT week, category, n, sum, mean FROM '${file}'`);
  db.closeSync();
  expect(read.getRowObjects()).toEqual(
    cells.map(({ group, n, sum, mean }) => ({ ...group, n, sum, mean: mean?.value ?? null })),
  );
  await ask('DELETE', of(second));
  expect((await trends(`measure=duration&${period}`)).cells[0]).toMatchObject({
    n: 1,
    values: [{ conversation_id: first }],
  });
});

it.each([
  ['measure=mood', 'measure'],
  ['measure=pace&by=mood', 'by: must be'],
  ['measure=pace&by=day,week', 'by: has two spans of time'],
  ['measure=pace&by=week,role,label', 'by: has more than 2 groups'],
  ['measure=pace&by=role,role', 'by: names a group twice'],
  ['measure=tone&by=person', 'by: a person has only measures of timing'],
  ['measure=moments.count&by=person', 'by: a person has only measures of timing'],
  ['measure=tone&speaker=Zoe', 'speaker: the tone of one person is not worked out'],
  ['measure=tone&role=agent', 'role: the tone of staff is not worked out'],
  ['measure=duration&role=agent', 'role: does not apply to duration'],
  ['measure=pace&category=objection', 'category: does not apply to pace'],
  ['measure=pace&by=category', 'by: pace has no category'],
  ['measure=silence&by=role', 'by: silence has no role'],
  ['measure=pace&marks=true', 'marks: does not apply to pace'],
  ['by=week', 'measure'],
])('refuses %s by name', async (query, fault) => {
  const { status, text } = await get(`/trends?${query}`);
  expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
});
