import type { MomentEvent } from '../../../contract/findings.ts';
import {
  type MomentHit,
  type MomentList,
  type MomentOutcome,
  type MomentQuery,
  type MomentTotals,
  NOTHING_FOLLOWED,
  SURE_FROM,
} from '../../../contract/patterns.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import type { Conditions } from '../filters/conversation-filter.ts';
import { addressOf, type HitRow, hitConversation, NearbyLines, utteranceId } from './hit-place.ts';
import { momentConditions, patternCursor, placeOfCursor } from './pattern-filter.ts';

interface MomentRow extends Record<string, SqlValue>, HitRow {
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

/**
 * A page of moments.
 * @param only the id of the only conversation that is meant
 * @throws ServiceError INVALID_REQUEST for a bad cursor or search
 */
export function momentList(sql: Sql, query: MomentQuery, only?: string): MomentList {
  const conditions = momentConditions(sql, query);
  conditions.when('n = (SELECT n FROM conversations WHERE id = ?)', only);
  const paged = conditions.copy();
  if (query.cursor !== undefined) {
    const { began, n, i } = placeOfCursor(query.cursor);
    if (query.one_per) paged.and('began <= ? AND (began < ? OR n < ?)', began, began, n);
    else paged.and('began <= ? AND (began < ? OR n < ? OR (n = ? AND i > ?))', began, began, n, n, i);
  }
  // With max(), SQLite takes the other columns of a group from the row that has the maximum.
  const chosen = query.one_per
    ? `SELECT *, max(confidence) FROM pattern_moments NOT INDEXED ${paged.where} GROUP BY began, n`
    : `SELECT * FROM pattern_moments NOT INDEXED ${paged.where}`;
  const rows = sql
    .exec<MomentRow>(
      `SELECT page.*, conversations.id AS conversation, record, language, name, person, next.id AS next_id,
       next.category AS next_category, next.start AS next_start, next.confidence AS next_confidence
       FROM (${chosen} ORDER BY began DESC, n DESC, i LIMIT ?) AS page
       JOIN conversations USING (n) JOIN pattern_conversations USING (n)
       JOIN pattern_speakers ON pattern_speakers.n = page.n AND pattern_speakers.i = page.speaker
       LEFT JOIN pattern_moments AS next ON next.began = page.began AND next.n = page.n AND next.i = page.follows
       ORDER BY page.began DESC, page.n DESC, page.i`,
      ...paged.bindings,
      query.limit + 1,
    )
    .toArray();
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const nearby = new NearbyLines(sql);
  return {
    moments: shown.map((row) => hitOf(row, nearby)),
    totals: query.cursor === undefined ? totalsOf(sql, conditions) : null,
    next_cursor: rows.length > query.limit && last ? patternCursor(last) : null,
  };
}

function hitOf(row: MomentRow, nearby: NearbyLines): MomentHit {
  const { id, category, confidence, quote, conversation, line, name, person, role } = row;
  const [start, end] = [row.start / 1000, row.end / 1000];
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
    ...nearby.around(row.n, line),
    conversation: hitConversation(row),
    followed_by: followingOf(row),
  };
}

function followingOf({ start, next_id, next_category, next_start, next_confidence }: MomentRow) {
  if (next_id === null || next_category === null || next_start === null || next_confidence === null) return null;
  return {
    moment_id: next_id,
    category: next_category,
    after_s: (next_start - start) / 1000,
    t_start: next_start / 1000,
    confidence: next_confidence,
  };
}

function totalsOf(sql: Sql, conditions: Conditions): MomentTotals {
  const rows = sql.exec<{
    category: MomentEvent['category'];
    outcome: MomentOutcome;
    count: number;
    unsure: number;
    doubtful: number;
  }>(
    `SELECT category, outcome, count(*) AS count, sum(confidence < ${SURE_FROM}) AS unsure,
     coalesce(sum(followed < ${SURE_FROM}), 0) AS doubtful FROM pattern_moments ${conditions.where}
     GROUP BY category, outcome`,
    ...conditions.bindings,
  );
  const { conversations } = sql
    .exec<{ conversations: number }>(
      `SELECT count(*) AS conversations FROM (SELECT DISTINCT n FROM pattern_moments ${conditions.where})`,
      ...conditions.bindings,
    )
    .one();
  const totals: MomentTotals = { count: 0, unsure: 0, conversations, categories: {}, outcomes: {} };
  for (const { category, outcome, count, unsure, doubtful } of rows) {
    totals.count += count;
    totals.unsure += unsure;
    const ofCategory = totals.categories[category] ?? { count: 0, unsure: 0 };
    totals.categories[category] = { count: ofCategory.count + count, unsure: ofCategory.unsure + unsure };
    const ofOutcome = totals.outcomes[outcome] ?? { count: 0, unsure: 0 };
    const unsureOutcomes = outcome === NOTHING_FOLLOWED ? 0 : doubtful;
    totals.outcomes[outcome] = { count: ofOutcome.count + count, unsure: ofOutcome.unsure + unsureOutcomes };
  }
  return totals;
}
