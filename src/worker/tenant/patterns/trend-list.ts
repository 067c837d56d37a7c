import { SURE_FROM } from '../../../contract/patterns.ts';
import {
  groupsOf,
  MAX_MARKS,
  measureRow,
  type TrendExportQuery,
  type TrendGroup,
  type TrendList,
  type TrendMark,
  type TrendPerson,
} from '../../../contract/trends.ts';
import { type GivenFeedback, momentThumbs } from '../../results/record.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { periodOf } from '../filters/conversation-filter.ts';
import { conversationTest, momentTest } from './pattern-filter.ts';
import type { ConversationRow, MomentRow, PatternRows, SpeakerRow } from './pattern-rows.ts';
import { quartilesOf } from './statistics.ts';
import { Cells } from './trend-cells.ts';
import { ConversationGroups, keyOf } from './trend-groups.ts';
import { MOMENT_COLUMN, type Share, sharesIn } from './trend-shares.ts';

/** The query of an export has the same members, except for the marks. */
export type TrendRequest = Omit<TrendExportQuery, 'format'> & { marks?: 'true' | 'false' };

/** A conversation that matches, with its shares, and its moments that match if they are marked. */
interface Matching {
  conversation: ConversationRow;
  shares: readonly Share[];
  moments: readonly MomentRow[];
}

/** Sums over the conversations that match, in cells. @throws ServiceError INVALID_REQUEST for a bad search, or too many cells */
export function trendList(sql: Sql, rows: PatternRows, query: TrendRequest): TrendList {
  const { measure, tz } = query;
  const groups = groupsOf(query.by);
  const { isRatio = false, unit } = measureRow(measure);
  const isMeant = conversationTest(sql, query);
  const isMarked = query.marks === 'true' ? momentTest(query) : undefined;
  const sharesOf = sharesIn(query, groups);
  const names = groups.includes('person') ? new NewestNames() : undefined;
  const matching: Matching[] = [];
  rows.read((block) => {
    for (const conversation of block.conversations) {
      const [n] = conversation;
      const speakers = () => block.speakers.get(n) ?? [];
      names?.add(conversation, speakers());
      if (!isMeant(conversation)) continue;
      const shares = sharesOf(conversation, block);
      const moments = isMarked ? (block.moments.get(n) ?? []).filter((moment) => isMarked(moment, speakers())) : [];
      matching.push({ conversation, shares, moments });
    }
  });
  matching.sort(({ conversation: a }, { conversation: b }) => a[1] - b[1] || a[0] - b[0]);
  const wholes = new ConversationGroups(sql, groups, tz);
  const cells = new Cells(groups);
  for (const { conversation, shares } of matching)
    for (const whole of wholes.of(conversation))
      for (const { place, part } of shares) cells.at(whole, place).add(conversation[2], part);
  if (isMarked) addMarks(matching, groups, wholes, cells, ratedMoments(sql));
  const shown = names?.names ?? new Map<string, string>();
  return {
    measure,
    unit,
    by: groups,
    tz,
    n: matching.length,
    pending: pendingIn(sql, query),
    cells: cells.inOrder(shown).map((cell) => cell.written(isRatio)),
    ...(names && { people: peopleIn(cells, shown) }),
  };
}

/** The answer of a tenant without conversations. */
export const noTrends = ({ measure, by, tz }: TrendRequest): TrendList => ({
  measure,
  unit: measureRow(measure).unit,
  by: groupsOf(by),
  tz,
  n: 0,
  pending: 0,
  cells: [],
});

/** The first moments of each cell, sure ones first. */
function addMarks(
  matching: readonly Matching[],
  groups: readonly TrendGroup[],
  wholes: ConversationGroups,
  cells: Cells,
  thumbs: ReadonlyMap<string, GivenFeedback['thumb']>,
): void {
  for (const cell of cells.inOrder(new Map())) cell.marks = [];
  const thumbOf = (id: string): Pick<TrendMark, 'thumb'> => {
    const thumb = thumbs.get(id);
    return thumb ? { thumb } : {};
  };
  const divided = groups.filter((group) => group === 'category' || group === 'outcome' || group === 'role');
  for (const isSure of [true, false])
    for (const { conversation, moments } of matching) {
      if (moments.length === 0) continue;
      for (const whole of wholes.of(conversation))
        for (const moment of moments) {
          if (moment[7] >= SURE_FROM !== isSure) continue;
          const [, id, , , , , start, p] = moment;
          const key = divided.length === 0 ? '' : keyOf(divided.map((group) => moment[MOMENT_COLUMN[group]]));
          const marks = cells.find(whole, key)?.marks;
          if (marks && marks.length < MAX_MARKS)
            marks.push({ moment_id: id, conversation_id: conversation[2], t: start / 1000, p, ...thumbOf(id) });
        }
    }
}

/** The ratings of all moments, by the id of the moment. */
function ratedMoments(sql: Sql): Map<string, GivenFeedback['thumb']> {
  const rated = sql.exec<{ record: string }>(
    `SELECT json_object('run', record ->> '$.run', 'feedback', record -> '$.feedback') AS record
     FROM conversations INDEXED BY conversations_rated WHERE instr(record, '"feedback":[{') > 0`,
  );
  return new Map([...rated].flatMap(({ record }) => [...momentThumbs(JSON.parse(record))]));
}

/** The names of people, as in their newest conversation. */
class NewestNames {
  readonly names = new Map<string, string>();
  readonly #from = new Map<string, ConversationRow>();

  add(conversation: ConversationRow, speakers: readonly SpeakerRow[]): void {
    const [n, began] = conversation;
    for (const { person, name } of speakers) {
      if (person === null) continue;
      const from = this.#from.get(person);
      if (from && (from[1] > began || (from[1] === began && from[0] > n))) continue;
      this.#from.set(person, conversation);
      this.names.set(person, name);
    }
  }
}

function peopleIn(cells: Cells, names: ReadonlyMap<string, string>): TrendPerson[] {
  const values = new Map<string, Map<string, number>>();
  for (const cell of cells.inOrder(names)) {
    const { person } = cell.of;
    if (typeof person !== 'string') continue;
    const own = values.get(person) ?? new Map<string, number>();
    const numbers = cell.values;
    for (const [i, conversation] of cell.conversations.entries()) own.set(conversation, numbers[i]!);
    values.set(person, own);
  }
  const people = [...values].map(([person, own]) => ({
    person,
    name: names.get(person) ?? '',
    n: own.size,
    quartiles: own.size === 0 ? null : quartilesOf([...own.values()]),
  }));
  return people.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.person < b.person ? -1 : 1));
}

/** Conversations of the period that are still being analysed, or whose result is not in the index. */
function pendingIn(sql: Sql, query: TrendRequest): number {
  const period = periodOf(query);
  const { pending } = sql
    .exec<{ pending: number }>(
      `SELECT count(*) AS pending FROM (SELECT created_at AS began FROM conversations WHERE status IN ('processing', 'completed')
       AND n NOT IN (SELECT n FROM pattern_conversations)) ${period.where}`,
      ...period.bindings,
    )
    .one();
  return pending;
}
