import type { AnalysisLine } from './analysis-events.ts';
import { percents } from './format.ts';

/** A figure with its name and unit. The value is a dash before there is one. */
export type Figure = readonly [name: string, value: string, unit: string];

export interface SessionFigures {
  /** Share of all speech by speaker, whole per cent. */
  shares: number[];
  figures: readonly Figure[];
}

/** The figures of a live session so far. */
export function figuresOf(lines: readonly AnalysisLine[], speakers: number): SessionFigures {
  const spoken = Array.from({ length: speakers }, (_, speaker) =>
    sumOf(lines.filter((line) => line.speaker === speaker).map(({ start, end }) => end - start)),
  );
  const last = lines.at(-1);
  const words = last?.text.split(/\s+/).filter((word) => word !== '').length ?? 0;
  const seconds = last ? last.end - last.start : 0;
  const { longest, silence } = turnsOf(lines);
  return {
    shares: percents(spoken),
    figures: [
      ['Pace of the last line', seconds > 0 ? String(Math.round((words / seconds) * 60)) : '–', 'words/min'],
      ['Questions', String(lines.filter(({ text }) => text.trimEnd().endsWith('?')).length), ''],
      ['Longest turn', String(Math.round(longest)), 's'],
      ['Silence', String(Math.round(silence * 100)), '%'],
    ],
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/**
 * The longest time that one speaker holds the floor, s, and the share of the time since the first line in which nobody
 * speaks, as in the stored insights.
 */
function turnsOf(lines: readonly AnalysisLine[]): { longest: number; silence: number } {
  const ordered = lines.toSorted((a, b) => a.start - b.start);
  const from = ordered[0]?.start ?? 0;
  let longest = 0;
  let silent = 0;
  let until = from;
  let turn: { speaker: number; start: number } | undefined;
  for (const { speaker, start, end } of ordered) {
    if (turn?.speaker !== speaker) turn = { speaker, start };
    longest = Math.max(longest, end - turn.start);
    silent += Math.max(0, start - until);
    until = Math.max(until, end);
  }
  return { longest, silence: until > from ? silent / (until - from) : 0 };
}
