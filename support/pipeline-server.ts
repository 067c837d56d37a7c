import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { AnalysisResponse } from '../src/contract/analysis.ts';
import {
  PIPELINE_PROTOCOL,
  type PipelineLine,
  type PipelineOptions,
  PROTOCOL_HEADER,
  WEIGHTS_HEADER,
  WORKER_PROTOCOLS,
} from '../src/contract/pipeline.ts';
import { WEIGHTS_ID } from '../src/conversation/weights-id.ts';
import { PipelineReader } from '../src/worker/pipeline/reader.ts';

/** A pipeline server in a separate process. End it with `server.kill()`. */
export async function startServer(): Promise<{ server: ChildProcess; port: number }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../containers/pipeline/server.ts')], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const part of server.stdout!) {
    text += String(part);
    const port = /listening on port (\d+)/.exec(text)?.[1];
    if (port) return { server, port: Number(port) };
  }
  throw new Error('the server ended before it listened');
}

/** Options for analyses in benches and tests. */
export const OPTIONS: PipelineOptions = {
  conversation_id: 'c',
  suffix: '.wav',
  goal: '',
  affect: 'full',
  artifact_dir: 't/c/',
  upload_path: 't/c/upload.wav',
  agent_outputs_path: 't/c/agent_outputs.json',
  material: false,
};

/** Headers of every response of a pipeline. */
export const PIPELINE_HEADERS = { [PROTOCOL_HEADER]: String(PIPELINE_PROTOCOL), [WEIGHTS_HEADER]: WEIGHTS_ID };

/** Protocol versions that the Worker supports, as listed in a request. */
export const SPOKEN = { [PROTOCOL_HEADER]: WORKER_PROTOCOLS.join(', ') };

/** Asks the server at an address to analyse a whole file. */
export function postMedia(
  url: string,
  media: Uint8Array | AsyncIterable<Uint8Array>,
  options: Partial<PipelineOptions> = {},
  init: RequestInit = {},
): Promise<Response> {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(`${JSON.stringify({ ...OPTIONS, ...options })}\n`);
    if (media instanceof Uint8Array) yield media;
    else yield* media;
  }
  const request = { method: 'POST', body: body(), duplex: 'half', headers: SPOKEN, ...init };
  return fetch(`${url}/analyses`, request as unknown as RequestInit);
}

/** A pipeline's output for one file. */
export interface FileOutput {
  lines: PipelineLine[];
  result: AnalysisResponse;
}

/** Reads a response to its end. @throws ServiceError with the code of an error line */
export async function readFileOutput(
  response: Response,
  hear: (line: PipelineLine) => void = () => undefined,
): Promise<FileOutput> {
  const reader = new PipelineReader(response.body!, 120_000);
  const lines: PipelineLine[] = [];
  for await (const line of reader.lines()) {
    lines.push(line);
    hear(line);
  }
  const end = lines.at(-1)!;
  if (end.type !== 'result') throw new Error('the answer has no result');
  let result = {} as AnalysisResponse;
  for (const document of end.documents) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const [, text] = await Promise.all([reader.write(document, writable.getWriter()), new Response(readable).text()]);
    if (document.name === 'result.json') result = JSON.parse(text);
  }
  await reader.close();
  return { lines, result };
}
