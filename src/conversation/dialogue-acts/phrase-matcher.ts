/** Cue name -> phrases. See `PhraseMatcher` for the notation. */
export type CuePhrases = Readonly<Record<string, readonly string[]>>;

interface Node {
  next: Map<string, Node>;
  /** Cues whose phrase ends here. */
  cues: string[];
}

const newNode = (): Node => ({ next: new Map(), cues: [] });

/**
 * Finds many phrases in one pass over the words of a sentence: a trie walked from every position, so that the cost grows
 * with the words of the text and hardly with the size of the lexicon.
 *
 * Notation of a phrase: words separated by blanks; `(a|b c|)` alternatives, nested as needed, the empty one making it optional; `<name>`
 * any word of a class; `*` any one word; `^` and `$` the ends of the sentence; `?` its question mark.
 */
export class PhraseMatcher {
  readonly #root = newNode();
  readonly #classes = new Map<string, string[]>();

  constructor(cues: CuePhrases, classes: CuePhrases) {
    for (const [name, words] of Object.entries(classes)) {
      for (const word of words.flatMap((w) => w.split(' '))) {
        this.#classes.set(word, [...(this.#classes.get(word) ?? []), `<${name}>`]);
      }
    }
    for (const [cue, phrases] of Object.entries(cues)) for (const p of phrases) this.#insert(cue, p);
  }

  /**
   * @param tokens words of one sentence as `tokenise` gives them, `^` first and `$` last
   * @returns the names of all cues found
   */
  match(tokens: readonly string[]): Set<string> {
    const found = new Set<string>();
    for (let i = 0; i < tokens.length; i++) this.#walk(this.#root, tokens, i, found);
    return found;
  }

  #walk(node: Node, tokens: readonly string[], i: number, found: Set<string>): void {
    for (const cue of node.cues) found.add(cue);
    const token = tokens[i];
    if (token === undefined || node.next.size === 0) return;
    const literal = node.next.get(token);
    if (literal) this.#walk(literal, tokens, i + 1, found);
    for (const name of this.#classes.get(token) ?? []) {
      const byClass = node.next.get(name);
      if (byClass) this.#walk(byClass, tokens, i + 1, found);
    }
    const any = token === '^' || token === '$' || token === '?' ? undefined : node.next.get('*');
    if (any) this.#walk(any, tokens, i + 1, found);
  }

  #insert(cue: string, phrase: string): void {
    const parts = phrase.match(/[()|]|[^\s()|]+/g) ?? [];
    const { ends, at } = this.#alternatives(parts, 0, [this.#root]);
    if (at !== parts.length) throw new SyntaxError(`unbalanced parenthesis in "${phrase}"`);
    for (const end of new Set(ends)) if (end !== this.#root && !end.cues.includes(cue)) end.cues.push(cue);
  }

  /** Grows the trie by `a|b|c` from `parts[at]` to the closing parenthesis or the end. */
  #alternatives(parts: readonly string[], at: number, from: Node[]): { ends: Node[]; at: number } {
    const ends: Node[] = [];
    let heads = from;
    let i = at;
    for (; i < parts.length && parts[i] !== ')'; i++) {
      const part = parts[i] ?? '';
      if (part === '|') {
        ends.push(...heads);
        heads = from;
      } else if (part === '(') {
        const group = this.#alternatives(parts, i + 1, heads);
        heads = [...new Set(group.ends)];
        i = group.at;
      } else heads = heads.map((head) => step(head, part));
    }
    return { ends: [...ends, ...heads], at: i };
  }
}

/** The node one word further, made when it is not there. */
function step(from: Node, word: string): Node {
  let next = from.next.get(word);
  if (!next) {
    next = newNode();
    from.next.set(word, next);
  }
  return next;
}
