import type { LineHit, LineList, LineQuery } from '../../../contract/patterns.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { END_OF_HIT, excerptOf, HIT } from '../catalogue/matches.ts';
import { conversationConditions } from '../filters/conversation-filter.ts';
import { searchTerms } from '../filters/search-query.ts';
import { addressOf, type HitRow, hitConversation, NearbyLines, utteranceId } from './hit-place.ts';
import { type Place, patternCursor, placeOfCursor } from './pattern-filter.ts';

/** Conversations that are searched at once, and limit on those that one request searches. */
const SEARCHED_AT_ONCE = 20;
const SEARCHED = 400;
/** A number of a line that no conversation has. */
const LAST_LINE = 999_999_999;

interface Speaker {
  name: string;
  person: string | null;
  role: string | null;
}

interface SpokenRow extends Record<string, SqlValue>, HitRow {
  began: number;
  n: number;
  conversation: string;
  language: string | null;
  record: string;
  starts: ArrayBuffer;
  speaker: ArrayBuffer;
  ends: ArrayBuffer;
  confidence: ArrayBuffer;
  speakers: string;
}

/**
 * A page of lines in which every word of a search occurs. A page may have fewer lines than its limit although there are
 * more, if the words often occur in different lines of a conversation.
 * @throws ServiceError INVALID_REQUEST for a bad cursor or search
 */
export function lineList(sql: Sql, query: LineQuery): LineList {
  const terms = searchTerms(query.q).map((term) => `words : ${term}`);
  const conditions = conversationConditions({ ...query, q: undefined });
  conditions.and('n IN (SELECT rowid FROM search WHERE search MATCH ?)', terms.join(' AND '));
  // Lines are chosen by speaker below; conversations without the speaker need not be searched.
  conditions.when('n IN (SELECT n FROM pattern_speakers WHERE name = ? OR person = ?)', query.speaker);
  conditions.when('n IN (SELECT n FROM pattern_speakers WHERE role = ?)', query.role);
  const nearby = new NearbyLines(sql);
  const lines: LineHit[] = [];
  let place: Place | undefined = query.cursor === undefined ? undefined : placeOfCursor(query.cursor);
  for (let searched = 0; searched < SEARCHED; searched += SEARCHED_AT_ONCE) {
    const paged = conditions.copy();
    if (place) paged.and('began <= ? AND (began < ? OR n <= ?)', place.began, place.began, place.n);
    const rows = sql
      .exec<SpokenRow>(
        `SELECT page.began AS began, page.n AS n, page.id AS conversation, language, record, starts, speaker, ends, confidence,
         (SELECT json_group_array(json_object('name', name, 'person', person, 'role', role) ORDER BY i)
          FROM pattern_speakers WHERE pattern_speakers.n = page.n) AS speakers
         FROM (SELECT * FROM pattern_conversations ${paged.where} ORDER BY began DESC, n DESC LIMIT ?) AS page
         JOIN conversations USING (n) JOIN texts USING (n) JOIN pattern_lines USING (n)
         ORDER BY page.began DESC, page.n DESC`,
        ...paged.bindings,
        SEARCHED_AT_ONCE,
      )
      .toArray();
    const found = linesWith(
      sql,
      terms,
      rows.map(({ n }) => n),
    );
    for (const row of rows) {
      const { began, n } = row;
      const speakers: Speaker[] = JSON.parse(row.speakers);
      for (const [i, marked] of found.get(n) ?? []) {
        if (place && began === place.began && n === place.n && i <= place.i) continue;
        const speaker = speakers[new Uint8Array(row.speaker)[i] ?? 0];
        if (!speaker || !isBy(speaker, query)) continue;
        if (lines.length === query.limit) return { lines, next_cursor: place ? patternCursor(place) : null };
        lines.push(hitOf(row, i, speaker, marked, nearby));
        place = { began, n, i };
        if (query.one_per) break;
      }
      // This conversation has been searched to its end.
      place = { began, n, i: LAST_LINE };
    }
    if (rows.length < SEARCHED_AT_ONCE) return { lines, next_cursor: null };
  }
  return { lines, next_cursor: place ? patternCursor(place) : null };
}

const isBy = ({ name, person, role }: Speaker, query: Pick<LineQuery, 'speaker' | 'role'>): boolean =>
  (query.speaker === undefined || query.speaker === name || query.speaker === person) &&
  (query.role === undefined || query.role === role);

/** The lines of conversations in which every term occurs, by conversation and number, with their hits marked. */
function linesWith(sql: Sql, terms: readonly string[], rows: readonly number[]): Map<number, Map<number, string>> {
  const search = (words: string): Map<number, Map<number, string>> => {
    const marked = sql.exec<{ n: number; marked: string }>(
      `SELECT rowid AS n, highlight(search, 2, '${HIT}', '${END_OF_HIT}') AS marked FROM search
       WHERE search MATCH ? AND +rowid IN (SELECT value FROM json_each(?))`,
      words,
      JSON.stringify(rows),
    );
    return new Map([...marked].map((row) => [row.n, markedLines(row.marked)]));
  };
  const found = search(terms.join(' AND '));
  if (terms.length === 1) return found;
  for (const term of terms) {
    const withTerm = search(term);
    for (const [n, lines] of found) for (const i of lines.keys()) if (!withTerm.get(n)?.has(i)) lines.delete(i);
  }
  return found;
}

/** The lines of a marked transcript that have a hit, by their number. */
function markedLines(marked: string): Map<number, string> {
  const lines = new Map<number, string>();
  let line = 0;
  for (let at = 0; ; ) {
    const hit = marked.indexOf(HIT, at);
    if (hit < 0) return lines;
    const begin = marked.lastIndexOf('\n', hit) + 1;
    for (let next = at; next < begin; line++) next = marked.indexOf('\n', next) + 1;
    const end = marked.indexOf('\n', hit);
    lines.set(line, marked.slice(begin, end < 0 ? undefined : end));
    if (end < 0) return lines;
    at = end + 1;
    line++;
  }
}

function hitOf(
  row: SpokenRow,
  i: number,
  { name, person, role }: Speaker,
  marked: string,
  nearby: NearbyLines,
): LineHit {
  const { conversation, n } = row;
  const { text, hits: spans } = excerptOf(marked);
  const start = (new Uint32Array(row.starts)[i] ?? 0) / 1000;
  const end = (new Uint32Array(row.ends)[i] ?? 0) / 1000;
  const percent = new Int8Array(row.confidence)[i] ?? -1;
  return {
    text,
    spans,
    confidence: percent < 0 ? null : percent / 100,
    conversation_id: conversation,
    utterance_id: utteranceId(conversation, i),
    speaker: name,
    person,
    role,
    t_start: start,
    t_end: end,
    ...addressOf(conversation, start, end),
    ...nearby.around(n, i, start, end),
    conversation: hitConversation(row),
  };
}
