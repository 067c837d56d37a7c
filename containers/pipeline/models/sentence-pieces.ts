/** A piece and its log-probability. `null` means 0, as in the vocabulary's file. */
export type VocabularyPiece = [text: string, score: number | null];

/** Id for text that no piece covers. In the vocabulary, the marks without text follow it. */
const UNKNOWN = 0;
const MARKS = 6;
const SPACE = '\u2581';

interface Branch {
  next: Map<string, Branch>;
  /** Number of the piece that ends here. */
  piece: number | undefined;
}

const newBranch = (): Branch => ({ next: new Map(), piece: undefined });

/**
 * Divides a text into the most likely sequence of pieces (SentencePiece's unigram model, Kudo 2018, arXiv:1804.10959;
 * Viterbi). It works exactly like the Universal Sentence Encoder's own JavaScript tokenizer, including its
 * peculiarities: a piece without a score costs nothing, and the first path to a position that is unreached or costs
 * nothing is always taken.
 */
export class SentencePieces {
  readonly #scores: Float64Array;
  /** Number of characters in each piece. */
  readonly #lengths: Uint8Array;
  readonly #root = newBranch();

  constructor(vocabulary: VocabularyPiece[]) {
    this.#scores = Float64Array.from(vocabulary, ([, score]) => score ?? 0);
    this.#lengths = Uint8Array.from(vocabulary, ([text]) => [...text].length);
    for (let piece = MARKS; piece < vocabulary.length; piece++) {
      let branch = this.#root;
      for (const character of vocabulary[piece]![0]) {
        const next = branch.next.get(character) ?? newBranch();
        branch.next.set(character, next);
        branch = next;
      }
      branch.piece = piece;
    }
  }

  /** Ids of the pieces. Empty for ''. A run of characters without a piece becomes one `UNKNOWN`. */
  encode(text: string): number[] {
    const normal = text.normalize('NFKC');
    if (normal === '') return [];
    const characters = [...(SPACE + normal.replaceAll(' ', SPACE))];
    const best = new Float64Array(characters.length + 1);
    const last = new Uint16Array(characters.length + 1).fill(UNKNOWN);
    for (let start = 0; start < characters.length; start++) {
      for (const piece of this.#piecesAt(characters, start)) {
        const end = start + (piece === UNKNOWN ? 1 : this.#lengths[piece]!);
        const score = best[start]! + (piece === UNKNOWN ? 0 : this.#scores[piece]!);
        if (best[end] !== 0 && score < best[end]!) continue;
        best[end] = score;
        last[end] = piece;
      }
    }
    const pieces: number[] = [];
    for (let end = characters.length; end > 0; end -= this.#lengths[last[end]!]!) {
      if (last[end] !== UNKNOWN || pieces.at(-1) !== UNKNOWN) pieces.push(last[end]!);
    }
    return pieces.reverse();
  }

  /** The pieces that start at a character, shorter ones first. `UNKNOWN` if there is none. */
  #piecesAt(characters: string[], start: number): number[] {
    const pieces: number[] = [];
    let branch = this.#root.next.get(characters[start]!);
    for (let at = start + 1; branch; branch = branch.next.get(characters[at++] ?? ''))
      if (branch.piece !== undefined) pieces.push(branch.piece);
    return pieces.length > 0 ? pieces : [UNKNOWN];
  }
}
