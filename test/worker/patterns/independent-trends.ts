import { DuckDBInstance } from '@duckdb/node-api';
import type { TrendGroup, TrendMeasure } from '../../../src/contract/trends.ts';

// The cells of a trend worked out by DuckDB from the export of a tenant, without any code of the service.

/** A cell as DuckDB works it out. Standard errors take the place of intervals. */
export interface IndependentCell {
  group: Record<string, string | null>;
  n: number;
  unknown: number;
  sum: number;
  unsure: number;
  outOf: number;
  mean: number;
  meanError: number;
  pooled: number;
  pooledError: number;
  quartiles: number[];
  values: Record<string, number>;
}

const TABLES = `
CREATE TABLE line AS SELECT * FROM read_json($file, format = 'newline_delimited', columns = {conversation: 'JSON', result: 'JSON'},
  maximum_object_size = 50000000) WHERE result IS NOT NULL AND json_type(result) <> 'NULL';
CREATE TABLE conv AS SELECT conversation->>'conversation_id' AS id,
  coalesce(result->'options'->>'recorded_at', conversation->>'created_at')::TIMESTAMPTZ AS began,
  CAST(conversation->'labels' AS VARCHAR[]) AS labels, nullif(result->>'language', 'unknown') AS language,
  CAST(result->'media'->'duration_s' AS DOUBLE) AS duration,
  CAST(result->'insights'->'metrics'->'silence_share' AS DOUBLE) * CAST(result->'media'->'duration_s' AS DOUBLE) AS silence,
  conversation->'people' AS people, result FROM line;
CREATE TABLE said AS SELECT id, u->>'speaker' AS name, coalesce(u->>'speaker_label', u->>'speaker') AS label,
  CAST(u->'t_end' AS DOUBLE) - CAST(u->'t_start' AS DOUBLE) AS seconds,
  coalesce(u->>'unread', 'false') <> 'false' OR coalesce(CAST(u->'asr_confidence' AS DOUBLE), 1) < 0.5 AS is_unsure,
  CAST(u->'pad_scores'->'valence' AS DOUBLE) AS valence
  FROM (SELECT id, unnest(CAST(result->'timeline' AS JSON[])) AS u FROM conv);
CREATE TABLE speaker AS SELECT said.id AS id, name, any_value(label) AS label, sum(seconds) AS spoken,
  coalesce(sum(seconds) FILTER (is_unsure), 0) AS unsure, coalesce(sum(valence * seconds), 0) AS tone,
  coalesce(sum(seconds) FILTER (valence IS NOT NULL), 0) AS toned, any_value(people) AS people,
  any_value(json_extract(result, '$.insights.metrics.speakers."' || name || '"')) AS metrics
  FROM said JOIN conv USING (id) GROUP BY said.id, name;
CREATE TABLE own AS SELECT * EXCLUDE (people, metrics), json_extract_string(people, '$.' || label || '.id') AS person,
  json_extract_string(people, '$.' || label || '.role') AS role, CAST(metrics->'talk_time_s' AS DOUBLE) AS talk,
  CAST(metrics->'talk_ratio' AS DOUBLE) AS ratio, CAST(metrics->'longest_monologue_s' AS DOUBLE) AS longest,
  CAST(metrics->'patience_s' AS DOUBLE) AS patience, CAST(metrics->'questions' AS DOUBLE) AS questions,
  CAST(metrics->'words' AS DOUBLE) AS words FROM speaker;
CREATE TABLE bare AS SELECT id, m->>'moment_id' AS moment, m->>'category' AS category, m->>'speaker_id' AS name,
  CAST(m->'start_ms' AS BIGINT) AS start, CAST(m->'confidence' AS DOUBLE) AS confidence, m->>'answers' AS answers
  FROM (SELECT id, unnest(CAST(result->'moments' AS JSON[])) AS m FROM conv);
CREATE TABLE moment AS SELECT *, role,
  coalesce(
    CASE WHEN category = 'cta_offered'
    THEN (SELECT arg_min(after.category, after.start) FROM bare AS after WHERE after.id = bare.id AND after.answers = bare.moment)
    ELSE (SELECT arg_min(after.category, after.start) FROM bare AS after WHERE after.id = bare.id AND after.start > bare.start
     AND after.start <= bare.start + 60000 AND after.category IN ('cta_accepted', 'cta_rejected')) END,
    (SELECT arg_min(after.category, after.start) FROM bare AS after WHERE after.id = bare.id AND after.start > bare.start
     AND after.start <= bare.start + 60000 AND after.category = 'objection'), 'nothing') AS outcome
  FROM bare LEFT JOIN (SELECT id, name, role FROM own) USING (id, name);
CREATE TABLE total AS SELECT id, sum(talk) AS talk, sum(spoken) AS spoken, sum(unsure) AS unsure FROM own GROUP BY id;
`;

const FRACTIONS: Partial<Record<TrendMeasure, string>> = {
  tone: 'CASE WHEN sum(toned) > 0 THEN sum(tone) END AS above, sum(toned) AS below',
  talk_share: 'CASE WHEN count(ratio) = count(*) THEN sum(own.talk) END AS above, any_value(total.talk) AS below',
  questions: 'CASE WHEN sum(own.talk) > 0 THEN sum(questions) END AS above, sum(own.talk) / 3600 AS below',
  pace: 'CASE WHEN sum(own.talk) > 0 THEN sum(words) END AS above, sum(own.talk) / 60 AS below',
  longest_turn: 'max(longest) AS above, 1 AS below',
  patience: 'avg(patience) AS above, 1 AS below',
};
const DIVIDES_SPEAKERS = ['role', 'person'];
const DIVIDES_MOMENTS = ['category', 'outcome', 'role'];
/** The groups of whole conversations. */
const WHOLE: Partial<Record<TrendGroup, string>> = {
  day: `strftime(began AT TIME ZONE $tz, '%Y-%m-%d')`,
  week: `strftime(date_trunc('week', began AT TIME ZONE $tz), '%Y-%m-%d')`,
  month: `strftime(date_trunc('month', began AT TIME ZONE $tz), '%Y-%m-01')`,
  language: 'language',
  label: 'unnest(list_distinct(labels))',
};
const CATEGORIES = "['cta_offered', 'cta_accepted', 'cta_rejected', 'objection', 'topic_shift']";
const OUTCOMES = "['cta_accepted', 'cta_rejected', 'objection', 'nothing']";

/** The parts of conversations: a row for each conversation and combination of the groups that divide it. */
function partsOf(measure: TrendMeasure, by: readonly TrendGroup[], where: string): string {
  if (measure === 'duration' || measure === 'silence') {
    const [above, below] = measure === 'duration' ? ['duration', '1'] : ['silence', 'duration'];
    return `SELECT id, ${above} AS above, ${below} AS below, unsure, spoken AS out_of FROM conv LEFT JOIN total USING (id)`;
  }
  const fraction = FRACTIONS[measure];
  if (fraction !== undefined) {
    const dims = by.filter((group) => DIVIDES_SPEAKERS.includes(group));
    const staff = measure === 'tone' ? `AND coalesce(role, '') NOT IN ('agent', 'doctor', 'host')` : '';
    const known = dims.includes('person') ? 'AND person IS NOT NULL' : '';
    return `SELECT own.id AS id, ${[...dims, fraction].join(', ')}, sum(own.unsure) AS unsure, sum(own.spoken) AS out_of
      FROM own JOIN total USING (id) WHERE ${where} ${staff} ${known} GROUP BY ${['own.id', ...dims].join(', ')}`;
  }
  const dims = by.filter((group) => DIVIDES_MOMENTS.includes(group));
  const frames = dims.map((group) =>
    group === 'role'
      ? `JOIN (SELECT DISTINCT id, role FROM own) AS by_role ON by_role.id = conv.id`
      : `CROSS JOIN (SELECT unnest(${group === 'category' ? CATEGORIES : OUTCOMES}) AS ${group}) AS by_${group}`,
  );
  const same = dims.map((group) => `AND moment.${group} IS NOT DISTINCT FROM by_${group}.${group}`).join(' ');
  const columns = dims.map((group) => `by_${group}.${group} AS ${group}`);
  return `SELECT conv.id AS id, ${[...columns, ''].join(', ')} count(moment) AS above,
    any_value(${measure === 'moments.count' ? '1' : 'duration / 3600'}) AS below,
    count(moment) FILTER (confidence < 0.5) AS unsure, count(moment) AS out_of
    FROM conv ${frames.join(' ')} LEFT JOIN moment ON moment.id = conv.id ${same} AND ${where}
    GROUP BY ${['conv.id', ...dims.map((group) => `by_${group}.${group}`)].join(', ')}`;
}

/** @param where a condition on moments or speakers, in SQL */
export interface IndependentQuery {
  measure: TrendMeasure;
  by: readonly TrendGroup[];
  tz: string;
  where?: string;
}

/** Works out trends from the export of a tenant. @param file the export, NDJSON */
export async function independentTrends(
  file: string,
  queries: readonly IndependentQuery[],
): Promise<IndependentCell[][]> {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    for (const statement of TABLES.replace('$file', `'${file}'`).split(';'))
      if (statement.trim()) await db.run(statement);
    const all: IndependentCell[][] = [];
    for (const { measure, by, tz, where = 'true' } of queries) {
      const whole = by.filter((group) => WHOLE[group] !== undefined);
      const columns = whole.map((group) => `, ${WHOLE[group]!.replace('$tz', `'${tz}'`)} AS ${group}`).join('');
      const keys = by.length > 0 ? by.join(', ') : "''";
      const rows = await db.runAndReadAll(`
        WITH part AS (${partsOf(measure, by, where)}),
        placed AS (SELECT part.*, above / nullif(below, 0) AS value FROM part),
        cell AS (SELECT placed.*${columns} FROM placed JOIN conv USING (id)),
        known AS (SELECT *, sum(above) OVER w / nullif(sum(below) OVER w, 0) AS r FROM cell WHERE value IS NOT NULL
          WINDOW w AS (PARTITION BY ${keys}))
        SELECT to_json({${by.map((group) => `${group}: cell.${group}`).join(', ')}}) AS key, any_value(n) AS n,
          count(*) - coalesce(any_value(n), 0) AS unknown, any_value(s.above) AS above, any_value(s.unsure) AS unsure,
          any_value(s.out_of) AS out_of, any_value(mean) AS mean, any_value(mean_error) AS mean_error, any_value(pooled) AS pooled,
          any_value(pooled_error) AS pooled_error, any_value(quartiles) AS quartiles, any_value(vals) AS vals
        FROM cell LEFT JOIN (SELECT ${keys}, count(*) AS n, sum(above) AS above, sum(unsure) AS unsure, sum(out_of) AS out_of,
          avg(value) AS mean, stddev_samp(value) / sqrt(count(*)) AS mean_error, any_value(r) AS pooled,
          sqrt(sum((above - r * below) ** 2) / (count(*) - 1) / count(*)) / (sum(below) / count(*)) AS pooled_error,
          to_json(quantile_cont(value, [0.25, 0.5, 0.75])) AS quartiles, to_json(map(list(id), list(value))) AS vals
          FROM known GROUP BY ${keys}) AS s ON ${by.map((group) => `s.${group} IS NOT DISTINCT FROM cell.${group}`).join(' AND ')}
        GROUP BY ${by.map((group) => `cell.${group}`).join(', ')}`);
      all.push(rows.getRowObjects().map(cellOf));
    }
    return all;
  } finally {
    db.closeSync();
  }
}

function cellOf(row: Record<string, unknown>): IndependentCell {
  const number = (name: string): number => Number(row[name] ?? 0);
  return {
    group: JSON.parse(String(row.key)),
    n: number('n'),
    unknown: number('unknown'),
    sum: number('above'),
    unsure: number('unsure'),
    outOf: number('out_of'),
    mean: number('mean'),
    meanError: number('mean_error'),
    pooled: number('pooled'),
    pooledError: number('pooled_error'),
    quartiles: row.quartiles === null ? [] : JSON.parse(String(row.quartiles)),
    values: row.vals === null ? {} : JSON.parse(String(row.vals)),
  };
}
