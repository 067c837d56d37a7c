import { fnv1a } from '../../../contract/fnv1a.ts';
import type { PatternIndex } from '../../results/pattern-index.ts';
import type { Sql } from '../../sqlite/migrations.ts';

/** Number of conversations whose rows are read together. They take up less than a megabyte, half the limit on a value. */
export const BLOCK = 250;

/**
 * `pattern_conversations` contains each conversation with a result, `pattern_speakers` its speakers, `pattern_moments`
 * its moments in order of time, and `pattern_lines` who says each line, when it ends (ms) and how sure the recogniser is
 * (per cent). `began` is when the recording began, Unix time, ms; with `n` it orders every list.
 */
export const PATTERN_TABLES = [
  `CREATE TABLE pattern_conversations (
    n INTEGER PRIMARY KEY, began INTEGER NOT NULL, id TEXT NOT NULL, language TEXT, duration REAL NOT NULL,
    silence REAL NOT NULL, unsure REAL NOT NULL
  );
  CREATE INDEX pattern_conversations_newest ON pattern_conversations (began DESC, n DESC);
  CREATE TABLE pattern_speakers (
    n INTEGER NOT NULL, i INTEGER NOT NULL, name TEXT NOT NULL, person TEXT, role TEXT, talk REAL NOT NULL, ratio REAL,
    longest REAL, patience REAL, questions REAL NOT NULL, words REAL NOT NULL, interruptions REAL NOT NULL, tone REAL NOT NULL,
    toned REAL NOT NULL, PRIMARY KEY (n, i)
  ) WITHOUT ROWID;
  CREATE INDEX pattern_speakers_named ON pattern_speakers (name);
  CREATE INDEX pattern_speakers_known ON pattern_speakers (person) WHERE person IS NOT NULL;
  CREATE TABLE pattern_lines (n INTEGER PRIMARY KEY, speaker BLOB NOT NULL, ends BLOB NOT NULL, confidence BLOB NOT NULL);
  CREATE TABLE pattern_moments (
    began INTEGER NOT NULL, n INTEGER NOT NULL, i INTEGER NOT NULL, id TEXT NOT NULL, category TEXT NOT NULL,
    speaker INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, confidence REAL NOT NULL, line INTEGER NOT NULL,
    quote TEXT NOT NULL, outcome TEXT NOT NULL, follows INTEGER, followed REAL, PRIMARY KEY (began DESC, n DESC, i)
  ) WITHOUT ROWID;
  CREATE INDEX pattern_moments_counted ON pattern_moments (category, began, n, confidence, outcome, followed, speaker);
  CREATE TRIGGER patterns_forget AFTER DELETE ON pattern_conversations BEGIN
    DELETE FROM pattern_moments WHERE began = old.began AND n = old.n;
    DELETE FROM pattern_speakers WHERE n = old.n;
    DELETE FROM pattern_lines WHERE n = old.n;
  END;
  CREATE TRIGGER patterns_forget_conversation AFTER DELETE ON conversations BEGIN
    DELETE FROM pattern_conversations WHERE n = old.n;
  END;`,
  // Seconds of speech, and of those whose words are unsure.
  `ALTER TABLE pattern_speakers ADD COLUMN spoken REAL NOT NULL DEFAULT 0;
  ALTER TABLE pattern_speakers ADD COLUMN unsure REAL NOT NULL DEFAULT 0;`,
  // Sums by category and outcome are read from the first index in its order, and sums by conversation from the second.
  `ALTER TABLE pattern_moments ADD COLUMN role TEXT;
  DROP INDEX pattern_moments_counted;
  CREATE INDEX pattern_moments_counted ON pattern_moments (category, outcome, began, n, confidence, followed, speaker, role);
  CREATE INDEX pattern_moments_of ON pattern_moments (n, category, outcome, role, began, confidence, speaker);
  CREATE INDEX conversations_by_status ON conversations (status, created_at);`,
  // The stamp is a hash of a conversation's rows. Those of a block show whether it has changed.
  'ALTER TABLE pattern_conversations ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0',
  // The few conversations with a rating are read for the marks of trends.
  `CREATE INDEX conversations_rated ON conversations (n) WHERE instr(record, '"feedback":[{') > 0`,
];

/** Writes the index of a conversation's result, replacing the earlier one. Null: it has no result. */
export function writePatterns(sql: Sql, n: number, index: PatternIndex | null): void {
  sql.exec('DELETE FROM pattern_conversations WHERE n = ?', n);
  if (!index) return;
  const { id, at } = sql
    .exec<{ id: string; at: number }>('SELECT id, created_at AS at FROM conversations WHERE n = ?', n)
    .one();
  const { began: known, language, duration, silence, unsure, speakers, moments } = index;
  const began = known ?? at;
  const values = [n, began, id, language, duration, silence, unsure];
  const stamp = fnv1a(JSON.stringify([values, speakers, moments]));
  sql.exec('INSERT INTO pattern_conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?)', ...values, stamp);
  for (const [i, speaker] of speakers.entries()) {
    const { name, person, role, talk, ratio, longest, patience, questions, words, interruptions } = speaker;
    const { tone, toned, spoken, unsure: unsureSeconds } = speaker;
    sql.exec(
      'INSERT INTO pattern_speakers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[n, i, name, person, role, talk, ratio, longest, patience, questions, words, interruptions, tone, toned],
      ...[spoken, unsureSeconds],
    );
  }
  sql.exec(
    'INSERT INTO pattern_lines VALUES (?, ?, ?, ?)',
    n,
    Uint8Array.from(index.speaker).buffer,
    Uint32Array.from(index.ends).buffer,
    Int8Array.from(index.confidence).buffer,
  );
  for (const [i, moment] of moments.entries()) {
    const { follows, category, speaker, start, end, confidence, line, quote, outcome } = moment;
    const followed = follows === null ? null : moments[follows]!.confidence;
    sql.exec(
      'INSERT INTO pattern_moments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[began, n, i, moment.id, category, speaker, start, end, confidence, line, quote, outcome, follows, followed],
      speakers[speaker]?.role ?? null,
    );
  }
}
