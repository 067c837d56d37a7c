import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A request for a chat completion, as far as it decides the answer. */
interface ChatRequest {
  messages: { role: string; content: string }[];
  max_tokens?: number;
}

/** The random id of a conversation in the ids of its utterances and phases. */
const CONVERSATION_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
/** Stand-in for it in requests and answers, so that two runs over the same recording have the same requests. */
const STAND_IN = 'conversation';

/** Name of a request and of its answer: the same messages have the same name. */
const requestName = ({ messages }: ChatRequest): string =>
  createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 16);

/**
 * Starts an OpenAI-compatible endpoint that plays back recorded answers, so that the service's checks, limits and
 * fallbacks run as in production. A request without an answer gets 404.
 * @param requests folder that gets each request as `NAME.json`
 * @param answers folder with the message that answers each request, as `NAME.txt`
 * @returns the base address of the endpoint. It does not keep the process alive.
 */
export async function startReplay({ requests, answers }: { requests?: string; answers?: string }): Promise<string> {
  if (requests) mkdirSync(requests, { recursive: true });
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const [id = STAND_IN] = CONVERSATION_ID.exec(body) ?? [];
    const asked = JSON.parse(body.replaceAll(id, STAND_IN)) as ChatRequest;
    const name = requestName(asked);
    if (requests)
      writeFileSync(
        join(requests, `${name}.json`),
        `${JSON.stringify({ messages: asked.messages, max_tokens: asked.max_tokens }, null, 2)}\n`,
      );
    const path = answers && join(answers, `${name}.txt`);
    const content =
      path && existsSync(path) ? readFileSync(path, 'utf8').replaceAll(`${STAND_IN}_`, `${id}_`) : undefined;
    response
      .writeHead(content === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
      .end(
        JSON.stringify(
          content === undefined
            ? { error: { message: `There is no answer ${name}.txt.` } }
            : { id: name, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content } }] },
        ),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
