/**
 * Writes the sentence encoder's states of the written dialogues, for `pooling.py`: the first step of `npm run train --
 * moment-pooling`. build/moments/states.bin has a row of `ENCODING_SIZE` half-precision floats for each piece of each
 * text, and pooling-inputs.json has the dialogues, in which a turn names the first row of its text and the number of
 * its rows.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODING_SIZE, SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { MOMENT_CATEGORY_NAMES } from '../../../src/contract/findings.ts';
import { writtenDialogues } from '../../../support/own-data.ts';
import { BUILD } from './corpus.ts';
import { turnInputs } from './turn-inputs.ts';

/** One in this many written dialogues is used, spread evenly over the file and therefore over the writers. */
const STEP = 2;

mkdirSync(BUILD, { recursive: true });
const dialogues = writtenDialogues().filter((_, i) => i % STEP === 0);
const encoder = await SentenceEncoder.load();
const file = openSync(join(BUILD, 'states.bin'), 'w');
const places = new Map<string, readonly [first: number, rows: number]>();
let next = 0;
for (const { turns } of dialogues)
  for (const { text } of turns) {
    if (places.has(text)) continue;
    const { states } = await encoder.read(text);
    writeSync(file, new Uint8Array(Float16Array.from(states).buffer));
    places.set(text, [next, states.length / ENCODING_SIZE]);
    next += states.length / ENCODING_SIZE;
  }
closeSync(file);
writeFileSync(
  join(BUILD, 'pooling-inputs.json'),
  JSON.stringify({
    categories: MOMENT_CATEGORY_NAMES,
    dialogues: dialogues.map(({ turns }) => {
      const inputs = turnInputs(turns, new Map());
      return turns.map(({ text, moments = [] }, i) => ({
        states: places.get(text),
        facts: inputs[i]!.facts,
        // The likenesses of turns need encodings, which the pooling has to do without.
        window: inputs[i]!.window.slice(0, 6),
        moments: moments.map(({ category }) => category),
      }));
    }),
  }),
);
console.log(`${dialogues.length} dialogues, ${places.size} texts, ${next} pieces`);
