import type { Match } from '../../../contract/conversations.ts';
import type { MomentEvent } from '../../../contract/findings.ts';
import {
  type MomentHit,
  type MomentList,
  type MomentQuery,
  type MomentTotals,
  NOTHING_FOLLOWED,
  SURE_FROM,
} from '../../../contract/patterns.ts';
import { momentThumbs } from '../../results/record.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import type { Conditions } from '../filters/conversation-filter.ts';
import { addressOf, type HitRow, hitConversation, NearbyLines, utteranceId } from './hit-place.ts';
import { conversationTest, momentConditions, momentTest, patternCursor, placeOfCursor } from './pattern-filter.ts';
import type { PatternRows } from './pattern-rows.ts';

/** Filters of moments that do not concern a place in a list. */
export type AlertFilter = Omit<MomentQuery, 'cursor' | 'limit' | 'one_per'>;

interface FoundRow extends Record<string, SqlValue>, HitRow {
  began: number;
  n: number;
  i: number;
  conversation: string;
  language: string | null;
  record: string;
  id: string;
  category: MomentEvent['category'];
  start: number;
  end: number;
  confidence: number;
  line: number;
  quote: string;
  name: string;
  person: string | null;
  role: string | null;
  next_id: string | null;
  next_category: MomentEvent['category'] | null;
  next_start: number | null;
  next_confidence: number | null;
}

/** A page of moments. @throws ServiceError INVALID_REQUEST for a bad cursor or search */
export function momentList(sql: Sql, rows: PatternRows, query: MomentQuery): MomentList {
  const conditions = momentConditions(sql, query);
  if (query.cursor !== undefined) {
    const { began, n, i } = placeOfCursor(query.cursor);
    if (query.one_per) conditions.and('began <= ? AND (began < ? OR n < ?)', began, began, n);
    else conditions.and('began <= ? AND (began < ? OR n < ? OR (n = ? AND i > ?))', began, began, n, n, i);
  }
  const found = foundBy(sql, conditions, query.limit + 1, query.one_per !== undefined);
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  const nearby = new NearbyLines(sql);
  return {
    moments: shown.map((row) => hitOf(row, nearby)),
    totals: query.cursor === undefined ? totalsOf(sql, rows, query) : null,
    next_cursor: found.length > query.limit && last ? patternCursor(last) : null,
  };
}

/** The first moments of one conversation that match, and the number of all. @throws ServiceError INVALID_REQUEST for a bad search */
export function momentsOf(
  sql: Sql,
  conversation: string,
  filter: AlertFilter,
  limit: number,
): { moments: MomentHit[]; count: number } {
  const conditions = momentConditions(sql, filter);
  conditions.and('n = (SELECT n FROM conversations WHERE id = ?)', conversation);
  const nearby = new NearbyLines(sql);
  const { count } = sql
    .exec<{ count: number }>(
      `SELECT count(*) AS count FROM pattern_moments ${conditions.where}`,
      ...conditions.bindings,
    )
    .one();
  return { moments: foundBy(sql, conditions, limit, false).map((row) => hitOf(row, nearby)), count };
}

/** Limit on the quotes of a conversation in a list. */
const QUOTES_SHOWN = 3;

/** The words of the first sure moments of a category in each of these conversations. */
export function momentQuotes(
  sql: Sql,
  conversations: readonly string[],
  category: MomentEvent['category'],
): Map<string, Match[]> {
  const found = sql.exec<{ id: string; line: number; start: number; quote: string }>(
    `SELECT conversations.id AS id, line, start, quote FROM conversations JOIN pattern_moments USING (n)
     WHERE conversations.id IN (SELECT value FROM json_each(?)) AND category = ? AND confidence >= ? AND quote <> ''
     ORDER BY n, i`,
    JSON.stringify(conversations),
    category,
    SURE_FROM,
  );
  const quotes = new Map<string, Match[]>();
  for (const { id, line, start, quote } of found) {
    const earlier = quotes.get(id) ?? [];
    if (earlier.length === QUOTES_SHOWN) continue;
    const match = { utterance_id: utteranceId(id, line), t_start: start / 1000, text: quote, hits: [] };
    quotes.set(id, [...earlier, match]);
  }
  return quotes;
}

/** The newest moments under some conditions. @param isOnePer whether a conversation has only its surest one */
function foundBy(sql: Sql, { where, bindings }: Conditions, limit: number, isOnePer: boolean): FoundRow[] {
  // With max(), SQLite takes the other columns of a group from the row that has the maximum.
  const chosen = isOnePer
    ? `SELECT *, max(confidence) FROM pattern_moments NOT INDEXED ${where} GROUP BY began, n`
    : `SELECT * FROM pattern_moments NOT INDEXED ${where}`;
  return sql
    .exec<FoundRow>(
      `SELECT page.*, conversations.id AS conversation, record, language, name, person, next.id AS next_id,
       next.category AS next_category, next.start AS next_start, next.confidence AS next_confidence
       FROM (${chosen} ORDER BY began DESC, n DESC, i LIMIT ?) AS page
       JOIN conversations USING (n) JOIN pattern_conversations USING (n)
       JOIN pattern_speakers ON pattern_speakers.n = page.n AND pattern_speakers.i = page.speaker
       LEFT JOIN pattern_moments AS next ON next.began = page.began AND next.n = page.n AND next.i = page.follows
       ORDER BY page.began DESC, page.n DESC, page.i`,
      ...bindings,
      limit,
    )
    .toArray();
}

function hitOf(row: FoundRow, nearby: NearbyLines): MomentHit {
  const { id, category, confidence, quote, conversation, line, name, person, role } = row;
  const [start, end] = [row.start / 1000, row.end / 1000];
  const thumb = momentThumbs(JSON.parse(row.record)).get(id);
  return {
    moment_id: id,
    category,
    confidence,
    quote,
    conversation_id: conversation,
    utterance_id: utteranceId(conversation, line),
    speaker: name,
    person,
    role,
    t_start: start,
    t_end: end,
    ...addressOf(conversation, start, end),
    ...nearby.around(row.n, line, start, end),
    conversation: hitConversation(row),
    followed_by: followingOf(row),
    ...(thumb && { thumb }),
  };
}

function followingOf({ start, next_id, next_category, next_start, next_confidence }: FoundRow) {
  if (next_id === null || next_category === null || next_start === null || next_confidence === null) return null;
  return {
    moment_id: next_id,
    category: next_category,
    after_s: (next_start - start) / 1000,
    t_start: next_start / 1000,
    confidence: next_confidence,
  };
}

function totalsOf(sql: Sql, rows: PatternRows, query: MomentQuery): MomentTotals {
  const isMeant = conversationTest(sql, query);
  const isCounted = momentTest(query);
  const totals: MomentTotals = { count: 0, unsure: 0, conversations: 0, searched: 0, categories: {}, outcomes: {} };
  rows.read(({ conversations, moments, speakers }) => {
    for (const conversation of conversations) {
      if (!isMeant(conversation)) continue;
      totals.searched++;
      const [n] = conversation;
      const before = totals.count;
      for (const moment of moments.get(n) ?? []) {
        if (!isCounted(moment, speakers.get(n) ?? [])) continue;
        const [, , category, outcome, , , , confidence, followed] = moment;
        const ofCategory = totals.categories[category] ?? { count: 0, unsure: 0 };
        const ofOutcome = totals.outcomes[outcome] ?? { count: 0, unsure: 0 };
        totals.categories[category] = ofCategory;
        totals.outcomes[outcome] = ofOutcome;
        for (const sum of [totals, ofCategory, ofOutcome]) sum.count++;
        if (confidence < SURE_FROM) for (const sum of [totals, ofCategory]) sum.unsure++;
        if (outcome !== NOTHING_FOLLOWED && followed !== null && followed < SURE_FROM) ofOutcome.unsure++;
      }
      if (totals.count > before) totals.conversations++;
    }
  });
  return totals;
}
