import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceEvent } from '../../../src/contract/events.ts';
import {
  type Command,
  type Effect,
  type LiveState,
  needsPipeline,
  open,
  step,
} from '../../../src/worker/live/state.ts';

const NOW = 1_000_000;
const TTL = 900_000;
const GRACE = 30_000;

const LIMITS = { maxBytes: 1_000, ttlMs: TTL, graceMs: GRACE };
const fresh = (): LiveState => open({ ...LIMITS, conversationId: 'c-1' }, NOW).state;
const chunkOf = (seq: number, bytes = 10): Command & { type: 'chunk' } => ({
  type: 'chunk',
  seq,
  bytes,
  idempotencyKey: null,
  earlier: null,
});
/** The state after some commands, all of them issued at NOW. */
const stateAfter = (...commands: Command[]): LiveState =>
  commands.reduce((state, command) => step(state, command, NOW).state, fresh());
const ingesting = (): LiveState => stateAfter(chunkOf(0));
const processing = (): LiveState => stateAfter(chunkOf(0), { type: 'finalize' });
const concluded: Command = { type: 'concluded', conversationId: 'c', events: [] };
const completed = (): LiveState => stateAfter(chunkOf(0), { type: 'finalize' }, concluded);
const aborted = (): LiveState => stateAfter(chunkOf(0), { type: 'cancel' });

const events = (effects: Effect[]): ServiceEvent[] => effects.flatMap((e) => (e.type === 'emit' ? [e.event] : []));
const names = (effects: Effect[]): string[] =>
  effects.map((e) =>
    e.type !== 'emit' ? e.type : e.event.event === 'status' ? `status:${e.event.data.phase}` : e.event.event,
  );

describe('the state table of the specification', () => {
  it('start makes a waiting_media session with next_chunk_seq 0 and an expiry time', () => {
    const { state, effects } = open({ maxBytes: 1_000, ttlMs: TTL, graceMs: GRACE }, NOW);
    expect(state).toMatchObject({ status: 'waiting_media', nextChunkSeq: 0, receivedBytes: 0, expiresAt: NOW + TTL });
    expect(names(effects)).toEqual(['status:starting', 'status:waiting_media']);
  });

  it('a chunk with the expected chunk_seq is stored, counted and moves next_chunk_seq', () => {
    const { answer, state, effects } = step(fresh(), chunkOf(0, 64), NOW);
    expect(answer).toEqual({ ok: true, value: { received_bytes: 64, next_chunk_seq: 1 } });
    expect(state).toMatchObject({ status: 'ingesting', nextChunkSeq: 1, receivedBytes: 64 });
    expect(names(effects)).toEqual(['store_chunk', 'feed', 'status:ingesting']);
  });

  it('only the first chunk announces ingesting', () => {
    expect(names(step(ingesting(), chunkOf(1), NOW).effects)).toEqual(['store_chunk', 'feed']);
  });

  it.each([0, 2, 7])('chunk_seq %i where 1 is expected is a 409 and changes nothing', (seq) => {
    const state = ingesting();
    const result = step(state, chunkOf(seq), NOW + 5);
    expect(result).toEqual({
      answer: { ok: false, code: 'WRONG_CHUNK_SEQ', detail: 'Expected chunk_seq=1' },
      state,
      effects: [],
    });
  });

  it.each(['waiting_media', 'ingesting'] as const)('keepalive extends the expiry of a session that is %s', (status) => {
    const result = step(status === 'ingesting' ? ingesting() : fresh(), { type: 'keepalive' }, NOW + 60_000);
    expect(result.state.expiresAt).toBe(NOW + 60_000 + TTL);
    expect(result.answer).toEqual({
      ok: true,
      value: { status, detail: 'Expiry extended', expires_at: new Date(NOW + 60_000 + TTL).toISOString() },
    });
    expect(result.effects).toEqual([]);
  });

  it('finalize stops ingest and starts final processing', () => {
    const result = step(ingesting(), { type: 'finalize' }, NOW);
    expect(result.answer).toMatchObject({
      ok: true,
      value: { status: 'processing', detail: 'Ingest stopped, final processing started' },
    });
    expect(result.state.status).toBe('processing');
    expect(names(result.effects)).toEqual(['status:processing', 'feed']);
  });

  it('a chunk after finalize is a 409', () => {
    expect(step(processing(), chunkOf(1), NOW).answer).toEqual({
      ok: false,
      code: 'SESSION_FINALIZED',
      detail: 'Session already finalized',
    });
  });

  it('the conclusion is followed by status completed and done, in this order', () => {
    const summary = { event: 'moment', data: {} } as ServiceEvent;
    const result = step(processing(), { type: 'concluded', conversationId: 'conv', events: [summary] }, NOW);
    expect(result.state.status).toBe('completed');
    expect(names(result.effects)).toEqual(['moment', 'status:completed', 'done', 'stop']);
    expect(events(result.effects).at(-1)).toEqual({ event: 'done', data: { conversation_id: 'conv' } });
  });

  it('cancel aborts and consumers receive an error that carries the reason', () => {
    const result = step(ingesting(), { type: 'cancel', reason: 'wrong room' }, NOW);
    expect(result.answer).toMatchObject({ ok: true, value: { status: 'aborted', detail: 'wrong room' } });
    expect(events(result.effects)).toEqual([
      { event: 'error', data: { code: 'STREAM_FAILURE', message: 'wrong room', detail: 'wrong room' } },
    ]);
    expect(names(result.effects)).toContain('stop');
  });

  it('after done was delivered the session is removed once the grace is over', () => {
    const { state } = step(completed(), { type: 'delivered' }, NOW + 10);
    expect(state.expiresAt).toBe(NOW + 10 + GRACE);
    expect(step(state, { type: 'tick' }, NOW + 10 + GRACE - 1).effects).toEqual([]);
    expect(names(step(state, { type: 'tick' }, NOW + 10 + GRACE).effects)).toEqual(['remove']);
  });
});

describe('the decisions about behaviour', () => {
  it('cancel without a reason reports that the client cancelled', () => {
    const result = step(fresh(), { type: 'cancel' }, NOW);
    expect(events(result.effects)).toEqual([
      {
        event: 'error',
        data: { code: 'STREAM_FAILURE', message: 'Session cancelled by client', detail: 'Session cancelled by client' },
      },
    ]);
  });

  it.each(['finalize', 'cancel', 'keepalive'] as const)('%s after finalize is a 409', (type) => {
    for (const state of [processing(), completed(), aborted()]) {
      const result = step(state, { type }, NOW);
      expect(result.answer).toEqual({ ok: false, code: 'SESSION_FINALIZED', detail: 'Session already finalized' });
      expect(result.state).toEqual(state);
      expect(result.effects).toEqual([]);
    }
  });

  it('an accepted chunk extends the expiry', () => {
    expect(step(ingesting(), chunkOf(1), NOW + 60_000).state.expiresAt).toBe(NOW + 60_000 + TTL);
  });

  it('a refused chunk does not extend the expiry', () => {
    expect(step(ingesting(), chunkOf(5), NOW + 60_000).state.expiresAt).toBe(NOW + TTL);
  });

  it('at expiry a session without media aborts with an error and is removed', () => {
    const result = step(fresh(), { type: 'tick' }, NOW + TTL);
    expect(result.state.status).toBe('aborted');
    expect(events(result.effects)).toEqual([
      { event: 'status', data: { phase: 'expired', progress: 0, retained: false } },
      { event: 'error', data: { code: 'STREAM_FAILURE', message: 'Session expired', detail: 'Session expired' } },
    ]);
    expect(names(result.effects).slice(-2)).toEqual(['stop', 'remove']);
  });

  it('at expiry a session with media aborts with an error, and its media is handed on until that succeeds', () => {
    const result = step(ingesting(), { type: 'tick' }, NOW + TTL);
    expect(events(result.effects)).toEqual([
      { event: 'status', data: { phase: 'expired', progress: 0, retained: true } },
      {
        event: 'error',
        data: { code: 'STREAM_FAILURE', message: 'Session expired', detail: 'Session expired', conversation_id: 'c-1' },
      },
    ]);
    expect(names(result.effects).slice(-2)).toEqual(['stop', 'hand_on']);
    const soon = step(result.state, { type: 'tick' }, NOW + TTL + 1);
    expect(soon.effects).toEqual([]);
    const again = step(result.state, { type: 'tick' }, result.state.expiresAt);
    expect(names(again.effects)).toEqual(['hand_on']);
    expect(again.state.expiresAt).toBeGreaterThan(result.state.expiresAt);
    for (const command of [chunkOf(1), { type: 'finalize' }, { type: 'attach' }] as Command[])
      expect(step(result.state, command, NOW + TTL + 1).answer).toMatchObject({ ok: false, code: 'UNKNOWN_SESSION' });
  });

  it('media of a session stored before it was kept at expiry is removed', () => {
    const { conversationId: _, ...state } = ingesting();
    expect(names(step(state, { type: 'tick' }, NOW + TTL).effects).slice(-2)).toEqual(['stop', 'remove']);
  });

  it('a call after the expiry but before the alarm finds no session', () => {
    for (const command of [chunkOf(1), { type: 'keepalive' }, { type: 'finalize' }, { type: 'attach' }] as Command[]) {
      const result = step(ingesting(), command, NOW + TTL);
      expect(result.answer).toEqual({ ok: false, code: 'UNKNOWN_SESSION', detail: 'Unknown live session' });
      expect(names(result.effects)).toEqual(['status:expired', 'error', 'stop', 'hand_on']);
    }
  });

  it('final processing does not expire', () => {
    const result = step(processing(), { type: 'tick' }, NOW + TTL);
    expect(result.effects).toEqual([]);
    expect(result.state).toMatchObject({ status: 'processing', expiresAt: NOW + 2 * TTL });
    expect(step(processing(), concluded, NOW + 5 * TTL).state.status).toBe('completed');
  });

  it('an ended session without a consumer is kept for its ttl', () => {
    const state = completed();
    expect(step(state, { type: 'attach' }, NOW + TTL - 1).answer.ok).toBe(true);
    expect(names(step(state, { type: 'tick' }, NOW + TTL).effects)).toEqual(['remove']);
  });

  it('a repeat with the Idempotency-Key of the accepted chunk gets the first response', () => {
    const state = stateAfter(chunkOf(0), chunkOf(1));
    const repeat: Command = { ...chunkOf(0), idempotencyKey: 'k', earlier: { idempotencyKey: 'k', receivedBytes: 10 } };
    expect(step(state, repeat, NOW)).toEqual({
      answer: { ok: true, value: { received_bytes: 10, next_chunk_seq: 1 } },
      state,
      effects: [],
    });
    expect(step(processing(), repeat, NOW).answer.ok).toBe(true);
  });

  it('a repeat with another Idempotency-Key, or with none on either side, is a 409', () => {
    const state = stateAfter(chunkOf(0), chunkOf(1));
    for (const [sent, stored] of [
      ['a', 'b'],
      [null, 'b'],
      ['a', null],
      [null, null],
    ] as const) {
      const repeat = { ...chunkOf(0), idempotencyKey: sent, earlier: { idempotencyKey: stored, receivedBytes: 10 } };
      expect(step(state, repeat, NOW).answer).toMatchObject({ ok: false, code: 'WRONG_CHUNK_SEQ' });
    }
  });

  it('an empty chunk is a 400 and does not count', () => {
    const result = step(fresh(), chunkOf(0, 0), NOW);
    expect(result.answer).toMatchObject({ ok: false, code: 'EMPTY_CHUNK' });
    expect(result.state.nextChunkSeq).toBe(0);
  });

  it('a session over its byte limit refuses the chunk and stays open', () => {
    const result = step(stateAfter(chunkOf(0, 990)), chunkOf(1, 11), NOW);
    expect(result.answer).toMatchObject({ ok: false, code: 'FILE_TOO_LARGE' });
    expect(result.state).toMatchObject({ status: 'ingesting', nextChunkSeq: 1 });
    expect(step(stateAfter(chunkOf(0, 990)), chunkOf(1, 10), NOW).answer.ok).toBe(true);
  });

  it('finalize before any chunk ends with NO_UTTERANCES', () => {
    const result = step(fresh(), { type: 'finalize' }, NOW);
    expect(result.answer).toMatchObject({ ok: true, value: { status: 'processing' } });
    expect(events(result.effects).at(-1)).toMatchObject({ event: 'error', data: { code: 'NO_UTTERANCES' } });
    expect(result.state.status).toBe('aborted');
  });

  it('a failure of the pipeline ends an open session and one being processed, not an ended one', () => {
    const failed: Command = { type: 'failed', code: 'LIVE_ASR_FAILURE', message: 'gone' };
    for (const state of [ingesting(), processing()]) {
      const result = step(state, failed, NOW);
      expect(result.state.status).toBe('aborted');
      expect(events(result.effects)).toEqual([
        { event: 'error', data: { code: 'LIVE_ASR_FAILURE', message: 'gone', detail: 'gone' } },
      ]);
    }
    for (const state of [completed(), aborted()]) expect(step(state, failed, NOW).effects).toEqual([]);
  });

  it('progress is reported while processing and is below 1 until completed', () => {
    expect(events(step(processing(), { type: 'progressed', progress: 1 }, NOW).effects)).toEqual([
      { event: 'status', data: { phase: 'processing', progress: 0.99 } },
    ]);
    expect(events(step(processing(), { type: 'progressed', progress: 0, expectedS: 3.8 }, NOW).effects)).toEqual([
      { event: 'status', data: { phase: 'processing', progress: 0, expected_s: 3.8 } },
    ]);
    expect(step(ingesting(), { type: 'progressed', progress: 0.5 }, NOW).effects).toEqual([]);
  });

  it('a session without a pipeline reports that it waits, and then its phase, once each', () => {
    for (const [state, phase] of [
      [ingesting(), 'ingesting'],
      [processing(), 'processing'],
    ] as const) {
      const displaced = step(state, { type: 'displaced' }, NOW);
      expect(names(displaced.effects)).toEqual(['status:waiting_capacity']);
      expect(names(step(displaced.state, { type: 'displaced' }, NOW).effects)).toEqual([]);
      const placed = step(displaced.state, { type: 'placed' }, NOW);
      expect(names(placed.effects)).toEqual([`status:${phase}`]);
      expect(names(step(placed.state, { type: 'placed' }, NOW).effects)).toEqual([]);
    }
    for (const state of [fresh(), aborted(), completed()])
      expect(names(step(state, { type: 'displaced' }, NOW).effects)).toEqual([]);
  });

  it('delivering again does not lengthen the grace', () => {
    const first = step(completed(), { type: 'delivered' }, NOW).state;
    expect(step(first, { type: 'delivered' }, NOW + 20_000).state.expiresAt).toBe(NOW + GRACE);
  });

  it('the pipeline is needed from the first chunk to the end', () => {
    expect([fresh(), ingesting(), processing(), completed(), aborted()].map(needsPipeline)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('any order of commands', () => {
  const command = fc.oneof(
    fc.record({
      type: fc.constant('chunk' as const),
      seq: fc.integer({ min: 0, max: 4 }),
      bytes: fc.integer({ min: 0, max: 400 }),
      idempotencyKey: fc.constant(null),
      earlier: fc.constant(null),
    }),
    fc.constantFrom<Command>(
      { type: 'finalize' },
      { type: 'cancel' },
      { type: 'keepalive' },
      { type: 'attach' },
      { type: 'progressed', progress: 0.5 },
      concluded,
      { type: 'failed', code: 'ANALYSIS_FAILURE', message: 'm' },
      { type: 'delivered' },
      { type: 'displaced' },
      { type: 'placed' },
      { type: 'tick' },
    ),
  );

  it('emits at most one terminal event, and nothing after it', () => {
    void fc.assert(
      fc.property(fc.array(fc.tuple(command, fc.integer({ min: 0, max: 2 * TTL })), { maxLength: 40 }), (steps) => {
        let state = fresh();
        let now = NOW;
        const emitted: string[] = [];
        for (const [next, wait] of steps) {
          now += wait;
          const result = step(state, next, now);
          emitted.push(...events(result.effects).map((e) => e.event));
          state = result.state;
          if (result.effects.some((e) => e.type === 'remove')) break;
        }
        const end = emitted.findIndex((name) => name === 'done' || name === 'error');
        expect(end === -1 || end === emitted.length - 1).toBe(true);
      }),
    );
  });

  it('accepts every chunk_seq exactly once and in order', () => {
    void fc.assert(
      fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
        let state = fresh();
        const stored: number[] = [];
        for (const next of commands) {
          const result = step(state, next, NOW);
          if (result.effects.some((e) => e.type === 'store_chunk') && next.type === 'chunk') stored.push(next.seq);
          state = result.state;
        }
        expect(stored).toEqual(stored.map((_, i) => i));
        expect(state.nextChunkSeq).toBe(stored.length);
      }),
    );
  });
});
