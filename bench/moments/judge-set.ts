import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalPath } from '../../scripts/eval-data.ts';
import { type MarkedDialogue, type MarkedTurn, readDialogues } from '../../support/own-data.ts';

/** Removes the corpora's marks beside words, and blanks that do not belong. */
function cleaned(text: string): string {
  return text
    .replaceAll(/\{\w+\}|<[^>]*>|#/g, '')
    .replaceAll(/\s+([.,?!;:'’])/g, '$1')
    .replaceAll(/(\w)\s*'\s*(s|S|m|M|re|ve|Ve|ll|d|t|T)\b/g, "$1'$2")
    .replaceAll(/\s+n't/g, "n't")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Joins consecutive entries of one speaker into a turn, and numbers speakers in order of appearance. */
function turnsOf(said: readonly (readonly [speaker: string, text: string])[]): MarkedTurn[] {
  const names = new Map<string, string>();
  const turns: MarkedTurn[] = [];
  for (const [who, raw] of said) {
    const text = cleaned(raw);
    if (!/[\p{L}\p{N}_]/u.test(text)) continue;
    const speaker = names.get(who) ?? `Speaker_${names.size}`;
    names.set(who, speaker);
    const last = turns.at(-1);
    if (last?.speaker === speaker) last.text += ` ${text}`;
    else turns.push({ speaker, text });
  }
  return turns;
}

const linesOf = (...parts: string[]): string[] => readFileSync(evalPath('conversations', ...parts), 'utf8').split('\n');

/**
 * The turns that an id refers to: a dialogue of DialogSum (`dialogsum-dev_1`), or turns of SwDA and MRDA from a given
 * turn on (`swda-2005-18`).
 */
function textOf(id: string, count: number): MarkedTurn[] {
  const [corpus = '', name = '', from = '0'] = id.split('-');
  if (corpus === 'dialogsum') {
    const found = linesOf('dialogsum', 'dev.jsonl')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { fname: string; dialogue: string })
      .find(({ fname }) => fname === name);
    const said = found?.dialogue.split('\n').map((line) => /^#?(Person\d+)#?: ?(.*)$/.exec(line)) ?? [];
    return turnsOf(said.flatMap((m) => (m ? [[m[1]!, m[2]!] as const] : [])));
  }
  const said = linesOf(corpus, 'val', `${name}.txt`).flatMap((line) => {
    const [speaker, text] = line.split('|');
    return speaker !== undefined && text !== undefined ? [[speaker, text] as const] : [];
  });
  return turnsOf(said).slice(Number(from), Number(from) + count);
}

/**
 * Real dialogues that nothing is fitted to (`data/moments/judge.jsonl`), marked by two blind readers. If the licence
 * forbids shipping the text, the file has only the marks, and the text comes from the evaluation data.
 * @throws when the number of turns in the evaluation data differs from that of the marks
 */
export function judgeSet(): MarkedDialogue[] {
  return readDialogues('judge').map(({ id, turns }) => {
    const text = turns.every((turn) => turn.text !== undefined) ? [] : textOf(id, turns.length);
    if (text.length !== 0 && text.length !== turns.length)
      throw new Error(`${id} has ${text.length} turns, not ${turns.length}`);
    return { id, turns: turns.map((turn, i) => ({ speaker: '', text: '', ...text[i], ...turn })) };
  });
}

/** The first set that was marked in this way, if it is available. It is evaluation data as well. */
export const firstJudgeSet = (): MarkedDialogue[] =>
  JSON.parse(readFileSync(join(evalPath('moments-real'), 'judge.json'), 'utf8')) as MarkedDialogue[];
