import { beforeEach, expect, it } from 'vitest';
import { AnalysisOptionsSchema } from '../../../src/contract/options.ts';
import {
  MOST_TRANSCRIPTION_CHARS,
  TRANSCRIPTIONS_TOGETHER_CHARS,
  type TranscriptionLine,
} from '../../../src/contract/pipeline.ts';
import { SessionLog, type SessionOptions } from '../../../src/worker/live/log.ts';
import { type LiveState, open } from '../../../src/worker/live/state.ts';
import { MemorySql } from '../../../support/memory-sql.ts';

const NOW = 1_000_000;
const options: SessionOptions = {
  ...AnalysisOptionsSchema.parse({}),
  ...{ sessionId: 's', conversationId: 'c', tenant: 't', suffix: '.wav' as const },
};
const { state: opened } = open({ maxBytes: 1_000, ttlMs: 60_000, graceMs: 1_000, conversationId: 'c' }, NOW);

let sql: MemorySql;
let log: SessionLog;
beforeEach(() => {
  sql = new MemorySql();
  log = new SessionLog({ sql } as unknown as ConstructorParameters<typeof SessionLog>[0]);
});

const addChunk = (seq: number, receivedBytes: number, acceptedAt: number): void =>
  log.addChunk({ seq, receivedBytes, acceptedAt }, new Uint8Array(10), null);

it('loads nothing, and writes nothing, where no session was stored', () => {
  expect(log.load()).toBeNull();
  expect(sql.exec('SELECT name FROM sqlite_master').toArray()).toEqual([]);
});

it('derives next number, bytes and expiry from the last chunk', () => {
  log.create({ options, state: opened });
  addChunk(0, 10, NOW + 1_000);
  addChunk(1, 20, NOW + 5_000);
  const derived: Partial<LiveState> = {
    status: 'ingesting',
    nextChunkSeq: 2,
    receivedBytes: 20,
    expiresAt: NOW + 65_000,
  };
  expect(log.load()).toEqual({ options, state: { ...opened, ...derived } });
});

it('keeps a state that was stored after the last chunk', () => {
  log.create({ options, state: opened });
  addChunk(0, 10, NOW + 1_000);
  const finalized = { ...opened, status: 'processing', nextChunkSeq: 1, receivedBytes: 10, expiresAt: NOW + 90_000 };
  log.saveState(finalized as LiveState);
  expect(log.load()?.state).toEqual(finalized);
});

it('continues a session that was stored before chunks had a time and transcriptions were kept', () => {
  const before = { ...opened, status: 'ingesting', nextChunkSeq: 1, receivedBytes: 10 } as const;
  sql.exec(`
    CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 0), options TEXT NOT NULL, state TEXT NOT NULL);
    CREATE TABLE chunks (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL, received_bytes INTEGER NOT NULL, idempotency_key TEXT);
  `);
  sql.exec('INSERT INTO session VALUES (0, ?, ?)', JSON.stringify(options), JSON.stringify(before));
  sql.exec('INSERT INTO chunks VALUES (0, ?, 10, NULL)', new ArrayBuffer(10));
  expect(log.load()?.state).toEqual(before);
  addChunk(1, 20, NOW + 5_000);
  expect(log.load()?.state).toMatchObject({ nextChunkSeq: 2, receivedBytes: 20, expiresAt: NOW + 65_000 });
  log.addTranscription({ type: 'transcription', key: 'a', end_s: 1, output: {} });
  expect(log.transcriptionsAfter('')?.last).toBe('a');
});

it('forgets the bytes of its chunks, and still knows them', () => {
  log.create({ options, state: opened });
  log.addChunk({ seq: 0, receivedBytes: 10, acceptedAt: NOW }, new Uint8Array(10).fill(7), 'key');
  log.forgetMedia();
  expect(log.chunk(0)).toHaveLength(0);
  expect(log.earlierChunk(0)).toEqual({ receivedBytes: 10, idempotencyKey: 'key' });
});

const transcription = (key: string, chars = 0): TranscriptionLine => ({
  type: 'transcription',
  key,
  end_s: 1,
  output: { text: 'x'.repeat(chars) },
});
/** The keys of the stored transcriptions, page by page. */
function pages(): string[][] {
  const found: string[][] = [];
  for (let page = log.transcriptionsAfter(''); page; page = log.transcriptionsAfter(page.last)) {
    expect(page.lines.length).toBeLessThanOrEqual(TRANSCRIPTIONS_TOGETHER_CHARS);
    const lines = page.lines.trim().split('\n');
    found.push(lines.map((line) => JSON.parse(line).key));
  }
  return found;
}

it('returns each transcription once, in pages, until it forgets them', () => {
  log.create({ options, state: opened });
  expect(pages()).toEqual([]);
  for (const key of ['b', 'a', 'b', 'c'])
    log.addTranscription(transcription(key, TRANSCRIPTIONS_TOGETHER_CHARS / 2 - 200));
  expect(pages()).toEqual([['a', 'b'], ['c']]);
  expect(JSON.parse(log.transcriptionsAfter('b')!.lines)).toMatchObject({ type: 'transcription', end_s: 1 });
  log.forgetTranscriptions();
  expect(pages()).toEqual([]);
});

it('stores transcriptions up to the limit for a session, which counts those before an eviction', () => {
  log.create({ options, state: opened });
  sql.exec('INSERT INTO transcriptions VALUES (?, ?)', 'a', ' '.repeat(MOST_TRANSCRIPTION_CHARS - 1_000));
  for (const [key, chars] of [
    ['b', 500],
    ['c', 500],
    ['d', 100],
  ] as const)
    log.addTranscription(transcription(key, chars));
  const stored = () => sql.exec('SELECT key FROM transcriptions ORDER BY key').toArray();
  expect(stored()).toEqual([{ key: 'a' }, { key: 'b' }, { key: 'd' }]);
});

it('does not store a transcription that is too long to be sent', () => {
  log.create({ options, state: opened });
  log.addTranscription(transcription('a', TRANSCRIPTIONS_TOGETHER_CHARS));
  expect(pages()).toEqual([]);
});
