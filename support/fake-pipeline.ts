import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import { optionsAndMedia } from '../containers/pipeline/request-body.ts';
import type { StageLine } from '../containers/pipeline/stage-lines.ts';
import type { ServiceError } from '../src/contract/errors.ts';
import { ndjsonLine } from '../src/contract/ndjson.ts';
import { LEASE_HEADER, type PipelineOptions } from '../src/contract/pipeline.ts';
import { PIPELINE_HEADERS } from './pipeline-server.ts';
import { timelineEntry } from './timeline-entry.ts';

/** One analysis that the fake pipeline received. */
export interface SeenAnalysis {
  options: PipelineOptions;
  requestId: string | undefined;
  bytes: number;
  sha256: string;
  /** Whether the client disconnected before the response was complete. */
  left: boolean;
}

/** Writes the answer to one analysis. The default is three utterances. */
export type PipelineAnswer = (response: ServerResponse, seen: SeenAnalysis) => void | Promise<void>;

/** Implements the NDJSON protocol of src/contract/pipeline.ts without recognising anything. */
export interface FakePipeline {
  url: string;
  seen: SeenAnalysis[];
  answer: PipelineAnswer;
  /**
   * Resets it to the default answer, with nothing seen and nothing running. The runtime of the tests sends requests through
   * a proxy that keeps the connection of a cancelled one, which would take a slot.
   */
  clear(): void;
  close(): void;
}

export const SPOKEN = [
  'Hello, thanks for calling, how can I help?',
  'The price is too high for us, honestly.',
  'Shall we meet on Tuesday to look at it together?',
];

/** The lines of a conversation with these texts. */
export function linesOf(conversationId: string, texts: readonly string[] = SPOKEN): StageLine[] {
  return [
    { type: 'progress', stage: 'decoding', progress: 0.1 },
    ...texts.flatMap((text, n): StageLine[] => [
      { type: 'utterance', entry: timelineEntry(conversationId, n, text), latency_ms: 10 * (n + 1) },
      { type: 'progress', stage: 'transcribing', progress: 0.1 + (0.9 * (n + 1)) / texts.length },
    ]),
    {
      type: 'end',
      utterances: texts.length,
      media: { duration_s: texts.length * 2, channels: 1, speaker_per_channel: false },
      speakers: { count: 2, confidence: 0.8, source: 'estimated' },
      warnings: [],
      playback: {
        levels: { rate: 20, channels: [Buffer.alloc(texts.length * 40, 128).toString('base64')] },
        rendition: null,
      },
    },
  ];
}

/** The analysis that writes each response. */
const tellings = new WeakMap<ServerResponse, AnalysisOutput>();

/** Writes the output of the stages and leaves the response open. */
export function write(response: ServerResponse, lines: readonly StageLine[]): void {
  const telling = tellings.get(response)!;
  if (!response.headersSent) {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    for (const opening of telling.open()) response.write(ndjsonLine(opening));
  }
  for (const line of lines) {
    try {
      for (const told of telling.take(line)) response.write(ndjsonLine(told));
    } catch (error) {
      const { code, detail } = error as ServiceError;
      response.write(ndjsonLine({ type: 'error', code, message: detail }));
    }
  }
  for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) response.write(bytes);
}

export const sayEverything: PipelineAnswer = (response, { options }) => {
  write(response, linesOf(options.conversation_id));
  response.end();
};

/** Writes all lines except the last, and then nothing more. */
export const sayHalf: PipelineAnswer = (response, { options }) =>
  write(response, linesOf(options.conversation_id).slice(0, 4));

/** Writes the beginning immediately, and the rest once it is released. */
export const sayRestAfter =
  (go: Promise<void>): PipelineAnswer =>
  async (response, { options }) => {
    const lines = linesOf(options.conversation_id);
    write(response, lines.slice(0, 3));
    await go;
    write(response, lines.slice(3));
    response.end();
  };

export const sayError =
  (code: 'INVALID_MEDIA' | 'NO_UTTERANCES' | 'ANALYSIS_FAILURE', message: string): PipelineAnswer =>
  (response) => {
    write(response, [{ type: 'error', code, message }]);
    response.end();
  };

export async function startFakePipeline(): Promise<FakePipeline> {
  const leases = new Set<string>();
  const server = createServer({ keepAliveTimeout: 120_000 }, async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://pipeline');
    if (url.pathname === '/healthz') {
      const held = { live: [], batch: [...leases] };
      const report = { status: 'ok', version: '0', running: leases.size, waiting: 0, recognisers: [], held };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(report));
      return;
    }
    if (url.pathname !== '/analyses') {
      response.writeHead(404).end();
      return;
    }
    response.setHeaders(new Headers(PIPELINE_HEADERS));
    const { options, media } = await optionsAndMedia(request);
    tellings.set(response, new AnalysisOutput({ ...options, live: false }));
    const seen: SeenAnalysis = {
      options,
      requestId: request.headers['x-request-id'] as string | undefined,
      bytes: 0,
      sha256: '',
      left: false,
    };
    pipeline.seen.push(seen);
    const lease = String(request.headers[LEASE_HEADER.toLowerCase()] ?? '');
    leases.add(lease);
    response.on('close', () => {
      leases.delete(lease);
      seen.left = !response.writableFinished;
    });
    try {
      const hash = createHash('sha256');
      for await (const chunk of media) {
        seen.bytes += chunk.length;
        hash.update(chunk);
      }
      seen.sha256 = hash.digest('hex');
      await pipeline.answer(response, seen);
    } catch {
      response.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pipeline: FakePipeline = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    answer: sayEverything,
    clear() {
      pipeline.answer = sayEverything;
      pipeline.seen.length = 0;
      leases.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return pipeline;
}
