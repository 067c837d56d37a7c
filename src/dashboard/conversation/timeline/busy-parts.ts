import { clock } from '../../lib/format.ts';
import type { ConversationView } from '../model.ts';

/** Length from which the busiest parts of a conversation are named, and that of such a part, s. */
const LONG_S = 5400;
export const PART_S = 900;
const MOST = 3;

/** A time of a long conversation, with its hours: `0:15:00`. */
export const longClock = (seconds: number): string =>
  seconds < 3600 ? `0:${clock(seconds).padStart(5, '0')}` : clock(seconds);

export interface BusyPart {
  from: number;
  to: number;
  count: number;
}

/** The parts of a long conversation with the most moments and promises, in order of time. None if no part stands out. */
export function busiestOf({ signs, duration }: ConversationView): BusyPart[] {
  if (duration < LONG_S) return [];
  const byPart = Map.groupBy(signs, ({ at }) => Math.floor(at / PART_S));
  const usual = signs.length / Math.ceil(duration / PART_S);
  return [...byPart]
    .map(([n, own]) => ({ from: n * PART_S, to: Math.min(duration, (n + 1) * PART_S), count: own.length }))
    .filter(({ count }) => count > 1 && count > usual)
    .sort((a, b) => b.count - a.count || a.from - b.from)
    .slice(0, MOST)
    .sort((a, b) => a.from - b.from);
}
