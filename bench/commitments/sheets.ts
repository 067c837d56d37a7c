import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Commitment } from '../../src/contract/commitments.ts';
import { turnOf } from '../reading-dialogues.ts';
import type { DrawnDialogue } from './draw.ts';

const KEY = 'key.json';

const KeySchema = z.strictObject({
  dialogues: z.record(z.string(), z.strictObject({ corpus: z.string(), draw: z.enum(['all', 'told']) })),
  told: z.array(
    z.strictObject({
      number: z.int(),
      dialogue: z.string(),
      turn: z.int(),
      owner: z.string().nullable(),
      isDated: z.boolean(),
      /** It has words about time that do not surely name its day, so that no day is told, nor that none was said. */
      isUnsure: z.boolean().default(false),
    }),
  ),
});

/** Places to which the marks on the sheets refer. Readers do not see them. */
export type Key = z.infer<typeof KeySchema>;

export const readKey = (folder: string): Key => KeySchema.parse(JSON.parse(readFileSync(join(folder, KEY), 'utf8')));

const READER = `# How to read

Every conversation began on Wednesday 4 March 2026 at 10:00 (London). \`words.txt\` has the conversations, each with its
numbered turns. \`told.txt\` has the commitments that a program found in them. Judge by the words alone, each
conversation by itself, strictly and evenly. Do not open any other file here.

A commitment is something that a speaker owes another after the conversation, or later than the moment in which it is
said: a promise in one's own name ("I'll send it on Friday"), a request that the other accepted, an offer that the other
accepted. Also one that was declined or kept later, and a "we" between two people, which counts for the one who says it.
No commitment are: conditions ("if it rains I'll drive you"), habits, plans that concern nobody else, reports of what
others said, advice, what is done at once ("let me have a look"), what is merely wished or considered, and a "we" among
more than two people.

## 1. Your own list, before you open told.txt

Read all of \`words.txt\`. Write one line for each commitment:

    P D07 14 Speaker_0 2026-03-06 sends the letter

that is: P, the conversation, the turn in which it is made (for an accepted request, the turn of the request), who owes it,
the day by which it is due (of a week or several days, the last; \`-\` if no day was said), and the deed.

## 2. Marks

Then read \`told.txt\`. For each number write three letters, R (right) or W (wrong), for owner, deed and date:

    12 R R W

- owner: this speaker did commit themselves there, by the definition above. Otherwise W.
- deed: it was committed to, and the words tell somebody who was not there what it is. Otherwise W.
- date: the day is the one that was said for this deed; for "no day", none was said. Otherwise W. Words such as "soon" name
  no day. For "unsure", write - in place of the third letter.
- If there is no commitment at all: W W W.

## The answer

One text file: the lines of both parts, nothing else. Every number of \`told.txt\` has exactly one line.
`;

/** A commitment's date as the sheet has it. */
export function dateOnSheet({ due, vague_due }: Pick<Commitment, 'due' | 'vague_due'>): string {
  if (!due) return vague_due === null ? 'no day' : `unsure ("${vague_due}")`;
  const days = due.from ? `${due.from} to ${due.date}` : due.date;
  return `${days}${due.time ? ` ${due.time}` : ''} ("${due.said}")`;
}

/** Writes the sheets: `words.txt`, `told.txt`, `READER.md`, and `key.json`, which readers do not open. */
export function writeSheets(folder: string, drawn: readonly DrawnDialogue[]): Key {
  const key: Key = { dialogues: {}, told: [] };
  const words: string[] = [];
  const told: string[] = [];
  for (const [i, { corpus, draw, turns, commitments }] of drawn.entries()) {
    const dialogue = `D${String(i + 1).padStart(2, '0')}`;
    key.dialogues[dialogue] = { corpus, draw };
    words.push(`${dialogue}`, ...turns.map(({ speaker, text }, turn) => `${turn} ${speaker}: ${text}`), '');
    for (const one of commitments) {
      const { owner, to, deed, due, vague_due, state, utterance_id, quote } = one;
      const number = key.told.length + 1;
      const turn = turnOf(utterance_id);
      key.told.push({ number, dialogue, turn, owner, isDated: due !== null, isUnsure: vague_due !== null });
      told.push(
        `[${number}] ${dialogue} turn ${turn}: "${quote}"`,
        `    owner: ${owner ?? 'nobody named'}${to ? `, to ${to}` : ''}, ${state}`,
        `    deed: ${deed}`,
        `    date: ${dateOnSheet(one)}`,
        '',
      );
    }
  }
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  put('words.txt', words.join('\n'));
  put('told.txt', told.join('\n'));
  put('READER.md', READER);
  put(KEY, `${JSON.stringify(key, null, 1)}\n`);
  return key;
}
