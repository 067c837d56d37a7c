import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Edit } from '../../../src/contract/conversations.ts';
import { MEAN_FROM, measureRow, TrendListSchema } from '../../../src/contract/trends.ts';
import { studentQuantile } from '../../../src/worker/tenant/patterns/statistics.ts';
import { linesOf, write } from '../../../support/fake-pipeline.ts';
import {
  analysed,
  ask,
  get,
  of,
  reindexed,
  runService,
  service,
  shown,
  tenantObject,
} from '../conversations/conversations-under-test.ts';
import { type IndependentQuery, independentTrends } from './independent-trends.ts';

runService();

const CHANGES = 200;
const CONVERSATIONS = 36;
const TZ = 'Europe/Berlin';
const SAID = [
  'We would set it all up for you, the price is four hundred pounds a month.',
  "That's too expensive, the price is way over our budget.",
  'Would you like me to book you in for Tuesday morning, then we look at the price?',
  'Yes please, Tuesday would be great.',
  "No thanks, I can't do Friday.",
  'How much is it for a year?',
  'I see, and who else would come?',
  'It was raining all night here, and the dog would not go out.',
  'Great, see you then.',
];

/** Numbers from 0 to 1, the same in each run. */
let seed = 20_261_127;
function draw(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}
const below = (n: number): number => Math.floor(draw() * n);
const one = <T>(values: readonly T[]): T => values[below(values.length)]!;

const folder = mkdtempSync(join(tmpdir(), 'undertone-trends-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => {
  service.pipeline.answer = (response, { options }) => {
    const lines = linesOf(
      options.conversation_id,
      Array.from({ length: 4 + below(9) }, () => one(SAID)),
    );
    for (const line of lines) {
      if (line.type !== 'utterance') continue;
      const { entry } = line;
      entry.t_end = entry.t_start + 0.4 + 1.5 * draw();
      entry.asr_confidence = Number((0.3 + 0.7 * draw()).toFixed(3));
      const scores = { ...entry.pad_scores!, valence: Number(draw().toFixed(4)) };
      Object.assign(entry, { pad_scores: scores });
      entry.lexical_markers.is_question = entry.text.endsWith('?');
      if (entry.emotion) Object.assign(entry.emotion, { scores });
    }
    write(response, lines);
    response.end();
  };
});

const query = (measure: IndependentQuery['measure'], by: string, where?: string): IndependentQuery => ({
  measure,
  by: by.split(',') as IndependentQuery['by'],
  tz: TZ,
  ...(where !== undefined && { where }),
});
/** The queries of the service beside those of DuckDB. */
const QUERIES: [filter: string, query: IndependentQuery][] = [
  ['', query('moments.count', 'week')],
  ['', query('moments.count', 'category')],
  ['', query('moments.count', 'week,category')],
  ['', query('moments.count', 'category,outcome')],
  ['', query('moments.count', 'role,category')],
  ['&category=objection', query('moments.count', 'week', `category = 'objection'`)],
  [
    '&min_confidence=0.4&outcome=nothing',
    query('moments.per_hour', 'month', `confidence >= 0.4 AND outcome = 'nothing'`),
  ],
  ['', query('moments.per_hour', 'label')],
  ['', query('duration', 'day')],
  ['', query('duration', 'week,label')],
  ['', query('silence', 'month')],
  ['', query('silence', 'language')],
  ['', query('tone', 'week')],
  ['', query('tone', 'role')],
  ['&role=customer', query('tone', 'month', `role = 'customer'`)],
  ['', query('talk_share', 'person')],
  ['', query('talk_share', 'person,week')],
  ['', query('longest_turn', 'week,role')],
  ['', query('longest_turn', 'person')],
  ['', query('patience', 'person')],
  ['', query('patience', 'week')],
  ['', query('questions', 'role')],
  ['&role=agent', query('questions', 'week', `role = 'agent'`)],
  ['', query('pace', 'week')],
  ['', query('pace', 'person,month')],
];

/** Compares all cells. @returns the number of cells of each query */
async function compare(tenant: string): Promise<number[]> {
  const counts: number[] = [];
  const file = join(folder, 'export.ndjson');
  writeFileSync(file, await (await service.admin('GET', `/tenants/${tenant}/export`)).text());
  const independent = await independentTrends(
    file,
    QUERIES.map(([, one]) => one),
  );
  for (const [i, [filter, { measure, by }]] of QUERIES.entries()) {
    const path = `/trends?measure=${measure}&by=${by.join(',')}&tz=${TZ}${filter}`;
    const answer = await get(path);
    expect(answer.status, answer.text).toBe(200);
    const { cells } = TrendListSchema.parse(answer.body);
    const expected = new Map(
      independent[i]!.map((cell) => [by.map((group) => cell.group[group] ?? null).join(), cell]),
    );
    counts.push(cells.length);
    expect(cells.length, path).toBe(expected.size);
    for (const cell of cells) {
      const key = by.map((group) => cell.group[group] ?? null).join();
      const where = `${path} ${key}`;
      const right = expected.get(key)!;
      const near = (value: number, wanted: number) =>
        expect(Math.abs(value - wanted), `${where}: ${value}, not ${wanted}`).toBeLessThan(
          1e-9 * Math.max(1, Math.abs(wanted)),
        );
      expect([cell.n, cell.n_unknown], where).toEqual([right.n, right.unknown]);
      near(cell.unsure, right.unsure);
      if (measureRow(measure).isRatio) expect(cell.sum).toBeNull();
      else near(cell.sum!, right.sum);
      if (right.n < MEAN_FROM) {
        expect([cell.mean, cell.pooled, cell.quartiles, cell.unsure_share]).toEqual([null, null, null, null]);
        const values = new Map(cell.values!.map(({ conversation_id, value }) => [conversation_id, value]));
        expect([...values.keys()].sort(), where).toEqual(Object.keys(right.values).sort());
        for (const [id, value] of values) near(value, right.values[id]!);
        continue;
      }
      expect(cell.values).toBeNull();
      const half = (error: number) => studentQuantile(right.n - 1) * error;
      near(cell.mean!.value, right.mean);
      near(cell.mean!.to - cell.mean!.value, half(right.meanError));
      for (const [quarter, value] of cell.quartiles!.entries()) near(value, right.quartiles[quarter]!);
      if (right.outOf > 0) near(cell.unsure_share!, right.unsure / right.outOf);
      if (!cell.pooled) continue;
      near(cell.pooled.value, right.pooled);
      near(cell.pooled.value - cell.pooled.from, half(right.pooledError));
    }
  }
  return counts;
}

it(`every cell is what DuckDB works out from the export, before and after ${CHANGES} random changes and a rebuild`, async () => {
  const ids: string[] = [];
  let tenant = '';
  const add = async () => {
    const at = new Date(Date.parse('2024-03-22T00:00:00Z') + below(21 * 24 * 60) * 60_000).toISOString();
    const added = await analysed('call.wav', { recorded_at: at });
    ids.push(added.id);
    tenant = added.tenant;
  };
  for (let n = 0; n < CONVERSATIONS; n++) await add();
  await compare(tenant);
  const people: string[] = [];
  for (const [name, role] of [
    ['Ada Berg', 'agent'],
    ['Bo Lund', 'customer'],
    ['Cleo Day', 'customer'],
  ] as const)
    people.push((await ask<{ id: string }>('POST', '/people', { name, role })).body.id);

  const edit = async (id: string): Promise<Edit> => {
    const { timeline } = await shown(id);
    const speakers = [...new Set(timeline.map(({ speaker, speaker_label = speaker }) => speaker_label))];
    const [speaker = '', utterance] = [one(speakers), one(timeline)];
    return one<Edit>([
      { labels: one([['renewal'], ['clinic', 'renewal'], []]) },
      { speakers: { [speaker]: one(['Zoe', 'Yan', 'Xia', null]) } },
      { people: { [speaker]: one([...people, null]) } },
      { people: { [speaker]: one(people) } },
      { hide_affect: { [speaker]: draw() < 0.5 } },
      { merge: speakers.length > 1 ? [[speakers[0]!, speakers[1]!]] : [] },
      { move: [{ utterance_id: utterance.utterance_id, speaker }] },
      { correct: [{ utterance_id: utterance.utterance_id, text: one(SAID) }] },
    ]);
  };
  for (let changed = 0; changed < CHANGES; ) {
    const id = one(ids);
    const kind = draw();
    let status: number;
    if (kind < 0.05) {
      ids.splice(ids.indexOf(id), 1);
      ({ status } = await ask('DELETE', of(id)));
      await add();
    } else if (kind < 0.12) ({ status } = await ask('POST', of(id, '/reanalyze'), {}));
    else if (kind < 0.25) ({ status } = await ask('POST', of(id, '/undo')));
    else ({ status } = await ask('PATCH', of(id), await edit(id)));
    // A change that contradicts an earlier one is refused, and must have no effect.
    expect([200, 400, 409]).toContain(status);
    if (status !== 200) continue;
    changed++;
    if (changed % 50 === 0) await compare(tenant);
  }
  await ask('PATCH', `/people/${people[2]}`, { role: 'agent' });
  await expect.poll(async () => (await get<{ pending: number }>(`/people/${people[2]}`)).body.pending).toBe(0);
  const counts = await compare(tenant);
  // Every query has been compared with something.
  expect(Math.min(...counts)).toBeGreaterThan(0);
  await (await tenantObject(tenant)).loseCatalogue();
  await reindexed(tenant);
  expect(await compare(tenant)).toEqual(counts);
}, 300_000);
