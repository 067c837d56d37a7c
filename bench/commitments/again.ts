import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { turnOf } from '../reading-dialogues.ts';
import type { Table } from '../report.ts';
import { commitmentsIn } from './draw.ts';
import { dateOnSheet, type Key } from './sheets.ts';

interface Line {
  number: number;
  dialogue: string;
  turn: number;
  quote: string;
  date: string;
}

const TOLD = /^\[(\d+)\] (D\d+) turn (\d+): "(.*)"\n(?:.*\n)*? +date: (.*)$/gm;

/**
 * The commitments of this version in dialogues that were read before, as far as the marks of the readers still hold for
 * them: the same words, and the same day, none, or an unsure one.
 */
export function reportedAgain(folder: string, key: Key): { key: Key; table: Table } {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const before = [...read('told.txt').matchAll(TOLD)].map(
    ([, number, dialogue, turn, quote, date]): Line => ({
      number: Number(number),
      dialogue: dialogue!,
      turn: Number(turn),
      quote: quote!,
      date: date!,
    }),
  );
  const rows = new Map(key.told.map((row) => [row.number, row]));
  const told: Key['told'] = [];
  const changed: string[] = [];
  const kept = new Set<number>();
  for (const { dialogue, turns } of dialoguesIn(read('words.txt')))
    for (const one of commitmentsIn(turns)) {
      const turn = turnOf(one.utterance_id);
      const same = before.find((b) => b.dialogue === dialogue && b.turn === turn && b.quote === one.quote);
      const date = dateOnSheet(one);
      const isUnsure = one.vague_due !== null;
      if (same) kept.add(same.number);
      if (same && (isUnsure || same.date.startsWith(date)))
        told.push({ ...rows.get(same.number)!, isDated: one.due !== null, isUnsure });
      else changed.push(`${same ? `date ${same.date} is now ${date}` : 'new'}: ${dialogue} turn ${turn}: ${one.quote}`);
    }
  const gone = before.filter(({ number }) => !kept.has(number));
  return {
    key: { ...key, told },
    table: {
      title: 'Commitments of this version beside those that were read',
      columns: ['read', 'told again', 'not told again', 'new, or with another date'],
      rows: [[before.length, told.length, gone.length, changed.length]],
      note: [...changed, ...gone.map((one) => `not told again: ${one.dialogue} turn ${one.turn}: ${one.quote}`)].join(
        '\n  ',
      ),
    },
  };
}

function dialoguesIn(text: string): { dialogue: string; turns: { speaker: string; text: string }[] }[] {
  const all: ReturnType<typeof dialoguesIn> = [];
  for (const line of text.split('\n')) {
    const turns = all.at(-1)?.turns;
    const [, speaker, said] = /^\d+ (.+?): (.*)$/.exec(line) ?? [];
    if (/^D\d+$/.test(line)) all.push({ dialogue: line, turns: [] });
    else if (turns && speaker !== undefined && said !== undefined) turns.push({ speaker, text: said });
    // The words of a turn can have several lines.
    else if (turns && line !== '') turns[turns.length - 1]!.text += `\n${line}`;
  }
  return all;
}
