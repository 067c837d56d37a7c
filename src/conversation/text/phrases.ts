import type { CuePhrases } from '../lexicon/cue-phrases.ts';

/** A position inside phrases. Several phrases can share it. */
interface Node {
  id: number;
  next: Map<string, Node[]>;
  /** Cues whose phrase ends here. */
  cues: string[];
}

/** All positions that the words read so far can lead to. */
interface State {
  /** Whether phrases can begin only at the first word. */
  anchored: boolean;
  nodes: Node[];
  cues: string[];
  next: Map<string, State>;
}

/** A phrase found in a list of words. */
export interface PhraseMatch {
  /** Its cue. */
  cue: string;
  /** Index of its first word, and its length in words. */
  at: number;
  length: number;
}

/** Stands for every word that no phrase contains. */
const OTHER = '<other>';
/** Limit on the cached states. A text that needs more clears the cache. */
const MAX_STATES = 20_000;
const BOUNDARIES: readonly string[] = ['^', '$', '?'];
/** Stands for every number in digits that no phrase contains, and the class that it belongs to. */
const DIGITS = '<digits>';
const NUMBER = 'number';

/**
 * Finds many phrases in one pass over the words of a sentence. The phrases form one nondeterministic automaton, which
 * is made deterministic state by state as texts need it (Thompson 1968). A word therefore costs one look-up, however
 * many phrases there are.
 *
 * Notation of a phrase: words are separated by blanks. `(a|b c|)` lists alternatives, which can be nested; an empty one
 * makes it optional. `<name>` stands for any word of a class, and `<number>` also for any number in digits. `*` stands
 * for any one word, `^` and `$` for the ends of the sentence, and `?` for its question mark.
 */
export class PhraseMatcher {
  readonly #root: Node;
  readonly #classes = new Map<string, string[]>();
  readonly #vocabulary = new Set(BOUNDARIES);
  readonly #states = new Map<string, State>();
  readonly #start: State;
  readonly #anchor: State;
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
    this.#start = { anchored: false, nodes: [this.#root], cues: [], next: new Map() };
    this.#anchor = { ...this.#start, anchored: true, next: new Map() };
  }

  /**
   * Finds all cues in one pass, however many phrases there are.
   * @param tokens words of one sentence from `tokenise`, with `^` first and `$` last, or plain words
   * @returns the names of all cues found
   */
  match(tokens: readonly string[]): Set<string> {
    const found = new Set<string>();
    let state = this.#start;
    for (const token of tokens) {
      state = this.#next(state, token);
      for (const cue of state.cues) found.add(cue);
    }
    return found;
  }

  /**
   * Finds phrases that do not overlap, leftmost and longest first. If several cues list a phrase, it belongs to the
   * last of them. For every word, it looks ahead by at most the length of the longest phrase.
   */
  find(tokens: readonly string[]): PhraseMatch[] {
    const found: PhraseMatch[] = [];
    for (let at = 0; at < tokens.length; at++) {
      let state = this.#anchor;
      let longest: PhraseMatch | undefined;
      for (let end = at; end < tokens.length && state.nodes.length > 0; end++) {
        state = this.#next(state, tokens[end]!);
        const cue = state.cues.at(-1);
        if (cue !== undefined) longest = { cue, at, length: end - at + 1 };
      }
      if (!longest) continue;
      found.push(longest);
      at += longest.length - 1;
    }
    return found;
  }

  #next(state: State, token: string): State {
    const symbol = this.#vocabulary.has(token) ? token : startsWithDigit(token) ? DIGITS : OTHER;
    return state.next.get(symbol) ?? this.#advance(state, symbol);
  }

  #advance(from: State, symbol: string): State {
    const classes = [
      ...(this.#classes.get(symbol) ?? []),
      ...(symbol === DIGITS || startsWithDigit(symbol) ? [`<${NUMBER}>`] : []),
    ];
    const edges = [symbol, ...classes, ...(BOUNDARIES.includes(symbol) ? [] : ['*'])];
    const nodes = new Set<Node>(from.anchored ? [] : [this.#root]);
    for (const node of from.nodes) for (const edge of edges) for (const n of node.next.get(edge) ?? []) nodes.add(n);
    const sorted = [...nodes].sort((a, b) => a.id - b.id);
    const key = `${from.anchored ? '^' : ''}${sorted.map((n) => n.id).join()}`;
    let state = this.#states.get(key);
    if (!state) {
      if (this.#states.size >= MAX_STATES) {
        this.#states.clear();
        this.#start.next.clear();
        this.#anchor.next.clear();
      }
      const cues = [...new Set(sorted.flatMap((n) => n.cues))];
      state = { anchored: from.anchored, nodes: sorted, cues, next: new Map() };
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

  /**
   * Adds `a|b|c` from `parts[at]` to the closing parenthesis or the end. The non-empty alternatives end in one node.
   */
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
