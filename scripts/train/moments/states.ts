/**
 * Writes what the sentence encoder makes of every turn that moments are fitted to, for `reader.py`: the first step of
 * `npm run train:moments`. build/moments/states.bin holds a row of half-precision numbers for each piece of each turn;
 * dialogues.json says whose they are, with the flags that the networks are told beside them.
 */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODING_SIZE, SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { BUILD, foldOf, ownDialogues } from './corpus.ts';
import { isExchange } from './heads.ts';
import { flagsOf } from './turn-flags.ts';

mkdirSync(BUILD, { recursive: true });
const encoder = await SentenceEncoder.load();
const file = openSync(join(BUILD, 'states.bin'), 'w');
let rows = 0;
/** Where in the file the states of a text are. */
const written = new Map<string, [at: number, pieces: number]>();
const dialogues = [];
for (const dialogue of ownDialogues()) {
  const flags = flagsOf(dialogue);
  const turns = [];
  for (const [i, { speaker, text, moments = [] }] of dialogue.turns.entries()) {
    let where = written.get(text);
    if (!where) {
      const { states } = await encoder.read(text);
      writeSync(file, new Uint8Array(Float16Array.from(states).buffer));
      where = [rows, states.length / ENCODING_SIZE];
      written.set(text, where);
      rows += where[1];
    }
    turns.push({ speaker, moments, states: where, ...flags[i] });
  }
  dialogues.push({ id: dialogue.id, fold: foldOf(dialogue.id), exchange: isExchange(dialogue.id), turns });
}
writeFileSync(join(BUILD, 'dialogues.json'), JSON.stringify(dialogues));
console.log(`${dialogues.length} dialogues, ${rows} pieces`);
