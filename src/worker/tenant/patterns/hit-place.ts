import { type HitConversation, type NearbyLine, QUOTE_CHARS } from '../../../contract/patterns.ts';
import { editedBy } from '../../results/edits/edited.ts';
import { recordedAt, type StoredRecord, titleOf } from '../../results/record.ts';
import type { Sql } from '../../sqlite/migrations.ts';

/** The columns of a hit's conversation. */
export interface HitRow {
  began: number;
  n: number;
  conversation: string;
  language: string | null;
  record: string;
}

/** The conversation of a hit. */
export function hitConversation({ record, language }: Pick<HitRow, 'record' | 'language'>): HitConversation {
  const stored: StoredRecord = JSON.parse(record);
  return {
    title: titleOf(stored),
    ...recordedAt(stored),
    labels: [...editedBy(stored.edits).labels],
    language,
  };
}

/** The paths at which a hit can be heard and seen. Times are seconds. */
export const addressOf = (conversation: string, start: number, end: number) => ({
  media: `/conversations/${encodeURIComponent(conversation)}/media#t=${start},${end}`,
  page: `/app/conversations/${encodeURIComponent(conversation)}?t=${start}`,
});

export const utteranceId = (conversation: string, line: number): string => `${conversation}_utt_${line}`;

interface Spoken {
  id: string;
  words: string[];
  starts: Uint32Array;
  speaker: Uint8Array;
  names: string[];
}

/** Reads the lines around hits. Each conversation is read once. */
export class NearbyLines {
  readonly #sql: Sql;
  readonly #read = new Map<number, Spoken | null>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** @param n of a conversation */
  around(n: number, line: number): { before: NearbyLine | null; after: NearbyLine | null } {
    let spoken = this.#read.get(n);
    if (spoken === undefined) {
      spoken = this.#spoken(n);
      this.#read.set(n, spoken);
    }
    return { before: lineOf(spoken, line - 1), after: lineOf(spoken, line + 1) };
  }

  #spoken(n: number): Spoken | null {
    const [row] = this.#sql
      .exec<{ id: string; words: string; starts: ArrayBuffer; speaker: ArrayBuffer; names: string }>(
        `SELECT id, words, starts, speaker,
         (SELECT json_group_array(name ORDER BY i) FROM pattern_speakers WHERE pattern_speakers.n = pattern_lines.n) AS names
         FROM pattern_lines JOIN texts USING (n) JOIN pattern_conversations USING (n) WHERE n = ?`,
        n,
      )
      .toArray();
    if (!row) return null;
    const { id, words, starts, speaker, names } = row;
    return {
      id,
      words: words.split('\n'),
      starts: new Uint32Array(starts),
      speaker: new Uint8Array(speaker),
      names: JSON.parse(names),
    };
  }
}

function lineOf(spoken: Spoken | null, line: number): NearbyLine | null {
  const text = spoken?.words[line];
  const start = spoken?.starts[line];
  if (!spoken || text === undefined || start === undefined) return null;
  return {
    utterance_id: utteranceId(spoken.id, line),
    speaker: spoken.names[spoken.speaker[line] ?? 0] ?? '',
    t_start: start / 1000,
    text: text.length <= QUOTE_CHARS ? text : `${text.slice(0, QUOTE_CHARS - 1).trimEnd()}…`.toWellFormed(),
  };
}
