/**
 * Writes what the sentence encoder makes of every turn that moments are fitted to, for `reader.py`: the first step of
 * `npm run train:moments`. build/moments/states.bin holds a row of half-precision numbers for each piece of each turn;
 * dialogues.json says whose they are, with the flags that the networks are told beside them.
 */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODING_SIZE, SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { afterFlags, PAIR_TURNS, pairFlags, turnFlags } from '../../../src/conversation/moments/heard-turns.ts';
import { TurnReader } from '../../../src/conversation/moments/turn-reader.ts';
import { spoken, UNUSED } from './context-rows.ts';
import { BUILD, type Dialogue, foldOf, ownDialogues } from './corpus.ts';
import { isExchange } from './heads.ts';

interface TurnFlags {
  flags: number[];
  /** `[earlier turn, flags]` for each one of another speaker that it may answer, first to last. */
  answers: [number, number[]][];
  /** Of the turn after. */
  after: number[];
}

const NOTHING = [0, 0, 0, 0, 0];

function flagsOf({ turns }: Dialogue): TurnFlags[] {
  const told: TurnFlags[] = [];
  const reader = new TurnReader({
    turn: (heard, after) => {
      const { index, utterance } = heard[0]!;
      if (after) {
        told[index]!.after = afterFlags(heard, after.next);
        return NOTHING;
      }
      const answers = heard
        .slice(0, PAIR_TURNS + 1)
        .flatMap((earlier, back): [number, number[]][] =>
          earlier.utterance.speaker === utterance.speaker ? [] : [[index - back, pairFlags(heard, back)]],
        );
      told.push({ flags: turnFlags(heard), answers: answers.reverse(), after: [] });
      return NOTHING;
    },
    pair: () => NOTHING,
  });
  for (const [i, { speaker, text }] of turns.entries()) {
    reader.read(spoken(i, speaker, text), UNUSED);
    reader.again();
  }
  reader.atLast();
  return told;
}

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
