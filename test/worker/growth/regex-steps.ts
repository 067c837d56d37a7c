/**
 * Counts the steps that a backtracking engine takes for a regular expression, like JavaScript's engines without their
 * shortcuts. Every character or position that is examined counts as a step. Unlike times, steps are the same on every
 * machine.
 *
 * Two libraries were compared on this project's patterns and on bad ones. `recheck` 4.5 stops by the clock, so that a
 * loaded machine changes its answers, needs six times the processor time as a native binary, leaves a pattern with a
 * back reference undecided and takes `^(?:a?){20}a{20}$` for safe. `scslre` 0.3 takes .2 s, but misses `^(a|a)*$`,
 * `^.*foo.*bar.*$` and `([\p{L}']+) \1`, and reports a pattern that is linear.
 */

/** A part of a regular expression. */
type Part =
  | { kind: 'choice'; parts: Part[] }
  | { kind: 'row'; parts: Part[] }
  | { kind: 'character'; source: string; fits: (code: number) => boolean; examples: string[] }
  | { kind: 'repeat'; part: Part; least: number; most: number; lazy: boolean }
  | { kind: 'group'; part: Part; index: number }
  | { kind: 'look'; part: Part; ahead: boolean; wanted: boolean }
  | { kind: 'again'; index: number }
  | { kind: 'place'; source: string };

/** Characters that represent their classes: letters, digits, blanks and marks of ordinary and of hostile texts. */
const EXAMPLES = [...'aesxzAI059_ \t\n.,!?;:\'’"()[]-–…$%&*/\\#@=<>|{}+~éßİЖ日\u0000\u00a0', '😀'];

/** Parses the syntax that this project's sources use. @throws SyntaxError for anything else */
function parse({ source, flags }: RegExp): Part {
  const unicode = flags.includes('u');
  const testFlags = flags.replace(/[gyd]/g, '');
  let at = 0;
  let groups = 0;
  const character = (own: string): Part => {
    const whole = new RegExp(`^(?:${own})$`, testFlags);
    const known: (boolean | undefined)[] = [];
    const fits = (code: number): boolean => (known[code] ??= whole.test(String.fromCodePoint(code)));
    const inside = [...own.replace(/\\[dwspPDWS](?:\{[^}]*\})?/g, '')];
    const examples = [...new Set([...inside, ...EXAMPLES])].filter((one) => whole.test(one));
    return { kind: 'character', source: own, fits, examples };
  };
  const choice = (): Part => {
    const parts = [row()];
    while (source[at] === '|') {
      at++;
      parts.push(row());
    }
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  };
  const row = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(single()));
    return { kind: 'row', parts };
  };
  const repeated = (part: Part): Part => {
    const [own = '', bounds] = /^(?:[*+?]|\{(\d+(?:,\d*)?)\})/.exec(source.slice(at)) ?? [];
    if (own === '') return part;
    at += own.length;
    const lazy = source[at] === '?';
    if (lazy) at++;
    const [least = '', most = least] = bounds?.split(',') ?? [
      { '*': '0', '+': '1', '?': '0' }[own]!,
      { '?': '1' }[own] ?? '',
    ];
    return {
      kind: 'repeat',
      part,
      least: Number(least),
      most: most === '' ? Number.POSITIVE_INFINITY : Number(most),
      lazy,
    };
  };
  const closed = (): Part => {
    const part = choice();
    if (source[at++] !== ')') throw new SyntaxError(`no end of group in ${source}`);
    return part;
  };
  const single = (): Part => {
    const [look] = /^\(\?<?[=!]/.exec(source.slice(at)) ?? [];
    if (look) {
      at += look.length;
      return { kind: 'look', part: closed(), ahead: !look.includes('<'), wanted: look.endsWith('=') };
    }
    if (source.startsWith('(?:', at)) {
      at += 3;
      return closed();
    }
    if (source[at] === '(') {
      at++;
      if (source[at] === '?') throw new SyntaxError(`unknown group in ${source}`);
      const index = ++groups;
      return { kind: 'group', part: closed(), index };
    }
    if (source[at] === '^' || source[at] === '$') return { kind: 'place', source: source[at++]! };
    const [own = ''] = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|p\{[^}]*\}|.))/is.exec(
      source.slice(at),
    ) ?? [unicode ? String.fromCodePoint(source.codePointAt(at)!) : source[at]!];
    at += own.length;
    if (own === '\\b' || own === '\\B') return { kind: 'place', source: own };
    if (/^\\[1-9]$/.test(own)) return { kind: 'again', index: Number(own[1]) };
    return character(own);
  };
  const whole = choice();
  if (at !== source.length) throw new SyntaxError(`cannot read ${source}`);
  return whole;
}

class TooManySteps extends Error {}

/** Continues after a part from a position; returns whether the rest matches. */
type Rest = (at: number) => boolean;
/** Matches a part from a position, and what follows it. */
type Match = (at: number, rest: Rest) => boolean;
/** The position after the next character, when that fits, and -1 otherwise. */
type Next = (at: number) => number;

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

export class StepCounter {
  readonly #whole: Part;
  readonly #match: Match;
  readonly #unicode: boolean;
  readonly #ignoresCase: boolean;
  #text = '';
  #steps = 0;
  #most = 0;
  #groups: (readonly [number, number] | undefined)[] = [];

  constructor(pattern: RegExp) {
    this.#whole = parse(pattern);
    this.#unicode = pattern.flags.includes('u');
    this.#ignoresCase = pattern.flags.includes('i');
    this.#match = this.#matcher(this.#whole, 1);
  }

  /**
   * The positions of all matches, one after the other, and the number of steps to find them, which is infinite above
   * `most`.
   */
  findAll(text: string, most: number): { places: number[]; steps: number } {
    this.#text = text;
    this.#steps = 0;
    this.#most = most;
    const places: number[] = [];
    try {
      for (let from = 0; from <= text.length; ) {
        this.#groups = [];
        let end = -1;
        const found = this.#match(from, (to) => {
          end = to;
          return true;
        });
        if (found) places.push(from);
        from = found && end > from ? end : from + (this.#unicode && text.codePointAt(from)! > 0xffff ? 2 : 1);
      }
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      this.#steps = Number.POSITIVE_INFINITY;
    }
    return { places, steps: this.#steps };
  }

  /** Texts that match each of the parts, from which hostile ones are made. */
  pieces(random: () => number, each: number): string[] {
    const found = new Set<string>();
    const visit = (part: Part): void => {
      for (let i = 0; i < each; i++) found.add(this.#example(part, random));
      // A sequence up to each repeatable part: a failed search starts again there.
      if (part.kind === 'row')
        part.parts.forEach(({ kind }, k) => {
          if (kind !== 'repeat') return;
          found.add(this.#example({ kind: 'row', parts: part.parts.slice(0, k) }, random));
          found.add(this.#example({ kind: 'row', parts: part.parts.slice(k) }, random));
        });
      if ('parts' in part) part.parts.forEach(visit);
      else if ('part' in part) visit(part.part);
    };
    visit(this.#whole);
    found.delete('');
    return [...found];
  }

  /** For each part that may repeat, a text that leads up to it and one that it fits: where backtracking begins. */
  repeats(random: () => number): { start: string; pump: string }[] {
    const found: { start: string; pump: string }[] = [];
    const visit = (part: Part, start: string): void => {
      if (part.kind === 'row') {
        let before = start;
        for (const one of part.parts) {
          visit(one, before);
          before += this.#example(one, random);
        }
      } else if (part.kind === 'choice') for (const one of part.parts) visit(one, start);
      else if ('part' in part) {
        const pump =
          part.kind === 'repeat' && part.most === Number.POSITIVE_INFINITY ? this.#example(part.part, random) : '';
        if (pump !== '') found.push({ start, pump });
        visit(part.part, start);
      }
    };
    visit(this.#whole, '');
    return found;
  }

  #example(part: Part, random: () => number): string {
    const any = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    switch (part.kind) {
      case 'choice':
        return this.#example(any(part.parts)!, random);
      case 'row':
        return part.parts.map((p) => this.#example(p, random)).join('');
      case 'character':
        return any(part.examples) ?? '';
      case 'repeat': {
        const times = Math.min(part.most, part.least + Math.floor(random() * 3));
        return Array.from({ length: times }, () => this.#example(part.part, random)).join('');
      }
      case 'group':
        return this.#example(part.part, random);
      default:
        return '';
    }
  }

  #step(): void {
    if (++this.#steps > this.#most) throw new TooManySteps();
  }

  /** The function that matches a part, forwards or, in a lookbehind, backwards. */
  #matcher(part: Part, direction: 1 | -1): Match {
    switch (part.kind) {
      case 'character':
      case 'place':
      case 'row':
        return this.#row(part, direction);
      case 'choice': {
        const choices = part.parts.map((p) => this.#matcher(p, direction));
        return (at, rest) => {
          this.#step();
          for (const choice of choices) if (choice(at, rest)) return true;
          return false;
        };
      }
      case 'group': {
        const { index } = part;
        const inside = this.#matcher(part.part, direction);
        return (at, rest) => {
          this.#step();
          const before = this.#groups[index];
          const fits = inside(at, (to) => {
            const inner = this.#groups[index];
            this.#groups[index] = [Math.min(at, to), Math.max(at, to)];
            if (rest(to)) return true;
            this.#groups[index] = inner;
            return false;
          });
          if (!fits) this.#groups[index] = before;
          return fits;
        };
      }
      case 'look': {
        const inside = this.#matcher(part.part, part.ahead ? 1 : -1);
        return (at, rest) => {
          this.#step();
          return inside(at, () => true) === part.wanted && rest(at);
        };
      }
      case 'again':
        return this.#again(part.index, direction);
      case 'repeat':
        return part.part.kind === 'character'
          ? this.#repeatCharacter(part, this.#next(part.part, direction))
          : this.#repeat(part, this.#matcher(part.part, direction));
    }
  }

  #next({ fits }: Part & { kind: 'character' }, direction: 1 | -1): Next {
    const unicode = this.#unicode;
    return (at) => {
      const text = this.#text;
      const from = direction === 1 ? at : at - 1;
      if (from < 0 || from >= text.length) return -1;
      if (!unicode) return fits(text.charCodeAt(from)) ? at + direction : -1;
      const before = direction === -1 ? (text.codePointAt(at - 2) ?? 0) : 0;
      const code = before > 0xffff ? before : text.codePointAt(from)!;
      if (!fits(code)) return -1;
      return at + direction * (code > 0xffff ? 2 : 1);
    };
  }

  /** Parts one after the other; characters and positions without a closure for each. */
  #row(whole: Part & { kind: 'row' | 'character' | 'place' }, direction: 1 | -1): Match {
    let match: Match = (at, rest) => rest(at);
    const parts = whole.kind === 'row' ? whole.parts : [whole];
    for (const part of direction === 1 ? parts.toReversed() : parts) {
      const after = match;
      if (part.kind === 'character') {
        const next = this.#next(part, direction);
        match = (at, rest) => {
          this.#step();
          const to = next(at);
          return to >= 0 && after(to, rest);
        };
      } else if (part.kind === 'place')
        match = (at, rest) => {
          this.#step();
          return this.#isAt(part.source, at) && after(at, rest);
        };
      else {
        const own = this.#matcher(part, direction);
        match = (at, rest) => own(at, (to) => after(to, rest));
      }
    }
    if (whole.kind !== 'row') return match;
    return (at, rest) => {
      this.#step();
      return match(at, rest);
    };
  }

  #again(index: number, direction: 1 | -1): Match {
    const same = (x: string) => (this.#ignoresCase ? x.toLowerCase() : x);
    return (at, rest) => {
      this.#step();
      const [from, to] = this.#groups[index] ?? [0, 0];
      this.#steps += to - from;
      const end = at + direction * (to - from);
      if (end < 0) return false;
      const own = this.#text.slice(Math.min(at, end), Math.max(at, end));
      return same(own) === same(this.#text.slice(from, to)) && rest(end);
    };
  }

  #isAt(place: string, at: number): boolean {
    if (place === '^') return at === 0;
    if (place === '$') return at === this.#text.length;
    return (isWord(this.#text.charCodeAt(at - 1)) !== isWord(this.#text.charCodeAt(at))) === (place === '\\b');
  }

  #repeat({ least, most, lazy }: Part & { kind: 'repeat' }, once: Match): Match {
    const from = (done: number, at: number, rest: Rest): boolean => {
      this.#step();
      const more = () =>
        done < most && once(at, (to) => (to === at && done >= least ? false : from(done + 1, to, rest)));
      if (done < least) return more();
      return lazy ? rest(at) || more() : more() || rest(at);
    };
    return (at, rest) => {
      this.#step();
      return from(0, at, rest);
    };
  }

  /** The same for one character, without a function call for each. */
  #repeatCharacter({ least, most, lazy }: Part & { kind: 'repeat' }, next: Next): Match {
    return (at, rest) => {
      this.#step();
      const ends = [at];
      const grow = (): boolean => {
        if (ends.length > most) return false;
        this.#step();
        const to = next(ends.at(-1)!);
        if (to >= 0) ends.push(to);
        return to >= 0;
      };
      while (ends.length <= least) if (!grow()) return false;
      if (lazy) {
        do if (rest(ends.at(-1)!)) return true;
        while (grow());
        return false;
      }
      while (grow());
      for (let k = ends.length - 1; k >= least; k--) {
        this.#step();
        if (rest(ends[k]!)) return true;
      }
      return false;
    };
  }
}
