/**
 * Names of speakers that are heard in introductions and address, against `data/people/names.jsonl`: 60 utterances of
 * other projects' dialogues marked by hand, eight of which only look as if they had a name. A name in the truth is one
 * word or more of the name that the words give; null: no name of the speaker is said there.
 *
 *   npm run bench -- names
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialogueLines } from '../scripts/train/role-corpus.ts';
import { languageOf } from '../src/conversation/languages.ts';
import { type SpokenName, spokenNames } from '../src/conversation/people/names.ts';
import { report } from './report.ts';

interface Marked {
  set: string;
  id: string;
  turn: number;
  speaker: string;
  name: string | null;
}

const marked = readFileSync(join(import.meta.dirname, '../data/people/names.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Marked);

const ENGLISH = languageOf('en');
/** PriMock57 marks what its writers could not hear. */
const MARKS = /<[^>]{1,40}>/g;

const heard = new Map<string, SpokenName[]>();
for (const set of new Set(marked.map((one) => one.set)))
  for (const { id, turns } of dialogueLines(set)) {
    const timeline = turns.map(({ speaker, text }, i) => ({
      ...{ utterance_id: String(i), speaker, t_start: i },
      text: text.replace(MARKS, '').trim(),
    }));
    heard.set(id, spokenNames(timeline, ENGLISH));
  }

const isRight = (proposed: string, name: string | null): boolean =>
  name !== null && (proposed === name || proposed.startsWith(`${name} `) || name.startsWith(`${proposed} `));

const count = { sureRight: 0, sureWrong: 0, right: 0, wrong: 0, none: 0 };
const wrong: string[] = [];
for (const { id, speaker } of marked) {
  const names = heard.get(id)!.filter((one) => one.speaker === speaker);
  const [sure] = names.filter((one) => one.sure);
  const known = marked.filter((one) => one.id === id && one.speaker === speaker).map((one) => one.name);
  const right = (proposed: string) => known.some((one) => isRight(proposed, one));
  if (sure && !right(sure.name)) wrong.push(`${id}: ${sure.name} in "${sure.quote}"`);
  if (sure) count[right(sure.name) ? 'sureRight' : 'sureWrong']++;
  else if (names.length > 0) count[names.some((one) => right(one.name)) ? 'right' : 'wrong']++;
  else count.none++;
}
const all = [...heard.values()].flat();

report('names', [
  {
    title: 'Names proposed for the speakers of 60 marked introductions and addresses',
    columns: ['proposed', 'right', 'wrong'],
    rows: [
      ['as sure', count.sureRight, count.sureWrong],
      ['not as sure', count.right, count.wrong],
    ],
    note: `Nothing is proposed for ${count.none}; ${marked.filter(({ name }) => name === null).length} of the 60 have no name. All dialogues of these sets: ${all.filter(({ sure }) => sure).length} names as sure, ${all.filter(({ sure }) => !sure).length} others.${wrong.map((one) => ` WRONG: ${one}`).join('')}`,
  },
]);
process.exitCode = count.sureWrong === 0 ? 0 : 1;
