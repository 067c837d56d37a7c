/**
 * Writes what the sentence encoder makes of every turn that moments are fitted to, for `reader.py`: the first step of
 * `npm run train:moments`. build/moments/states.bin holds a row of 512 half-precision numbers for each piece of each
 * turn; dialogues.json says whose they are.
 */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODING_SIZE, SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { countWords } from '../../../src/conversation/moments/turn-reader.ts';
import { BUILD, foldOf, ownDialogues } from './corpus.ts';
import { isExchange } from './heads.ts';

mkdirSync(BUILD, { recursive: true });
const file = openSync(join(BUILD, 'states.bin'), 'w');
const encoder = await SentenceEncoder.load();
const written = new Map<string, { at: number; pieces: number }>();
let rows = 0;
const dialogues = [];
for (const { id, turns } of ownDialogues()) {
  const read = [];
  for (const { speaker, text, moments = [] } of turns) {
    let where = written.get(text);
    if (!where) {
      const { states } = await encoder.read(text);
      const pieces = states.length / ENCODING_SIZE;
      writeSync(file, new Uint8Array(Float16Array.from(states).buffer));
      where = { at: rows, pieces };
      written.set(text, where);
      rows += pieces;
    }
    read.push({ speaker, words: countWords(text), moments, ...where });
  }
  dialogues.push({ id, fold: foldOf(id), exchange: isExchange(id), turns: read });
}
writeFileSync(join(BUILD, 'dialogues.json'), JSON.stringify(dialogues));
console.log(`${dialogues.length} dialogues, ${rows} pieces of ${written.size} turns`);
