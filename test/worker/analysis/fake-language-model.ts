import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenAI-compatible chat completions endpoint with the answers of a test. */
export interface FakeLanguageModel {
  baseUrl: string;
  /** Bodies of the requests, in order. */
  asked: string[];
  close(): Promise<void>;
}

/** The body of a response with `content`. */
export const completion = (content: string): string =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content } }],
  });

export const json =
  (body: string, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);

/** @param answer makes the response to the last of the request bodies */
export async function startFakeLanguageModel(
  answer: (response: ServerResponse, asked: readonly string[]) => void,
): Promise<FakeLanguageModel> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    asked.push(body);
    answer(response, asked);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
