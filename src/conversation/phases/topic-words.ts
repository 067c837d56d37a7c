import { isContentWord, stem, words } from '../segmentation/tokens.ts';
import type { Turns } from '../segmentation/turns.ts';
import { wordVectors } from '../segmentation/word-vectors.ts';

/** Relative frequency given to a stem the training text did not hold: rarer than all it held. */
const UNSEEN_FREQUENCY = 3e-6;
/** Added to both sides of the ratio of frequencies, so that one mention of a rare word does not win. */
const SMOOTHING = 2e-4;
/** What a stem of the focus counts more. */
const FOCUS_BOOST = 3;
/** Words of everyday talk that never name a topic though they are content words to the cohesion. */
const WEAK = new Set(
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen thirty forty fifty sixty seventy eighty ninety million third fourth fifth thirtieth quarter goodness ever few many several dozen time day week month year today tomorrow tonight morning people person guy man part point question idea problem case couple place end side number name good great nice bad big small little better best different able long new old last next first second whole fine cool okay happy sorry love like need work talk call called start tell ask feel hope try trying keep use used using call happen mean start stop move bring turn change help give show find read wait hear live leave stay big hundred thousand ten two three four five six seven eight nine twenty thirty hour minute half pretty real really true course absolutely exactly definitely probably already always never maybe together instead enough quite almost later sometimes usually often soon ago away around without within every another since until though anyway else wonderful interesting important possible welcome interested perfect awesome understand understood believe remember wonder suppose figure agree matter sense haha lol yep hmm'
    .split(' ')
    .map(stem),
);

/** The theme of a phase in which no word tells a topic. */
export const NO_TOPIC = 'no topic of its own';

/** A word a stretch of talk is about. */
export interface TopicWord {
  stem: string;
  /** As it was said most often there. */
  surface: string;
  score: number;
}

/** Before these stands a noun, or the adjective of one. */
const DETERMINERS = new Set(
  'the a an my your our their his her its this that these those some any no another each every of for with about more'.split(
    ' ',
  ),
);
/** A word never seen behind a determiner counts this much of one that always is. */
const BARE_SHARE = 0.35;
/** Endings that adverbs, adjectives and verb forms have. */
const NOT_A_NOUN = /(?:ly|ful|ous|able|ible|ial|ing|ed|est|ive|less)$/;
const ENDING_SHARE = 0.5;
/** Share of a word's mentions in one pair of words from which the pair is the topic. */
const PAIR_SHARE = 0.45;

interface Mention {
  count: number;
  behindDeterminer: number;
  surfaces: Map<string, number>;
  /** Stem that followed -> how often. */
  next: Map<string, number>;
}

const bump = (map: Map<string, number>, key: string): void => {
  map.set(key, (map.get(key) ?? 0) + 1);
};

const topOf = (map: Map<string, number>): [string, number] =>
  [...map].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length || (a[0] < b[0] ? -1 : 1))[0] ?? ['', 0];

const isName = (word: string, focus: ReadonlySet<string>): boolean =>
  isContentWord(word) &&
  !/^\d/.test(word) &&
  (focus.has(stem(word)) || (word.length > 2 && !/\d/.test(word) && !WEAK.has(stem(word))));

function countMentions(turns: Turns, from: number, to: number, focus: ReadonlySet<string>): Map<string, Mention> {
  const mentions = new Map<string, Mention>();
  for (let i = from; i < to; i++) {
    const spoken = turns.words[i]!;
    for (let k = 0; k < spoken.length; k++) {
      const word = spoken[k]!;
      if (!isName(word, focus)) continue;
      const root = stem(word);
      let own = mentions.get(root);
      if (!own) {
        own = { count: 0, behindDeterminer: 0, surfaces: new Map(), next: new Map() };
        mentions.set(root, own);
      }
      own.count++;
      bump(own.surfaces, word);
      const before = spoken[k - 1] ?? '';
      if (DETERMINERS.has(before) || (isContentWord(before) && DETERMINERS.has(spoken[k - 2] ?? '')))
        own.behindDeterminer++;
      const after = spoken[k + 1];
      if (after !== undefined && after !== word && isName(after, focus)) bump(own.next, after);
    }
  }
  return mentions;
}

/**
 * What utterances `from` to `to` (exclusive) are about, most telling first: said there more often than in everyday
 * talk, preferably where nouns stand; pairs of words that go together stay together.
 * @param focus stems of the caller's context or goal; they come first where they occur.
 */
export function topicWords(
  turns: Turns,
  from: number,
  to: number,
  focus: ReadonlySet<string>,
  count: number,
): TopicWord[] {
  const vectors = wordVectors();
  const mentions = countMentions(turns, from, to, focus);
  let total = 0;
  for (const { count: own } of mentions.values()) total += own;
  const scored = [...mentions].map(([root, own]): TopicWord => {
    const row = vectors.index.get(root);
    const common = row === undefined ? UNSEEN_FREQUENCY : vectors.frequency[row]!;
    const ratio = (own.count / total + SMOOTHING) / (common + SMOOTHING);
    const [surface] = topOf(own.surfaces);
    const focused = focus.has(root);
    const standing = BARE_SHARE + (1 - BARE_SHARE) * (own.behindDeterminer / own.count);
    const noun = focused ? 1 : standing * (NOT_A_NOUN.test(surface) ? ENDING_SHARE : 1);
    return { stem: root, surface, score: own.count * Math.log1p(ratio) * noun * (focused ? FOCUS_BOOST : 1) };
  });
  scored.sort((a, b) => b.score - a.score || (a.stem < b.stem ? -1 : 1));
  const out: TopicWord[] = [];
  const told = new Set<string>();
  for (const topic of scored) {
    if (out.length === count) break;
    if (told.has(topic.stem)) continue;
    const pair = pairOf(topic, mentions, told);
    for (const word of pair.split(' ')) told.add(stem(word));
    out.push({ ...topic, surface: pair });
  }
  return out;
}

/** The topic with the word it is nearly always said with, unless that was told already, else as it is. */
function pairOf(topic: TopicWord, mentions: Map<string, Mention>, told: ReadonlySet<string>): string {
  const own = mentions.get(topic.stem)!;
  const needed = Math.max(2, PAIR_SHARE * own.count);
  const [after, often] = topOf(own.next);
  if (often >= needed && !told.has(stem(after))) return `${topic.surface} ${after}`;
  for (const [root, other] of mentions) {
    if (told.has(root)) continue;
    const together = other.next.get(topic.surface) ?? 0;
    if (together >= needed) return `${topOf(other.surfaces)[0]} ${topic.surface}`;
  }
  return topic.surface;
}

/** The stems of the caller's focus. */
export const focusStems = (focus: string): Set<string> =>
  new Set(
    words(focus)
      .map(stem)
      .filter((s) => s.length > 2 && !WEAK.has(s)),
  );
