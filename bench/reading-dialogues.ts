import { readFileSync } from 'node:fs';
import { evalPath } from '../scripts/eval-data.ts';
import type { Utterance } from '../src/contract/timeline.ts';
import { seeded, shuffled } from '../support/random.ts';

export interface Turn {
  speaker: string;
  text: string;
}

/** The pace and the pauses that written dialogues get, so that they have times. */
const WORDS_PER_SECOND = 2.7;
const PAUSE_S = 0.3;
const SHORTEST_S = 0.5;

/** The dialogues of DialogSum's development set. */
export const dialogsumDev = (): Turn[][] =>
  readFileSync(evalPath('conversations/dialogsum/dev.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const { dialogue } = JSON.parse(line) as { dialogue: string };
      return [...dialogue.matchAll(/^#(\w+)#: ?(.*)$/gm)].map(([, speaker, text]) => ({
        speaker: speaker!,
        text: text!.replace(/ ' /g, "'"),
      }));
    });

/** Turns of one speaker after one another are one turn. */
export function joined(turns: readonly Turn[]): Turn[] {
  const all: Turn[] = [];
  for (const turn of turns) {
    const last = all.at(-1);
    if (last?.speaker === turn.speaker) last.text += ` ${turn.text}`;
    else all.push({ ...turn });
  }
  return all;
}

/** Turns with speaker labels in the order in which the speakers begin: `Speaker_0`, `Speaker_1`, ... */
export function labelled(turns: readonly Turn[]): Turn[] {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  return turns.map(({ speaker, text }) => ({ speaker: `Speaker_${speakers.indexOf(speaker)}`, text }));
}

/** Turns as utterances with made times. Their ids end in the number of their turn. */
export function spoken(turns: readonly Turn[]): Utterance[] {
  let t = 0;
  return turns.map(({ speaker, text }, i) => {
    const t_start = t;
    const t_end = t_start + Math.max(SHORTEST_S, text.split(/\s+/).length / WORDS_PER_SECOND);
    t = t_end + PAUSE_S;
    return { utterance_id: `reading_utt_${i}`, speaker, t_start, t_end, text };
  });
}

/** Some of a list, chosen by a seed. */
export const chosen = <T>(all: readonly T[], count: number, seed: number): T[] =>
  [...shuffled(all.length, seeded(seed))].slice(0, count).map((i) => all[i]!);

/** The number of the turn with which an utterance's id ends. */
export const turnOf = (utteranceId: string): number => Number(/\d+$/.exec(utteranceId)?.[0] ?? Number.NaN);
