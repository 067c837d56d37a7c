import type { SpeakerTurn } from './turns.ts';

/**
 * For each speaker of new turns, the number of the earlier speaker that shares the most time, or else the next free
 * number.
 * @param used how many numbers have been assigned
 * @param most numbers there may be. Without a free one, an earlier speaker's that no new one shares is used again.
 */
export function numbersOf(now: SpeakerTurn[], before: SpeakerTurn[], used: number, most: number): number[] {
  const numbers: number[] = [];
  const taken = new Set<number>();
  for (const pair of sharedTimes(now, before)) {
    if (numbers[pair.now] !== undefined || taken.has(pair.before)) continue;
    numbers[pair.now] = pair.before;
    taken.add(pair.before);
  }
  const speakers = Math.max(-1, ...now.map((turn) => turn.speaker)) + 1;
  for (let s = 0; s < speakers; s++) {
    if (numbers[s] !== undefined) continue;
    const free = Array.from({ length: used }, (_, n) => n).find((n) => !taken.has(n));
    numbers[s] = used < most ? used++ : (free ?? most - 1);
    taken.add(numbers[s]!);
  }
  return numbers;
}

/** Pairs of speakers from two labellings by the time that they share, longest first. */
function sharedTimes(now: SpeakerTurn[], before: SpeakerTurn[]): { now: number; before: number; seconds: number }[] {
  const seconds = new Map<string, { now: number; before: number; seconds: number }>();
  let first = 0;
  for (const a of now) {
    while (first < before.length && before[first]!.end <= a.start) first++;
    for (let i = first; i < before.length && before[i]!.start < a.end; i++) {
      const b = before[i]!;
      const key = `${a.speaker} ${b.speaker}`;
      const pair = seconds.get(key) ?? { now: a.speaker, before: b.speaker, seconds: 0 };
      pair.seconds += Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
      seconds.set(key, pair);
    }
  }
  return [...seconds.values()].sort((a, b) => b.seconds - a.seconds || a.before - b.before);
}
