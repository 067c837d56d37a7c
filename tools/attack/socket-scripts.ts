import type { Known, Piece } from './attempt.ts';
import type { Dice } from './dice.ts';

/** The exchange over one socket. */
export interface SocketScript {
  pieces: Piece[];
  kind: string;
  method?: string;
  mostAnswers?: number;
  mustAnswer?: boolean;
  patience?: number;
  hasKey?: boolean;
}

export const text = (...lines: string[]): Buffer => Buffer.from(lines.join('\r\n'), 'latin1');
/** A head alone: its lines, and the empty one. */
export const head = (...lines: string[]): Buffer => text(...lines, '', '');
export const host = 'Host: localhost';
export const get = (path: string, ...lines: string[]): Buffer => head(`GET ${path} HTTP/1.1`, host, ...lines);

/** One kind of exchange in many variants. The weight is its frequency. */
export type ScriptChoice = readonly [weight: number, say: (dice: Dice, known: Known) => SocketScript];
