import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerReader, type RawAnswer } from './answers.ts';
import type { Attempt, Exchange, Known } from './attempt.ts';
import { ask } from './attempt.ts';

/** Time for which a finished connection is watched for unexpected bytes, ms. */
const AFTERMATH_MS = 40;
/** The same for one whose bytes readers may count differently. */
const LONG_AFTERMATH_MS = 250;

/** The result of one connection. */
export interface Outcome {
  exchange: Exchange;
  answers: RawAnswer[];
  /** Bytes that are not an HTTP answer. */
  garbage: string;
  /** Why reading ended: everything was received, the other side closed, there was an error or a timeout, or we left. */
  ended: string;
  milliseconds: number;
}

/** Plays an attempt: its connections one after the other. */
export async function play(attempt: Attempt, known: Known, stopped: AbortSignal): Promise<Outcome[]> {
  const session = attempt.session === undefined ? '' : await openSession(attempt.session, known, stopped);
  const exchanges = attempt.exchanges({ ...known, session: session || '0'.repeat(64) });
  const outcomes: Outcome[] = [];
  for (const exchange of exchanges) {
    if (stopped.aborted) break;
    outcomes.push(await perform(exchange, known.port, stopped));
  }
  return outcomes;
}

async function openSession(
  { suffix, tenant }: NonNullable<Attempt['session']>,
  known: Known,
  stopped: AbortSignal,
): Promise<string> {
  const body = JSON.stringify({ suffix, ttl_seconds: 5 });
  const headers = [['X-API-Key', known.keys[tenant]!] as const, ['Content-Type', 'application/json'] as const];
  const path = '/analyze/live/start';
  const { answers } = await perform(ask({ method: 'POST', path, headers, body }), known.port, stopped);
  const text = answers[0]?.body.toString() ?? '';
  return answers[0]?.status === 200 ? (JSON.parse(text) as { session_id: string }).session_id : '';
}

/** Sends the pieces over one connection while reading what comes back. */
export function perform(exchange: Exchange, port: number, stopped: AbortSignal): Promise<Outcome> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const reader = new AnswerReader(exchange.method);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let isSent = false;
    let aftermath: NodeJS.Timeout | undefined;
    let answeredAt = 0;

    const finish = (ended: string): void => {
      clearTimeout(patience);
      clearTimeout(aftermath);
      stopped.removeEventListener('abort', onStop);
      socket.destroy();
      reader.end();
      const { answers, garbage } = reader;
      const milliseconds = (answeredAt || performance.now()) - begun;
      resolve({ exchange, answers, garbage, ended, milliseconds });
    };
    const onStop = (): void => finish('stopped');
    const patience = setTimeout(() => finish('patience'), exchange.patience);
    stopped.addEventListener('abort', onStop);

    /** Everything that was requested has arrived. Further bytes are a violation. */
    const look = (): void => {
      const isPlain = exchange.pieces.length === 1 && exchange.mustAnswer && exchange.mostAnswers === 1;
      const isAnswered = reader.answers.length >= (exchange.mustAnswer ? exchange.mostAnswers : 1);
      if (!isAnswered || reader.isWithinAnswer || !(isSent || isPlain)) return;
      clearTimeout(aftermath);
      aftermath = setTimeout(() => finish('answered'), isPlain ? AFTERMATH_MS : LONG_AFTERMATH_MS);
    };

    socket.on('data', (bytes) => {
      reader.push(bytes);
      if (reader.answers.length > 0) answeredAt ||= performance.now();
      look();
    });
    socket.on('end', () => finish('closed'));
    socket.on('close', () => finish('closed'));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Bytes that arrived before the connection broke may still be in the reader, just as in a client's.
      if (error.code !== 'EPIPE') finish(error.code ?? error.message);
    });

    void (async () => {
      for (const piece of exchange.pieces) {
        if (socket.destroyed) return;
        if (typeof piece === 'number') await sleep(piece);
        else if (piece === 'end') socket.end();
        else if (piece === 'leave') {
          socket.resetAndDestroy();
          return finish('left');
        } else if (!socket.write(piece)) await drained(socket);
      }
      isSent = true;
      look();
    })();
  });
}

const drained = (socket: NodeJS.EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
  });
