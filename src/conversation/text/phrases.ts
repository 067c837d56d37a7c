import type { CuePhrases } from '../lexicon/cue-phrases.ts';

/** A place inside phrases; several phrases may pass through it. */
interface Node {
  id: number;
  next: Map<string, Node[]>;
  /** Cues whose phrase ends here. */
  cues: string[];
}

/** All places that the words read so far may have led to. */
interface State {
  nodes: Node[];
  cues: string[];
  next: Map<string, State>;
}

/** Stands for every word that no phrase names. */
const OTHER = '<other>';
/** States kept; a text that needs more starts the cache afresh. */
const MAX_STATES = 20_000;
const BOUNDARIES: readonly string[] = ['^', '$', '?'];
/** Stands for every number in digits that no phrase names, and the class it belongs to. */
const DIGITS = '<digits>';
const NUMBER = 'number';

/**
 * Finds many phrases in one pass over the words of a sentence. The phrases are one nondeterministic automaton, made
 * deterministic state by state as texts need it (Thompson 1968), so that a word costs one look-up however many phrases
 * there are.
 *
 * Notation of a phrase: words separated by blanks; `(a|b c|)` alternatives, nested as needed, the empty one making it
 * optional; `<name>` any word of a class, `<number>` any in digits as well; `*` any one word; `^` and `$` the ends of the
 * sentence; `?` its question mark.
 */
export class PhraseMatcher {
  readonly #root: Node;
  readonly #classes = new Map<string, string[]>();
  readonly #vocabulary = new Set(BOUNDARIES);
  readonly #states = new Map<string, State>();
  readonly #start: State;
  #nodes = 0;

  /** @throws SyntaxError for a phrase whose parentheses do not match */
  constructor(cues: CuePhrases, classes: CuePhrases) {
    this.#root = this.#node();
    for (const [name, words] of Object.entries(classes)) {
      for (const word of words.flatMap((w) => w.split(' '))) {
        this.#classes.set(word, [...(this.#classes.get(word) ?? []), `<${name}>`]);
        this.#vocabulary.add(word);
      }
    }
    for (const [cue, phrases] of Object.entries(cues)) for (const p of phrases) this.#insert(cue, p);
    this.#start = { nodes: [this.#root], cues: [], next: new Map() };
  }

  /**
   * @param tokens words of one sentence as `tokenise` gives them, `^` first and `$` last
   * @returns the names of all cues found
   */
  match(tokens: readonly string[]): Set<string> {
    const found = new Set<string>();
    let state = this.#start;
    for (const token of tokens) {
      const symbol = this.#vocabulary.has(token) ? token : startsWithDigit(token) ? DIGITS : OTHER;
      state = state.next.get(symbol) ?? this.#advance(state, symbol);
      for (const cue of state.cues) found.add(cue);
    }
    return found;
  }

  #advance(from: State, symbol: string): State {
    const classes = [
      ...(this.#classes.get(symbol) ?? []),
      ...(symbol === DIGITS || startsWithDigit(symbol) ? [`<${NUMBER}>`] : []),
    ];
    const edges = [symbol, ...classes, ...(BOUNDARIES.includes(symbol) ? [] : ['*'])];
    const nodes = new Set([this.#root]);
    for (const node of from.nodes) for (const edge of edges) for (const n of node.next.get(edge) ?? []) nodes.add(n);
    const sorted = [...nodes].sort((a, b) => a.id - b.id);
    const key = sorted.map((n) => n.id).join();
    let state = this.#states.get(key);
    if (!state) {
      if (this.#states.size >= MAX_STATES) {
        this.#states.clear();
        this.#start.next.clear();
      }
      state = { nodes: sorted, cues: [...new Set(sorted.flatMap((n) => n.cues))], next: new Map() };
      this.#states.set(key, state);
    }
    from.next.set(symbol, state);
    return state;
  }

  #node(): Node {
    return { id: this.#nodes++, next: new Map(), cues: [] };
  }

  #insert(cue: string, phrase: string): void {
    const parts = phrase.match(/[()|]|[^\s()|]+/g) ?? [];
    const { ends, at } = this.#alternatives(parts, 0, [this.#root]);
    if (at !== parts.length) throw new SyntaxError(`unbalanced parenthesis in "${phrase}"`);
    for (const end of ends) if (end !== this.#root) end.cues.push(cue);
  }

  /** Adds `a|b|c` from `parts[at]` to the closing parenthesis or the end; the non-empty alternatives end in one node. */
  #alternatives(parts: readonly string[], at: number, from: Node[]): { ends: Node[]; at: number } {
    const join = this.#node();
    const ends = new Set<Node>();
    let heads = from;
    let i = at;
    for (; i < parts.length && parts[i] !== ')'; i++) {
      const part = parts[i] ?? '';
      const last = parts[i + 1] === undefined || parts[i + 1] === '|' || parts[i + 1] === ')';
      if (part === '|') {
        for (const head of heads) ends.add(head);
        heads = from;
      } else if (part === '(') {
        const group = this.#alternatives(parts, i + 1, heads);
        heads = group.ends;
        i = group.at;
      } else {
        const next = last ? join : this.#node();
        for (const head of heads) head.next.set(part, [...(head.next.get(part) ?? []), next]);
        if (!/[<*]/.test(part)) this.#vocabulary.add(part);
        heads = [next];
      }
    }
    for (const head of heads) ends.add(head);
    return { ends: [...ends], at: i };
  }
}

const startsWithDigit = (word: string): boolean => word >= '0' && word < ':';
