import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../start/command.ts';

/** The recording that the smoke test sends: a telephone call of two synthetic voices. */
const RECORDING = join(ROOT, 'test/fixtures/call.wav');
/** What `best` with the built-in recogniser found in it. `npm run smoke -- --store` writes this file again. */
export const STORED_RESULT = join(import.meta.dirname, 'smoke-result.json');

const StoredResultSchema = z.object({
  speakers: z.number().int(),
  utterances: z.array(z.object({ speaker: z.string(), text: z.string() })),
});
/** The parts of a result that a smoke test compares. */
export type StoredResult = z.infer<typeof StoredResultSchema>;

export const smokeRecording = (): File => new File([new Uint8Array(readFileSync(RECORDING))], 'call.wav');

export const storedResult = (): StoredResult =>
  StoredResultSchema.parse(JSON.parse(readFileSync(STORED_RESULT, 'utf8')));

/** Words without case and punctuation. */
const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []);

/** Word errors of `heard` against `expected` as a fraction of its words (Levenshtein distance over words). */
export function wordErrorRate(expected: readonly string[], heard: readonly string[]): number {
  const [reference, words] = [wordsOf(expected), wordsOf(heard)];
  let row = words.map((_, i) => i + 1);
  for (const [i, word] of reference.entries()) {
    let diagonal = i;
    let left = i + 1;
    row = row.map((above, j) => {
      const best = Math.min(above + 1, left + 1, diagonal + (words[j] === word ? 0 : 1));
      diagonal = above;
      left = best;
      return best;
    });
  }
  return (row.at(-1) ?? reference.length) / Math.max(1, reference.length);
}
