/**
 * Writes what the encoders make of every turn that moments are fitted to, for `reader.py`: the first step of
 * `npm run train:moments`. build/moments/{sentence,minilm}-states.bin hold a row of half-precision numbers for each piece
 * of each turn; dialogues.json says whose they are, with the flags that the networks are told beside them.
 */
import { mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MINILM_SIZE, MiniLm } from '../../../containers/pipeline/models/minilm.ts';
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

/** A file of states, and where in it those of a text are. */
class StatesFile {
  readonly #file: number;
  readonly #size: number;
  readonly #written = new Map<string, [at: number, pieces: number]>();
  rows = 0;

  constructor(encoder: string, size: number) {
    this.#file = openSync(join(BUILD, `${encoder}-states.bin`), 'w');
    this.#size = size;
  }

  /** @returns the first row of a text's states, and how many there are */
  async where(text: string, read: (text: string) => Promise<Float32Array>): Promise<[at: number, pieces: number]> {
    const known = this.#written.get(text);
    if (known) return known;
    const states = await read(text);
    writeSync(this.#file, new Uint8Array(Float16Array.from(states).buffer));
    const where: [number, number] = [this.rows, states.length / this.#size];
    this.#written.set(text, where);
    this.rows += where[1];
    return where;
  }
}

mkdirSync(BUILD, { recursive: true });
const [encoder, minilm] = await Promise.all([SentenceEncoder.load(), MiniLm.load()]);
const files = { sentence: new StatesFile('sentence', ENCODING_SIZE), minilm: new StatesFile('minilm', MINILM_SIZE) };
const dialogues = [];
for (const dialogue of ownDialogues()) {
  const flags = flagsOf(dialogue);
  const turns = [];
  for (const [i, { speaker, text, moments = [] }] of dialogue.turns.entries()) {
    const states = {
      sentence: await files.sentence.where(text, async (t) => (await encoder.read(t)).states),
      minilm: await files.minilm.where(text, (t) => minilm.read(t)),
    };
    turns.push({ speaker, moments, states, ...flags[i] });
  }
  dialogues.push({ id: dialogue.id, fold: foldOf(dialogue.id), exchange: isExchange(dialogue.id), turns });
}
writeFileSync(join(BUILD, 'dialogues.json'), JSON.stringify(dialogues));
console.log(`${dialogues.length} dialogues, ${files.sentence.rows} and ${files.minilm.rows} pieces`);
