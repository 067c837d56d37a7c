import { z } from 'zod';
import { ErrorBodySchema } from '../../src/contract/analysis.ts';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { faultsOf } from '../../support/openapi/judge.ts';
import type { DescribedOperation } from '../../support/openapi/reader.ts';
import { INTERRUPTED_DETAIL } from '../front-door/front-door.ts';
import type { RawAnswer } from './answers.ts';
import type { Attempt } from './attempt.ts';
import type { Outcome } from './client.ts';
import { reader } from './description.ts';
import { isHealthy } from './healthy.ts';

/** A violation. */
export interface Finding {
  /** Its class. */
  what: string;
  /** An excerpt of what was observed. */
  seen: string;
  /** The attempt, when known. */
  index?: number;
  route?: string;
  kind?: string;
}

/** Texts that no answer and no printed line may contain. */
export interface Secrets {
  keys: readonly string[];
  /** Folders of this machine. */
  paths: readonly string[];
  /** Bytes of the upload that was stored beforehand, and a word that only its result contains. */
  stored: readonly string[];
}

/** A frame of a stack as V8 prints it, also within JSON. */
const STACK_FRAME = /(?:^|\n|\\n)\s*at (?:async )?(?:[\w.<>$[\] ]+ \()?[^\s()]*[\w.-]+:\d+(?::\d+)?\)?/;
/** Faults of the service itself: no request may cause one. */
const FAULTS = ['ANALYSIS_FAILURE', 'LIVE_ASR_FAILURE', 'STREAM_FAILURE'];
/** Statuses that mean "later", which must come with a time. */
export const LATER = [429, 503];

const StrictErrorSchema = ErrorBodySchema.strict().extend({ request_id: z.string().min(1) });

export const brief = (text: string, length = 220): string => {
  const plain = JSON.stringify(text.slice(0, length)).slice(1, -1);
  return text.length > length ? `${plain}… (${text.length})` : plain;
};

/** Secrets that a text reveals. */
export function leaks(text: string, { keys, paths }: Secrets): string[] {
  const found: string[] = [];
  if (keys.some((key) => text.includes(key))) found.push('a key');
  if (paths.some((path) => text.includes(path))) found.push('a path of this machine');
  if (STACK_FRAME.test(text)) found.push('a stack');
  return found;
}

/** Every fault of the answers to an attempt. */
export function judge(attempt: Attempt, outcomes: readonly Outcome[], secrets: Secrets): Finding[] {
  const findings: Finding[] = [];
  for (const outcome of outcomes) {
    const add = (what: string, seen: string): void => {
      const { index, route, kind } = attempt;
      findings.push({ what, seen, index, route, kind });
    };
    const { answers, garbage, exchange, ended, milliseconds } = outcome;
    if (garbage !== '') add('an answer that is no HTTP', brief(garbage));
    if (answers.length > exchange.mostAnswers)
      add('more answers than requests', answers.map(({ status }) => status).join(' '));
    if (exchange.mustAnswer && answers.length === 0 && garbage === '')
      add('no answer', `${ended} after ${Math.round(milliseconds)} ms`);
    for (const [i, answer] of answers.entries()) {
      const isHead = i === 0 && exchange.method === 'HEAD';
      const key = exchange.key ?? attempt.key;
      judgeAnswer(answer, { ...attempt, key }, isHead, exchange.method, secrets, add);
    }
  }
  return findings;
}

type Add = (what: string, seen: string) => void;

function judgeAnswer(
  answer: RawAnswer,
  attempt: Attempt,
  isHead: boolean,
  method: string,
  secrets: Secrets,
  add: Add,
): void {
  const { status, headers, body } = answer;
  const text = body.toString('latin1');
  const seen = `${status} ${brief(text)}`;
  const whole = `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${text}`;
  for (const leak of leaks(whole, secrets)) add(`${leak} in an answer`, seen);

  const isPreflight = status === 204 && headers.has('access-control-allow-origin');
  const isHealth = (status === 200 && isHealthy(text)) || (isHead && attempt.route === 'GET /health');
  if (attempt.described && status < 500) for (const fault of undescribed(attempt.described, answer)) add(fault, seen);
  if (status < 400) {
    if (!attempt.described && (status >= 300 || status < 200)) add('a status the service does not have', seen);
    if (attempt.key === 'none' && !isPreflight && !isHealth) add('something without a key', seen);
    if (attempt.forbidden && !isPreflight) add('a place that should not be', seen);
    if (attempt.route.startsWith('socket') && secrets.stored.some((word) => text.includes(word)))
      add('a stored upload or result', seen);
    judgeEvents(text, headers.get('content-type') ?? '', add);
    return;
  }
  if (attempt.key === 'good' && status === 401) add('a good key refused', seen);
  // MCP tools report their errors as JSON-RPC.
  if (attempt.route === 'POST /mcp' && /^\{"jsonrpc":/.test(text)) return;
  judgeError(answer, isHead, method, seen, add);
}

function judgeError(
  { status, headers, body, complete }: RawAnswer,
  isHead: boolean,
  method: string,
  seen: string,
  add: Add,
): void {
  const requestId = headers.get('x-request-id');
  if (!requestId) add('an error without X-Request-Id', seen);
  if (LATER.includes(status) && !/^\d+$/.test(headers.get('retry-after') ?? ''))
    add('"later" without Retry-After', seen);
  if (status === 405 && !headers.get('allow')) add('405 without Allow', seen);
  if (isHead || method === 'HEAD') {
    if (status >= 500 && !LATER.includes(status)) add('a 5xx that is no refusal', `${status} to HEAD`);
    return;
  }
  const error = StrictErrorSchema.safeParse(parsedOrNull(body));
  if (!error.success) {
    const what = status >= 500 && !LATER.includes(status) ? 'a 5xx of another shape' : 'an error of another shape';
    add(complete ? what : `${what}, cut off`, seen);
    return;
  }
  const { code, request_id, detail } = error.data;
  // The local runtime may drop a hostile request, and its answer with it.
  const isLost = status === 500 && detail === INTERRUPTED_DETAIL;
  if (status >= 500 && !isLost && (!LATER.includes(status) || FAULTS.includes(code)))
    add('a 5xx that is no refusal', seen);
  if (!(code in ERRORS)) add('a code that is not in the table', seen);
  else if (ERRORS[code as ErrorCode].status !== status) add('a status that is not its code’s', seen);
  if (requestId && request_id !== requestId) add('two request ids', `${requestId} and ${seen}`);
  if (!/^application\/json\b/.test(headers.get('content-type') ?? ''))
    add('an error that is not said to be JSON', seen);
}

/** A stream reports its faults in its last event. */
function judgeEvents(text: string, contentType: string, add: Add): void {
  if (!contentType.startsWith('text/event-stream')) return;
  for (const [, data] of text.matchAll(/^event: error\ndata: (.*)$/gm)) {
    const { code } = (parsedOrNull(Buffer.from(data ?? '', 'latin1')) ?? {}) as { code?: string };
    // A cancelled or expired session reports STREAM_FAILURE, as it should.
    if (code === undefined || !(code in ERRORS)) add('an error event without a code of the table', brief(data ?? ''));
    else if (code === 'ANALYSIS_FAILURE' || code === 'LIVE_ASR_FAILURE')
      add('an analysis that failed by itself', brief(data ?? ''));
  }
}

/** Every part of an answer that the service's own description does not allow. */
function undescribed(described: DescribedOperation, { status, headers, body, complete }: RawAnswer): string[] {
  try {
    const faults = faultsOf(reader, described, {
      status,
      headers: new Headers([...headers]),
      text: body.toString(),
      isWhole: complete,
    });
    return faults.map((fault) => `not as described: ${brief(fault, 120)}`);
  } catch (error) {
    return [`not as described: ${error instanceof Error ? error.message : error}`];
  }
}

export function parsedOrNull(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
