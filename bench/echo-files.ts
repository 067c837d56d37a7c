import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AnalysisOutput } from '../containers/pipeline/analysis-output.ts';
import { optionsAndMedia } from '../containers/pipeline/request-body.ts';
import type { StageLine } from '../containers/pipeline/stage-lines.ts';
import { ndjsonLine } from '../src/contract/ndjson.ts';
import { ALIVE_MS } from '../src/contract/pipeline.ts';
import { echoEntry } from '../support/echo-pipeline.ts';
import { PIPELINE_HEADERS } from '../support/pipeline-server.ts';
import { SharedMachine } from './shared-machine.ts';

/**
 * Stands in for the pipeline when recognition is neither measured nor tested. It accepts whole files, works on them for
 * a given time, all on one shared machine, and answers with an utterance that contains the digest of their bytes.
 */
export interface FileEcho {
  url: string;
  /** The requests in order. `endedAt` is when the answer was sent, `performance.now()`. */
  asked: { conversationId: string; bytes: number; startedAt: number; endedAt: number | undefined }[];
  close(): Promise<void>;
}

export interface FileEchoOptions {
  port?: number;
  /** How long a file takes when it is alone, ms. */
  aloneMs: (bytes: number) => number;
}

export async function startFileEcho({ port = 0, aloneMs }: FileEchoOptions): Promise<FileEcho> {
  const machine = new SharedMachine();
  const asked: FileEcho['asked'] = [];

  async function analyse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { options, media } = await optionsAndMedia(request);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.flushHeaders();
    const alive = setInterval(() => response.write(ndjsonLine({ type: 'alive' })), ALIVE_MS);
    response.on('close', () => clearInterval(alive));
    const entry = {
      conversationId: options.conversation_id,
      bytes: 0,
      startedAt: performance.now(),
      endedAt: undefined,
    };
    const seen: FileEcho['asked'][number] = entry;
    asked.push(seen);
    const hash = createHash('sha256');
    for await (const chunk of media) {
      seen.bytes += chunk.length;
      hash.update(chunk);
    }
    const telling = new AnalysisOutput({ ...options, live: false });
    for (const line of telling.open()) response.write(ndjsonLine(line));
    const say = (line: StageLine): void => {
      for (const told of telling.take(line)) response.write(ndjsonLine(told));
    };
    say({ type: 'progress', stage: 'decoding', progress: 0.1 });
    await machine.work(aloneMs(seen.bytes), gone.signal);
    clearInterval(alive);
    if (gone.signal.aborted) return;
    const text = `sha256 ${hash.digest('hex')}`;
    say({ type: 'utterance', entry: echoEntry(options.conversation_id, 0, text), latency_ms: 1 });
    say({
      type: 'end',
      utterances: 1,
      media: { duration_s: 1, channels: 1, speaker_per_channel: false },
      speakers: { count: 1, confidence: 0.5, source: 'estimated' },
      warnings: [],
    });
    for (const { parts } of telling.documents ?? []) for (const { bytes } of parts) response.write(bytes);
    seen.endedAt = performance.now();
    response.end();
  }

  const server = createServer((request, response) => {
    response.setHeaders(new Headers(PIPELINE_HEADERS));
    if (request.url === '/healthz') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ status: 'ok', version: '0', running: machine.running, waiting: 0 }));
    } else if (request.url === '/analyses') analyse(request, response).catch(() => response.destroy());
    else response.writeHead(404).end();
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// Runs as a separate process, which can be killed. `PORT` sets its port, and `ALONE_MS` the time for every file.
if (import.meta.main) {
  const aloneMs = Number(process.env.ALONE_MS ?? 0);
  const echo = await startFileEcho({ port: Number(process.env.PORT ?? 0), aloneMs: () => aloneMs });
  console.log(echo.url);
  process.on('SIGTERM', () => process.exit(0));
}
