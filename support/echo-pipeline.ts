import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import { sizesOf } from '../containers/pipeline/live/server-routes.ts';
import { liveIdPrefix } from '../containers/pipeline/live-ids.ts';
import { optionsAndMedia } from '../containers/pipeline/request-body.ts';
import type { EndLine, StageLine } from '../containers/pipeline/stage-lines.ts';
import { ServiceError } from '../src/contract/errors.ts';
import { ndjsonLine } from '../src/contract/ndjson.ts';
import {
  ALIVE_MS,
  LEASE_HEADER,
  LIVE_ALIVE_MS,
  listsProtocol,
  PIPELINE_PROTOCOL,
  type PipelineLine,
  PipelineOptionsSchema,
  PROTOCOL_HEADER,
  TranscriptionLineSchema,
  WEIGHTS_HEADER,
} from '../src/contract/pipeline.ts';
import type { TimelineEntry } from '../src/contract/timeline-entry.ts';
import { WEIGHTS_ID } from '../src/conversation/weights-id.ts';

/**
 * A fake pipeline for tests and measurements without recognition. It implements the protocol of
 * `src/contract/pipeline.ts`, and answers chunks, or pieces of files, with utterances that contain the bytes it
 * received.
 */
export interface EchoPipeline {
  url: string;
  /** The known sessions, with the chunks that each has received since the last restart. */
  sessions: Map<string, EchoSession>;
  /** The protocol version that it speaks and accepts (`PROTOCOL_HEADER`). */
  protocol: number;
  /** The id of the weights that it sends (`WEIGHTS_HEADER`). */
  weights: string;
  /** If set, finalize returns this instead of the utterances of the whole session. */
  ending: StageLine | undefined;
  /** Forgets everything and closes every connection, as if the container had died, but keeps listening. */
  die(): void;
  /**
   * Accepts no new work, asks live sessions to move, and closes when files and finalized sessions are done, or after
   * the time limit.
   */
  drain(mostMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface EchoOptions {
  port?: number;
  /** Processing time of a piece of a file, ms. */
  pieceMs?: number;
  /** Number of live sessions that it takes. */
  slots?: number;
  /** Service times of live utterances. None without it. */
  service?: EchoService;
}

/** A model of service times. */
export interface EchoService {
  /**
   * Resolves when the work of one utterance is done. A session has its utterances one after the other.
   * @param isRecalled whether the Worker has given back its transcription
   */
  work(isRecalled: boolean): Promise<unknown>;
}

/** Number of bytes of a file in each piece that is answered. */
const PIECE_BYTES = 8_192;
/** Retry-After of a draining echo pipeline, s. */
const RETRY_AFTER_S = 1;
const DRAIN_LOOK_MS = 20;
/** How often sessions are asked to move while it drains, ms. */
const MOVE_AGAIN_MS = 5_000;
const OVERTAKEN_LOOK_MS = 5;
const LEVELS_A_SECOND = 20;

interface EchoSession {
  conversationId: string;
  digests: string[];
  finalized: boolean;
  telling: AnalysisOutput;
  lines: PipelineLine[];
  readers: Set<ServerResponse>;
  /** Keys of the transcriptions that the Worker has given back. */
  recalled: string[];
  /** Settled when all its utterances have been told. */
  told: Promise<void>;
  /** Number of chunks whose utterance has been told. A chunk counts as a second. */
  toldChunks: number;
  isClosed: boolean;
}

const EMOTIONS = { joy: 0.1, sadness: 0.1, anger: 0.1, fear: 0.1, surprise: 0.1, disgust: 0.1, neutral: 0.4 };
const SIGNALS = { focused: 0.5, confused: 0.1, engaged: 0.5, disengaged: 0.1, thoughtful: 0.3, uncertain: 0.2 };
const PAD = { valence: 0.5, arousal: 0.5, dominance: 0.5 };

/** A complete timeline entry with arbitrary values. */
export function echoEntry(conversationId: string, n: number, text: string): TimelineEntry {
  const id = `${conversationId}_utt_${n}`;
  const speaker = `Speaker_${n % 2}`;
  return {
    utterance_id: id,
    speaker,
    t_start: n,
    t_end: n + 0.9,
    text,
    asr_confidence: 0.9,
    prosody: {},
    prosody_desc: '',
    emotion: {
      utterance_id: id,
      speaker_id: speaker,
      emotion: EMOTIONS,
      scores: PAD,
      confidence: 0.5,
      stability: 'provisional',
      words: { emotion: EMOTIONS, scores: PAD, confidence: 0.5 },
      voice: null,
      decided_by: 'words',
    },
    sentiment: { positive: 0.2, negative: 0.2, neutral: 0.6 },
    polarity: 0,
    subjectivity: 0.3,
    cognitive: {
      utterance_id: id,
      signals: SIGNALS,
      engagement: 0.5,
      load_level: 'low',
      confidence: 0.5,
      stability: 'provisional',
    },
    commitment_score: 0.5,
    commitment_level: 'moderate',
    passion_score: 0.5,
    passion_level: 'mildly_passionate',
    conviction_score: 0.5,
    lexical_markers: { hedge_density: 0, disfluency_rate: 0, is_question: false, self_repair: false, reasoning: '' },
    acoustic_reasoning: '',
    confidence: 0.5,
    emotions: EMOTIONS,
    dominant_emotion: 'neutral',
    cognitive_signals: SIGNALS,
    engagement: 0.5,
    load_level: 'low',
    pad_scores: PAD,
    conviction_level: 'moderate',
    acoustic: {
      commitment_level: 'moderate',
      commitment_score: 0.5,
      passion_level: 'mildly_passionate',
      passion_score: 0.5,
      conviction_level: 'moderate',
      acoustic_insights: [],
      delivery_style: '',
      factuality_markers: null,
      hesitation_patterns: [],
      emphasis_points: [],
    },
    acoustic_insights: [],
    delivery_style: '',
    words: [],
    speaker_confidence: 0.5,
    overlap_ratio: 0,
  };
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12);

const endLine = (utterances: number): EndLine => ({
  type: 'end',
  utterances,
  media: { duration_s: utterances, channels: 1, speaker_per_channel: false },
  speakers: { count: 2, confidence: 0.5, source: 'estimated' },
  warnings: [],
  playback: {
    levels: { rate: LEVELS_A_SECOND, channels: [Buffer.alloc(utterances * LEVELS_A_SECOND, 128).toString('base64')] },
    rendition: null,
  },
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function tell(session: EchoSession, line: PipelineLine): void {
  if (line.type !== 'event' || line.n !== undefined) session.lines.push(line);
  for (const reader of session.readers) reader.write(ndjsonLine(line));
  if (isLast(line)) for (const reader of session.readers) end(session, reader);
}

const isLast = (line: PipelineLine | undefined): boolean => line?.type === 'result' || line?.type === 'error';

function end({ telling }: EchoSession, reader: ServerResponse): void {
  for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) reader.write(bytes);
  reader.end();
}

function say(session: EchoSession, line: StageLine): void {
  try {
    for (const told of session.telling.take(line)) tell(session, told);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    tell(session, { type: 'error', code: error.code, message: error.detail });
  }
}

function sayUtterance(session: EchoSession, n: number, text: string): void {
  const { conversationId, finalized } = session;
  const entry = echoEntry(finalized ? conversationId : liveIdPrefix(conversationId), n, text);
  say(session, { type: 'utterance', entry, latency_ms: 1, partial_id: `${session.conversationId}_partial_${n}` });
}

function takeChunk(session: EchoSession, bytes: Buffer, service?: EchoService): void {
  const n = session.digests.push(digestOf(bytes));
  const utterance = n - 1;
  const text = `chunk ${utterance} is ${session.digests[utterance]}`;
  const key = session.digests[utterance]!;
  const partial = { partial_id: `${session.conversationId}_partial_${utterance}`, text, stable_text: '' };
  say(session, { type: 'partial', ...partial });
  const sayFinal = (): void => {
    session.toldChunks = n;
    tell(session, { type: 'transcription', key, end_s: n, output: {} });
    sayUtterance(session, utterance, text);
  };
  if (service === undefined) {
    sayFinal();
    return;
  }
  const isRecalled = session.recalled.includes(key);
  session.told = session.told.then(async () => {
    if (!session.isClosed) await service.work(isRecalled);
    if (!session.isClosed) sayFinal();
  });
}

/** Seconds of a session's chunks that have not been told. Without service times there are none. */
const behindSeconds = ({ digests, toldChunks }: EchoSession, service: EchoService | undefined): number =>
  service ? digests.length - toldChunks : 0;

function conclude(session: EchoSession, ending: StageLine | undefined): void {
  session.finalized = true;
  say(session, { type: 'conclude', seconds: session.digests.length });
  say(session, { type: 'progress', stage: 'transcribing', progress: 0.5 });
  if (ending) {
    say(session, ending);
    return;
  }
  for (const [n, digest] of session.digests.entries()) sayUtterance(session, n, `chunk ${n} is ${digest}`);
  say(session, endLine(session.digests.length));
}

/** Answers a file as it arrives, with one utterance per piece. */
async function analyse(request: IncomingMessage, response: ServerResponse, pieceMs: number): Promise<void> {
  const { options, media } = await optionsAndMedia(request);
  const telling = new AnalysisOutput({ ...options, live: false });
  const write = (lines: PipelineLine[]) => {
    for (const line of lines) response.write(ndjsonLine(line));
  };
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  write(telling.open());
  const alive = setInterval(() => write([{ type: 'alive' }]), ALIVE_MS);
  try {
    const bytes: Uint8Array[] = [];
    for await (const some of media) bytes.push(some);
    const whole = Buffer.concat(bytes);
    const pieces = Math.ceil(whole.length / PIECE_BYTES);
    for (let n = 0; n < pieces && !response.destroyed; n++) {
      await pause(pieceMs);
      const text = `piece ${n} is ${digestOf(whole.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES))}`;
      write(telling.take({ type: 'utterance', entry: echoEntry(options.conversation_id, n, text), latency_ms: 1 }));
      write(telling.take({ type: 'progress', stage: 'transcribing', progress: n / pieces }));
    }
    write(telling.take(endLine(pieces)));
  } finally {
    clearInterval(alive);
  }
  for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) response.write(bytes);
  response.end();
}

/** Starts an echo pipeline on a free port, or on the given one. */
export async function startEchoPipeline(options: EchoOptions = {}): Promise<EchoPipeline> {
  const { port = 0, pieceMs = 0, slots = 1000, service } = options;
  const sessions = new Map<string, EchoSession>();
  const files = new Set<string>();
  let isDraining = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://echo');
    const [, room, id = '', part, seqText] = url.pathname.split('/');
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (room === 'healthz')
      return void json(200, {
        status: isDraining ? 'draining' : 'ok',
        ...{ version: '0', running: 0, waiting: 0, recognisers: [] },
        slots: { live: slots },
        lag_ms: 1000 * Math.max(0, ...[...sessions.values()].map((session) => behindSeconds(session, service))),
        held: { live: [...sessions.keys()], batch: [...files] },
      });
    response.setHeader(PROTOCOL_HEADER, echo.protocol);
    response.setHeader(WEIGHTS_HEADER, echo.weights);
    if (!listsProtocol(request.headers[PROTOCOL_HEADER.toLowerCase()]?.toString(), echo.protocol))
      return void json(500, { code: 'ANALYSIS_FAILURE', detail: 'another version' });
    const isNew = room === 'analyses' || (request.method === 'PUT' && !sessions.has(id));
    const isFull = room === 'sessions' && [...sessions.values()].filter(({ finalized }) => !finalized).length >= slots;
    if (isNew && (isDraining || isFull)) {
      response.setHeader('Retry-After', RETRY_AFTER_S);
      return void json(503, { detail: 'about to end' });
    }
    if (room === 'analyses') {
      const lease = String(request.headers[LEASE_HEADER.toLowerCase()] ?? '');
      files.add(lease);
      return analyse(request, response, pieceMs).finally(() => files.delete(lease));
    }
    if (request.method === 'PUT' && !sessions.has(id)) {
      const options = PipelineOptionsSchema.parse(JSON.parse(String(await bodyOf(request))));
      const telling = new AnalysisOutput({ ...options, live: true });
      const conversationId = options.conversation_id;
      sessions.set(id, {
        conversationId,
        telling,
        digests: [],
        finalized: false,
        lines: [],
        readers: new Set(),
        recalled: [],
        told: Promise.resolve(),
        toldChunks: 0,
        isClosed: false,
      });
    }
    const session = sessions.get(id);
    if (room !== 'sessions' || !session) return void json(404, {});
    const position = { next_chunk_seq: session.digests.length };
    if (request.method === 'PUT') json(200, position);
    else if (request.method === 'DELETE') {
      sessions.delete(id);
      session.isClosed = true;
      for (const reader of session.readers) reader.end();
      json(200, {});
    } else if (part === 'transcriptions') {
      const lines = String(await bodyOf(request))
        .trim()
        .split('\n');
      session.recalled.push(...lines.map((line) => TranscriptionLineSchema.parse(JSON.parse(line)).key));
      json(200, position);
    } else if (part === 'chunks') {
      const seq = Number(seqText);
      const bytes = await bodyOf(request);
      while (seq > session.digests.length && !response.destroyed) await pause(OVERTAKEN_LOOK_MS);
      let at = 0;
      for (const [i, size] of sizesOf(url).entries()) {
        const chunk = bytes.subarray(at, at + size);
        at += size;
        if (seq + i === session.digests.length) takeChunk(session, chunk, service);
      }
      json(200, { next_chunk_seq: session.digests.length });
    } else if (part === 'finalize') {
      await session.told;
      if (!session.finalized) conclude(session, echo.ending);
      json(200, position);
    } else if (part === 'lines') {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
      response.flushHeaders();
      for (const line of session.lines) response.write(ndjsonLine(line));
      if (isLast(session.lines.at(-1))) return void end(session, response);
      session.readers.add(response);
      const sign = () =>
        ndjsonLine({ type: 'alive', behind_s: behindSeconds(session, service), next_s: LIVE_ALIVE_MS / 1000 });
      const alive = setInterval(() => response.write(sign()), LIVE_ALIVE_MS);
      response.on('close', () => {
        clearInterval(alive);
        session.readers.delete(response);
      });
    } else json(404, {});
  }

  const server: Server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const echo: EchoPipeline = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    protocol: PIPELINE_PROTOCOL,
    weights: WEIGHTS_ID,
    ending: undefined,
    async drain(mostMs = Number.POSITIVE_INFINITY) {
      isDraining = true;
      const until = performance.now() + mostMs;
      const isBusy = () => files.size > 0 || [...sessions.values()].some(({ readers }) => readers.size > 0);
      const ask = () => {
        for (const { finalized, readers } of sessions.values())
          if (!finalized) for (const reader of readers) reader.write(ndjsonLine({ type: 'moving' }));
      };
      ask();
      const asking = setInterval(ask, MOVE_AGAIN_MS);
      while (isBusy() && performance.now() < until) await pause(DRAIN_LOOK_MS);
      clearInterval(asking);
      await echo.close();
    },
    die() {
      for (const session of sessions.values()) session.isClosed = true;
      sessions.clear();
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return echo;
}

if (import.meta.main) {
  const { PORT = 0, PIECE_MS = 0, DRAIN_SECONDS = 840 } = process.env;
  const echo = await startEchoPipeline({ port: Number(PORT), pieceMs: Number(PIECE_MS) });
  console.log(echo.url);
  process.once('SIGTERM', () => void echo.drain(1000 * Number(DRAIN_SECONDS)).then(() => process.exit(0)));
}
