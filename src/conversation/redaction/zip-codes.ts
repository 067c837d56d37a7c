import type { Code } from './codes.ts';
import { isMeasuredBy } from './cues.ts';
import type { PieceRange } from './emails.ts';
import type { WordPiece } from './pieces.ts';

/** US states of one word, and the last words of the others by the words before them. */
const STATES: ReadonlySet<string> = new Set(
  'alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia washington wisconsin wyoming'.split(
    ' ',
  ),
);
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  york: ['new'],
  jersey: ['new'],
  hampshire: ['new'],
  mexico: ['new'],
  carolina: ['north', 'south'],
  dakota: ['north', 'south'],
  island: ['rhode'],
};
/** Abbreviations that are not words, so that their case does not matter. The others need capitals. */
const CLEAR: ReadonlySet<string> = new Set(
  'ak ar az ca ct dc fl ga ia il ks ky mn mo nc nd ne nh nj nm nv ny ri sc sd tn tx ut va vt wa wi wv wy'.split(' '),
);
const CAPITALS: ReadonlySet<string> = new Set('AL CO DE HI ID IN LA MA MD ME MI MS MT OH OK OR PA'.split(' '));
const LENGTHS: readonly number[] = [5, 9];

/** ZIP codes that a US state is named right before. Linear in the words. */
export function* zipCodesIn(pieces: readonly WordPiece[], codes: readonly (Code | null)[]): Generator<PieceRange> {
  for (let i = 1; i < pieces.length; i++) {
    if (!isState(pieces, i - 1) || pieces[i]!.utterance !== pieces[i - 1]!.utterance || pieces[i - 1]!.isLast) continue;
    let digits = 0;
    let to = i - 1;
    for (let code = codes[i]; isDigits(code) && code.from === to + 1; code = codes[to + 1]) {
      if (pieces[code.to]!.utterance !== pieces[i]!.utterance) break;
      digits += code.chars.length;
      to = code.to;
    }
    const next = pieces[to + 1];
    const isMeasured = next?.utterance === pieces[i]!.utterance && isMeasuredBy(next);
    if (LENGTHS.includes(digits) && !isMeasured && !pieces[i]!.isMeasure) yield { from: i, to };
  }
}

const isDigits = (code: Code | null | undefined): code is Code =>
  code !== null && code !== undefined && !code.isAmount && /^\d+$/u.test(code.chars);

function isState(pieces: readonly WordPiece[], i: number): boolean {
  const { lower, bare, utterance } = pieces[i]!;
  if (STATES.has(lower) || CLEAR.has(lower) || CAPITALS.has(bare)) return true;
  const before = pieces[i - 1];
  return before?.utterance === utterance && Object.hasOwn(PAIRS, lower) && PAIRS[lower]!.includes(before.lower);
}
