/**
 * Writes what the sentence encoder makes of every turn that moments are fitted to, for `reader.py`: the first step of
 * `npm run train:moments`. build/moments/states.bin holds a row of 512 half-precision numbers for each piece of each
 * turn; dialogues.json says whose they are, with the flags that the networks are told beside them.
 */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODING_SIZE, SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { pairFlags, TurnReader, turnFlags } from '../../../src/conversation/moments/turn-reader.ts';
import { spoken, UNUSED } from './context-rows.ts';
import { BUILD, type Dialogue, foldOf, ownDialogues } from './corpus.ts';
import { isExchange } from './heads.ts';

/** For each turn its flags, and `[earlier turn, flags]` for each one of another speaker that it may answer, first to last. */
function flagsOf({ turns }: Dialogue): { flags: number[]; answers: [number, number[]][] }[] {
  const told: { flags: number[]; answers: [number, number[]][] }[] = [];
  const reader = new TurnReader({
    turn: (heard) => {
      const { index, utterance } = heard[0]!;
      const answers = heard.flatMap((earlier, back): [number, number[]][] =>
        earlier.utterance.speaker === utterance.speaker ? [] : [[index - back, pairFlags(heard, back)]],
      );
      told.push({ flags: turnFlags(heard), answers: answers.reverse() });
      return [0, 0, 0, 0, 0];
    },
    pair: () => [0, 0],
  });
  for (const [i, { speaker, text }] of turns.entries()) reader.read(spoken(i, speaker, text), UNUSED);
  return told;
}

mkdirSync(BUILD, { recursive: true });
const file = openSync(join(BUILD, 'states.bin'), 'w');
const encoder = await SentenceEncoder.load();
const written = new Map<string, { at: number; pieces: number }>();
let rows = 0;
const dialogues = [];
for (const dialogue of ownDialogues()) {
  const flags = flagsOf(dialogue);
  const turns = [];
  for (const [i, { text, moments = [] }] of dialogue.turns.entries()) {
    let where = written.get(text);
    if (!where) {
      const { states } = await encoder.read(text);
      const pieces = states.length / ENCODING_SIZE;
      writeSync(file, new Uint8Array(Float16Array.from(states).buffer));
      where = { at: rows, pieces };
      written.set(text, where);
      rows += pieces;
    }
    turns.push({ moments, ...where, ...flags[i] });
  }
  dialogues.push({ id: dialogue.id, fold: foldOf(dialogue.id), exchange: isExchange(dialogue.id), turns });
}
writeFileSync(join(BUILD, 'dialogues.json'), JSON.stringify(dialogues));
console.log(`${dialogues.length} dialogues, ${rows} pieces of ${written.size} turns`);
