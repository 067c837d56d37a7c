import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { readNdjson } from '../src/contract/ndjson.ts';
import { type PipelineLine, PipelineLineSchema } from '../src/contract/pipeline.ts';

/** A pipeline server as a process of its own. End it with `server.kill()`. */
export async function startServer(): Promise<{ server: ChildProcess; port: number }> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '../containers/pipeline/server.ts')], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
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

/** The lines of the server's answer to a whole file, validated, as they come. */
export async function* analysed(
  port: number,
  body: BodyInit | AsyncIterable<Uint8Array>,
): AsyncGenerator<PipelineLine> {
  const url = `http://127.0.0.1:${port}/analyses?conversation_id=bench&suffix=.wav`;
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  for await (const json of readNdjson(response.body as unknown as AsyncIterable<Uint8Array>, new TextDecoder()))
    yield PipelineLineSchema.parse(json);
}
