import type { DescribedOperation, Json, Reader } from './reader.ts';

/** A response as received. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  text: string;
  /** False when the client left the stream before its end. */
  isWhole: boolean;
}

/** Everything in a response that the document does not describe. Empty when it describes everything. */
export function faultsOf(reader: Reader, { operation }: DescribedOperation, answer: ReceivedResponse): string[] {
  const { status, headers, text } = answer;
  // 503 asks for patience: a pipeline may be silent for seconds on a machine that is busy. Every other 5xx is a fault,
  // described or not.
  const isPatience = status === 503 && operation.responses['503'] !== undefined;
  if (status >= 500 && !isPatience) return [`is a ${status}: ${text.slice(0, 300)}`];
  const response = reader.at(operation.responses[String(status)]);
  if (!response) return [`the document knows no ${status}: ${text.slice(0, 300)}`];
  const faults: string[] = [];
  const id = headers.get('X-Request-Id');
  if (!id) faults.push('has no X-Request-Id');
  if ((status === 429 || status === 503) && !/^\d+$/.test(headers.get('Retry-After') ?? ''))
    faults.push('does not say when to come back');
  if (!response.content) return text === '' ? faults : [...faults, `has a body: ${text.slice(0, 100)}`];
  const type = (headers.get('Content-Type') ?? '').split(';')[0]!.trim();
  const content = response.content[type];
  if (!content) return [...faults, `is of the type "${type}"`];
  // A stream of MCP has events of another protocol, which the document describes as text.
  if (type === 'text/event-stream') {
    if (content.schema.type !== 'string') faults.push(...faultsOfStream(reader, content.schema, answer));
  } else if (/[/+]json$/.test(type) && status !== 206) faults.push(...faultsOfJson(reader, content.schema, text));
  if (status >= 400) faults.push(...faultsOfError(text, id));
  return faults;
}

function faultsOfJson(reader: Reader, schema: Json, text: string): string[] {
  try {
    return reader.faults(schema, JSON.parse(text)).map((fault) => `${fault}: ${text.slice(0, 300)}`);
  } catch {
    return [`is not JSON: ${text.slice(0, 100)}`];
  }
}

function faultsOfError(text: string, id: string | null): string[] {
  const { detail, request_id, code, jsonrpc } = JSON.parse(text);
  // MCP responses are JSON-RPC, including errors.
  if (jsonrpc === '2.0') return [];
  const faults: string[] = [];
  if (typeof detail !== 'string' || detail === '') faults.push('an error without a detail');
  if (typeof code !== 'string' || code === '') faults.push('an error without a code');
  if (request_id !== id) faults.push(`the id in the body is ${request_id}, in the header ${id}`);
  return faults;
}

function faultsOfStream(reader: Reader, schema: Json, { text, isWhole }: ReceivedResponse): string[] {
  const blocks = text.split('\n\n');
  // The last block is empty or truncated.
  blocks.pop();
  const faults: string[] = [];
  const names: string[] = [];
  for (const block of blocks) {
    const lines = block.split('\n').filter((line) => !line.startsWith(':') && !line.startsWith('retry:'));
    if (lines.length === 0) continue;
    const [id = '', event = '', data = ''] = ['id', 'event', 'data'].map((name) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2),
    );
    names.push(event);
    if (!/^\d+$/.test(id)) faults.push(`an event without a number: ${block.slice(0, 100)}`);
    faults.push(...reader.faults(schema, { event, data: JSON.parse(data) }).map((fault) => `${event}: ${fault}`));
  }
  const ends = names.filter((name) => name === 'done' || name === 'error').length;
  if (isWhole && ends !== 1 && names.length > 0) faults.push(`ends ${ends} times: ${names.join(' ')}`);
  return faults;
}
