import type { Language } from '../language.ts';
import { doubtfulWords } from '../text/asr-confidence.ts';
import { isContentWord, isNumber, words } from '../text/tokens.ts';
import type { Turns } from '../text/turns.ts';
import type { WordVectors } from '../text/word-vectors.ts';
import type { NounShares } from './noun-shares.ts';
import { writtenForm } from './written-form.ts';

/** Relative frequency assumed for a stem missing from the training text. It is rarer than any stem there. */
const UNSEEN_FREQUENCY = 3e-6;
/** Added to both sides of the ratio of frequencies, so that a single mention of a rare word does not win. */
const SMOOTHING = 2e-4;
/** Factor for a stem in the caller's focus. */
const FOCUS_BOOST = 3;

/** The topic of a part of a conversation: a word, or the noun phrase in which it occurred. */
export interface TopicWord {
  stem: string;
  /** Its most frequent spoken and written form in that part. */
  surface: string;
  score: number;
  /** Number of its occurrences in that part. */
  mentions: number;
  /** Its occurrences in 100 words of that part. */
  density: number;
  /** The places of its first and its last mention in that part, 0 to 1. */
  first: number;
  last: number;
}

/** Weight of a word never seen after a determiner, relative to a word always seen after one. */
const BARE_SHARE = 0.35;
/** Share of head nouns below which a word cannot be a topic, and the share that the last word of a phrase needs. */
const NO_HEAD = 0.3;
const PHRASE_HEAD = 0.5;
/** Share of noun phrases that the other words of a phrase need. */
const PHRASE_NOMINAL = 0.6;
/** Factor for a word within a phrase, because it is certainly a noun and is more specific. */
const PHRASE_BOOST = 1.3;
/** Number of words in the longest phrase. */
const PHRASE_WORDS = 3;
/** A phrase is the topic if it contains at least this fraction of the word's mentions. */
const PHRASE_SHARE = 0.3;
/** Limit on the turns read for the topics of one part. In a longer part, every second, third, ... turn is read. */
const MOST_READ = 600;
/** Number of turns searched for the names of people who are addressed. */
const NAMES_READ = 400;
/** Number of texts from which the spelling of a topic is taken. */
const FORM_TEXTS = 12;
/** Limit on the phrases of an utterance that are interrupted by punctuation and then sought elsewhere in it. */
const SOUGHT = 100;
/** Number of candidates considered for each topic before they are merged into phrases. */
const LOOKED_AT = 4;

interface Mention {
  count: number;
  /** Indices of the turns with the first and the last occurrence. */
  first: number;
  last: number;
  behindDeterminer: number;
  surfaces: Map<string, number>;
  /** Noun phrases that contain the word, and how often each occurs. */
  phrases: Map<string, number>;
  /** Some of the texts that contain it. */
  texts: Set<string>;
}

const bump = (map: Map<string, number>, key: string): void => {
  map.set(key, (map.get(key) ?? 0) + 1);
};

const topOf = (map: Map<string, number>): [string, number] =>
  [...map].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1))[0] ?? ['', 0];

/** Whether it is neither a number nor a contraction other than a possessive. */
const isPlain = (word: string, { words }: Language): boolean => !/\d/.test(word) && !words.contraction.test(word);

function isName(word: string, focus: ReadonlySet<string>, language: Language): boolean {
  const { topics } = language;
  if (!isContentWord(word, language) || /^\d/.test(word)) return false;
  const root = language.words.stem(word);
  return (
    focus.has(root) ||
    (word.length > 2 &&
      isPlain(word, language) &&
      !language.words.possessive.test(word) &&
      isContentWord(root, language) &&
      !topics.breaks.has(word) &&
      !topics.weakStems.has(root))
  );
}

/** Stems of the names by which people of the conversation are addressed. */
export function calledNames(texts: string[], { topics, words }: Language): Set<string> {
  const names = new Set<string>();
  for (const text of texts.slice(0, NAMES_READ))
    for (const [, name] of text.matchAll(topics.named))
      if (name && /^\p{Lu}/u.test(name)) names.add(words.stem(name.toLowerCase()));
  return names;
}

function countMentions(
  turns: Turns,
  from: number,
  to: number,
  focus: ReadonlySet<string>,
  names: ReadonlySet<string>,
  nouns: NounShares,
): { mentions: Map<string, Mention>; words: number } {
  const { language } = turns;
  const mentions = new Map<string, Mention>();
  let read = 0;
  const doubtful = doubtfulWords(turns);
  const step = Math.ceil((to - from) / MOST_READ);
  for (let i = from; i < to; i += step) {
    const spoken = turns.words[i]!;
    read += spoken.length;
    const written = new Written(turns.texts[i]!, spoken);
    for (let k = 0; k < spoken.length; k++) {
      const word = spoken[k]!;
      if (!isName(word, focus, language) || doubtful.has(word)) continue;
      const root = language.words.stem(word);
      // A counted noun is a measure, not a topic.
      if (!focus.has(root) && (names.has(root) || isNumber(spoken[k - 1] ?? '', language))) continue;
      let own = mentions.get(root);
      if (!own) {
        own = {
          count: 0,
          first: i,
          last: i,
          behindDeterminer: 0,
          surfaces: new Map(),
          phrases: new Map(),
          texts: new Set(),
        };
        mentions.set(root, own);
      }
      own.count++;
      own.last = i;
      bump(own.surfaces, word);
      if (own.texts.size < FORM_TEXTS) own.texts.add(turns.texts[i]!);
      let at = k - 1;
      const hasContent = (word: string): boolean => isContentWord(word, language) || isNumber(word, language);
      while (k - at < PHRASE_WORDS + 1 && hasContent(spoken[at] ?? '')) at--;
      if (language.topics.determiners.has(spoken[at] ?? '')) own.behindDeterminer++;
      notePhrases(written, k, doubtful, own.phrases, nouns, language);
    }
  }
  return { mentions, words: read };
}

/** The words of one utterance as they were written. Shows which of them are adjacent without punctuation in between. */
class Written {
  readonly words: readonly string[];
  readonly #text: string;
  #plain: string | undefined;
  /** Index of each word's end. */
  #ends: Int32Array | undefined;
  readonly #sought = new Map<string, boolean>();

  constructor(text: string, words: readonly string[]) {
    this.#text = text;
    this.words = words;
  }

  /** Whether a phrase that ends at the word `last` contains no punctuation, there or elsewhere in the utterance. */
  holds(phrase: string, last: number): boolean {
    this.#plain ??= this.#text.toLowerCase().replaceAll('’', "'").replaceAll('-', ' ');
    this.#ends ??= endsOf(this.words, this.#plain);
    if (this.#plain.endsWith(phrase, this.#ends[last]!)) return true;
    let held = this.#sought.get(phrase);
    if (held === undefined) {
      held = this.#sought.size < SOUGHT && this.#plain.includes(phrase);
      this.#sought.set(phrase, held);
    }
    return held;
  }
}

/** Ends of consecutive words within a text. */
function endsOf(words: readonly string[], text: string): Int32Array {
  let end = 0;
  return Int32Array.from(words, (word) => {
    end = text.indexOf(word, end) + word.length;
    return end;
  });
}

/** Records every noun phrase around word `k` as it was spoken. */
function notePhrases(
  written: Written,
  k: number,
  doubtful: ReadonlySet<string>,
  phrases: Map<string, number>,
  nouns: NounShares,
  language: Language,
): void {
  const spoken = written.words;
  const { topics } = language;
  const belongs = (word: string | undefined) =>
    word !== undefined &&
    isContentWord(word, language) &&
    isPlain(word, language) &&
    !doubtful.has(word) &&
    !topics.breaks.has(word) &&
    nouns.nominal(word, language) >= PHRASE_NOMINAL;
  if (!belongs(spoken[k])) return;
  let first = k;
  let last = k;
  while (k - first < PHRASE_WORDS && belongs(spoken[first - 1])) first--;
  while (last - k < PHRASE_WORDS && belongs(spoken[last + 1])) last++;
  // A counted noun ('90-page thesis', '2 percent rate') is not part of the phrase.
  if (isNumber(spoken[first - 1] ?? '', language)) first++;
  for (let start = first; start <= k; start++) {
    if (start < k && topics.weakStems.has(language.words.stem(spoken[start]!))) continue;
    for (let end = k; end <= last; end++) {
      if (end === start || end - start >= PHRASE_WORDS || !endsPhrase(spoken[end]!, nouns, language)) continue;
      const phrase = spoken.slice(start, end + 1).join(' ');
      // A comma or full stop between the words would separate them.
      if (written.holds(phrase, end)) bump(phrases, phrase);
    }
  }
}

const endsPhrase = (word: string, nouns: NounShares, language: Language): boolean =>
  nouns.head(word, language) >= PHRASE_HEAD &&
  !language.topics.weakStems.has(language.words.stem(word)) &&
  !language.words.possessive.test(word);

/**
 * The topics of utterances from `from` up to but not including `to`, most characteristic first. They are words that are
 * more frequent there than in everyday speech, preferably nouns. Words that belong together are kept together.
 * @param focus stems of the caller's context or goal; they come first if they occur
 * @param names stems of people's names, see `calledNames`
 */
export function topicWords(
  turns: Turns,
  from: number,
  to: number,
  focus: ReadonlySet<string>,
  count: number,
  names: ReadonlySet<string>,
  { vectors, nouns }: { vectors: WordVectors; nouns: NounShares },
): TopicWord[] {
  const { language } = turns;
  const { stem } = language.words;
  const { mentions, words: read } = countMentions(turns, from, to, focus, names, nouns);
  let total = 0;
  for (const { count: own } of mentions.values()) total += own;
  const scored = [...mentions].map(([root, own]): TopicWord => {
    const row = vectors.index.get(root);
    const common = row === undefined ? UNSEEN_FREQUENCY : vectors.frequency[row]!;
    const ratio = (own.count / total + SMOOTHING) / (common + SMOOTHING);
    const [surface] = topOf(own.surfaces);
    const focused = focus.has(root);
    const standing = BARE_SHARE + (1 - BARE_SHARE) * (own.behindDeterminer / own.count);
    const head = nouns.head(surface, language);
    const noun = focused ? 1 : head < NO_HEAD && own.phrases.size === 0 ? 0 : standing * head;
    const named = own.phrases.size > 0 ? PHRASE_BOOST : 1;
    const score = own.count * Math.log1p(ratio) * noun * named * (focused ? FOCUS_BOOST : 1);
    const placeOf = (turn: number): number => (turn - from) / (to - from);
    const [first, last] = [placeOf(own.first), placeOf(own.last + 1)];
    const density = (100 * own.count) / Math.max(1, read);
    return { stem: root, surface, score, mentions: own.count, density, first, last };
  });
  scored.sort((a, b) => b.score - a.score || (a.stem < b.stem ? -1 : 1));
  const out: TopicWord[] = [];
  const named = new Set<string>();
  for (const topic of scored.slice(0, count * LOOKED_AT)) {
    if (out.length === count) break;
    if (topic.score <= 0 || named.has(topic.stem)) continue;
    const surface = writtenForm(phraseOf(topic, mentions, named, language), mentions.get(topic.stem)!.texts, language);
    for (const word of words(surface)) named.add(stem(word));
    out.push({ ...topic, surface });
  }
  return out;
}

/**
 * The topic within the phrase in which it mostly occurs, or the topic alone if part of that phrase is already listed.
 */
function phraseOf(
  topic: TopicWord,
  mentions: Map<string, Mention>,
  named: ReadonlySet<string>,
  { words: { stem } }: Language,
): string {
  const { phrases, count } = mentions.get(topic.stem)!;
  const fitting = [...phrases].filter(
    ([p, n]) => n >= Math.max(PHRASE_SHARE * count, count > 2 ? 2 : 1) && !p.split(' ').some((w) => named.has(stem(w))),
  );
  fitting.sort((a, b) => b[1] - a[1] || b[0].length - a[0].length || (a[0] < b[0] ? -1 : 1));
  return fitting[0]?.[0] ?? topic.surface;
}

/** The stems of the caller's focus. */
export const focusStems = (focus: string, language: Language): Set<string> =>
  new Set(
    words(focus)
      .map(language.words.stem)
      .filter((s) => s.length > 2 && !language.topics.weakStems.has(s)),
  );
