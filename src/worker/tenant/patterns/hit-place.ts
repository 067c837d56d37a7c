import {
  AROUND_S,
  type HitConversation,
  type NearbyLine,
  type NearbySpeech,
  QUOTE_CHARS,
} from '../../../contract/patterns.ts';
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

/** Limit on the lines before a hit, and on those after it, of which a list says who speaks. */
const NEARBY_LINES = 20;

interface Spoken {
  id: string;
  words: string[];
  /** Milliseconds. */
  starts: Uint32Array;
  ends: Uint32Array;
  speaker: Uint8Array;
  names: string[];
}

interface Nearby {
  before: NearbyLine | null;
  after: NearbyLine | null;
  around: NearbySpeech[];
}

/** Reads the lines around hits. Each conversation is read once. */
export class NearbyLines {
  readonly #sql: Sql;
  readonly #read = new Map<number, Spoken | null>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * The lines around a hit, and who speaks around it.
   * @param n of a conversation
   * @param start of the hit, s
   * @param end of the hit, s
   */
  around(n: number, line: number, start: number, end: number): Nearby {
    let spoken = this.#read.get(n);
    if (spoken === undefined) {
      spoken = this.#spoken(n);
      this.#read.set(n, spoken);
    }
    return {
      before: lineOf(spoken, line - 1),
      after: lineOf(spoken, line + 1),
      around: spoken ? speechIn(spoken, line, start - AROUND_S, end + AROUND_S) : [],
    };
  }

  #spoken(n: number): Spoken | null {
    const [row] = this.#sql
      .exec<{ id: string; words: string; starts: ArrayBuffer; ends: ArrayBuffer; speaker: ArrayBuffer; names: string }>(
        `SELECT id, words, starts, ends, speaker,
         (SELECT json_group_array(name ORDER BY i) FROM pattern_speakers WHERE pattern_speakers.n = pattern_lines.n) AS names
         FROM pattern_lines JOIN texts USING (n) JOIN pattern_conversations USING (n) WHERE n = ?`,
        n,
      )
      .toArray();
    if (!row) return null;
    const { id, words, starts, ends, speaker, names } = row;
    return {
      id,
      words: words.split('\n'),
      starts: new Uint32Array(starts),
      ends: new Uint32Array(ends),
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

/** Speech between two times in seconds. Only lines close to the given one are tried. */
function speechIn(spoken: Spoken, line: number, from: number, to: number): NearbySpeech[] {
  const found: NearbySpeech[] = [];
  for (let i = Math.max(0, line - NEARBY_LINES); i <= line + NEARBY_LINES; i++) {
    const [start, end] = [spoken.starts[i], spoken.ends[i]];
    if (start === undefined || end === undefined) break;
    if (start >= to * 1000 || end <= from * 1000) continue;
    found.push({ speaker: spoken.names[spoken.speaker[i] ?? 0] ?? '', t_start: start / 1000, t_end: end / 1000 });
  }
  return found;
}
