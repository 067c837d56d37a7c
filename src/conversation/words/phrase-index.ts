/** Names of days and months, for `@day` and `@month`. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  '@day':
    'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays'.split(
      ' ',
    ),
  '@month': 'january february march april may june july august september october november december'.split(' '),
};

/** Numbers in words; digits count too. 'one' is left out: it is mostly a pronoun. */
const NUMBERS = new Set(
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million'.split(
    ' ',
  ),
);

/** Whether a word, lower-cased, is a number. */
export const isNumber = (word: string): boolean => NUMBERS.has(word) || /^\d/.test(word);

/** One word of a phrase. */
type Slot = ReadonlySet<string> | '_' | '#';

interface Phrase {
  slots: Slot[];
  target: number;
  weight: number;
}

/** A list of phrases that speak for one target, with what each is worth. */
export interface PhraseList {
  target: number;
  weight: number;
  phrases: readonly string[];
}

const slotOf = (token: string): Slot =>
  token === '_' || token === '#' ? token : new Set(token.split('|').flatMap((word) => CLASSES[word] ?? [word]));

const fits = (slot: Slot, word: string | undefined): boolean =>
  word !== undefined && (slot === '_' || (slot === '#' ? isNumber(word) : slot.has(word)));

/** Finds phrases among the words of an utterance; one look-up a word, however many phrases there are. */
export class PhraseIndex {
  readonly #byFirst = new Map<string, Phrase[]>();
  readonly #byNumber: Phrase[] = [];

  constructor(lists: readonly PhraseList[]) {
    for (const { target, weight, phrases } of lists)
      for (const text of phrases.flatMap((list) => list.split(', '))) {
        const slots = text.split(' ').map(slotOf);
        const phrase = { slots, target, weight };
        const first = slots[0]!;
        if (first === '#') this.#byNumber.push(phrase);
        else if (first !== '_')
          for (const word of first) {
            const known = this.#byFirst.get(word);
            if (known) known.push(phrase);
            else this.#byFirst.set(word, [phrase]);
          }
      }
  }

  /** Adds what the phrases found in these words are worth to `sums`, each phrase once. */
  add(words: readonly string[], sums: Float32Array, offset: number): void {
    let found: Set<Phrase> | undefined;
    const look = (phrases: readonly Phrase[], at: number) => {
      for (const phrase of phrases) {
        const { slots } = phrase;
        let k = 1;
        while (k < slots.length && fits(slots[k]!, words[at + k])) k++;
        if (k < slots.length || found?.has(phrase)) continue;
        found ??= new Set();
        found.add(phrase);
        sums[offset + phrase.target]! += phrase.weight;
      }
    };
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const phrases = this.#byFirst.get(word);
      if (phrases) look(phrases, i);
      if (isNumber(word)) look(this.#byNumber, i);
    }
  }
}
