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
 * Notation of a phrase: words separated by blanks; `(a|b c|)` alternatives, the empty one making it optional; `<name>`
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
    let ends = [this.#root];
    for (const part of phrase.match(/\([^)]*\)|\S+/g) ?? []) {
      const alternatives = part.startsWith('(') ? part.slice(1, -1).split('|') : [part];
      ends = alternatives.flatMap((words) => ends.map((end) => this.#extend(end, words)));
    }
    for (const end of new Set(ends)) if (end !== this.#root && !end.cues.includes(cue)) end.cues.push(cue);
  }

  #extend(from: Node, words: string): Node {
    let node = from;
    for (const word of words.split(' ').filter(Boolean)) {
      let next = node.next.get(word);
      if (!next) {
        next = newNode();
        node.next.set(word, next);
      }
      node = next;
    }
    return node;
  }
}
