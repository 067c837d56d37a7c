import type { LexicalMarkers } from '../../../../src/contract/timeline.ts';
import { findPhrases, sentencesOf, wordsOf } from '../tokens.ts';

/**
 * Hedges after Prokofieva & Hirschberg (2014): relational ones limit the speaker's own commitment, propositional ones
 * make the content vague. Longest phrase first.
 */
type HedgeKind = 'relational' | 'propositional';
const HEDGES = new Map<string, HedgeKind>([
  ...`i think|i guess|i suppose|i believe|i assume|i suspect|i imagine|i reckon|i feel like|i would say|i'd say|i mean i think|in my opinion|as far as i know|as far as i can tell|if i'm not mistaken|i'm not sure|not sure|i'm not certain|not certain|i don't know|not quite sure|it seems|it looks like|looks like|seems like|seems to|it appears|apparently|supposedly|presumably|probably|maybe|perhaps|possibly|potentially|might|may be|may have|could be|could have been|i could see|should be|hopefully|i hope|arguably|in theory|more or less likely|most likely|likely|unlikely|for the most part|to some extent|we'll see|i'd have to check|i would have to check|don't quote me`
    .split('|')
    .map((phrase) => [phrase, 'relational'] as const),
  ...`kind of|kinda|sort of|sorta|a bit|a little bit|a little|somewhat|roughly|approximately|around about|more or less|or so|or something|or something like that|something like that|something like|and stuff|and things like that|or whatever|or thereabouts|give or take|pretty much|ballpark|in a way|in a sense|almost|basically|essentially|fairly|mostly|generally|usually|typically|in general|some kind of|some sort of|ish`
    .split('|')
    .map((phrase) => [phrase, 'propositional'] as const),
]);
/** "about twenty", "around 5", "like three": a hedge only before a number. */
const BEFORE_NUMBER = new Set(['about', 'around', 'like', 'some']);
const NUMBER =
  /^(\d[\d,.:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|a)$/;
/** Words that turn "kind of" and "sort of" into a noun: "what kind of", "the same sort of". */
const NOUN_BEFORE_OF =
  /^(what|which|this|that|these|those|same|any|every|each|all|another|other|different|one|first|the|right|his|her|my|our|your)$/;
const NEGATION = /^(not|never|no|don't|doesn't|didn't|isn't|wasn't|won't|can't|cannot|couldn't|wouldn't|shouldn't)$/;
/** Phrases that carry their own negation, or are hedges because of it. */
const NEGATION_INSIDE = /^(i'm not|not |i don't know|don't quote)/;

export interface Hedge {
  phrase: string;
  kind: HedgeKind;
}

/** The hedges in a row of words; negated ones ("it's not kind of hard") and look-alikes ("what kind of", "I think about") left out. */
export function hedgesIn(words: string[]): Hedge[] {
  const hedges: Hedge[] = findPhrases(words, HEDGES)
    .filter(({ at, length, phrase }) => {
      const before = words[at - 1] ?? '';
      const after = words[at + length] ?? '';
      if (NEGATION.test(before) && !NEGATION_INSIDE.test(phrase)) return false;
      if (/^(kind|sort) of$/.test(phrase)) return !NOUN_BEFORE_OF.test(before) && !/^(an?|the)$/.test(after);
      if (phrase === 'i think') return !/^(about|of|through|over|so)$/.test(after) || after === 'so';
      if (phrase === 'might' || phrase === 'likely') return !/^(the|a|his|her|full)$/.test(before);
      if (phrase === 'a little' || phrase === 'a bit') return after !== 'of';
      if (phrase === 'should be') return before !== 'there';
      return true;
    })
    .map(({ phrase, value }) => ({ phrase, kind: value }));
  words.forEach((word, at) => {
    const after = words[at + 1] ?? '';
    if (
      BEFORE_NUMBER.has(word) &&
      NUMBER.test(after) &&
      after !== 'a' &&
      !/^(talk|talked|talking|think)$/.test(words[at - 1] ?? '')
    )
      hedges.push({ phrase: word, kind: 'propositional' });
  });
  return hedges;
}

const FILLERS = new Set(['uh', 'um', 'er', 'erm', 'uhm', 'umm', 'uhh', 'hmm', 'hm', 'mm', 'ehm', 'eh']);
const EDIT_TERMS = new Map(
  ['i mean', 'you know', 'or rather', 'no wait', 'wait no', 'scratch that', 'let me rephrase'].map((p) => [p, true]),
);
/** Words said twice for emphasis or by grammar, not by stumbling. */
const REPEATABLE =
  /^(very|really|so|no|yes|yeah|yep|okay|ok|right|bye|ha|haha|that|had|many|much|more|way|far|long|please|thank|hey|well|sure|now|never|\d+|zero|one|two|three|four|five|six|seven|eight|nine|oh|la|knock|blah)$/;

export interface Disfluencies {
  fillers: string[];
  repeats: string[];
  /** Stretches said again in changed form: "on tuesday - no, on wednesday". */
  repairs: string[];
}

/** Longest stretch of a repair looked at, in words (Shriberg 1994: most reparanda are shorter). */
const REPAIR_WINDOW = 4;

/** Fillers, word repeats and self-repairs in a row of words (pattern of Shriberg 1994: reparandum, interregnum, repair). */
export function disfluenciesIn(words: string[]): Disfluencies {
  const fillers = words.filter((word) => FILLERS.has(word));
  const fluent = words.filter((word) => !FILLERS.has(word));
  const repeats: string[] = [];
  const repairs: string[] = [];
  for (let at = 0; at < fluent.length; at++) {
    const word = fluent[at]!;
    if (word.endsWith('-')) repairs.push(word);
    else if (word === fluent[at + 1] && !REPEATABLE.test(word)) repeats.push(word);
    const repaired = repairAt(fluent, at);
    if (repaired > 0) {
      repairs.push(fluent.slice(at, at + repaired).join(' '));
      at += repaired;
    }
  }
  for (const edit of findPhrases(fluent, EDIT_TERMS)) {
    const outside = edit.phrase === 'i mean' || edit.phrase === 'you know';
    if (!outside) repairs.push(edit.phrase);
    else if (edit.at > 0 && edit.phrase === 'you know') fillers.push(edit.phrase);
  }
  return { fillers, repeats, repairs };
}

/** Words until the same two words are begun again ("we should we could" -> 2), or one word after "no, I mean"; 0 = no repair. */
function repairAt(words: string[], at: number): number {
  for (let gap = 2; gap <= REPAIR_WINDOW; gap++) {
    const again = words[at + gap];
    if (
      again === undefined ||
      again !== words[at] ||
      !/^(i|we|you|he|she|it|they|the|a|on|to|in|at|for|it's|i'm|that's|there's)$/.test(again)
    )
      continue;
    const between = words.slice(at + 1, at + gap);
    const restart =
      gap === 2 || words[at + gap + 1] === words[at + 1] || /^(no|sorry|mean|rather|well)$/.test(between.at(-1) ?? '');
    if (restart && !/^(and|or|but|to|is|was)$/.test(between.at(-1) ?? '')) return gap;
  }
  return 0;
}

const AUXILIARY =
  "do|does|did|is|are|was|were|can|could|will|would|should|shall|have|has|had|may|isn't|aren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|haven't|hasn't";
const SUBJECT = 'i|you|we|they|he|she|it|that|this|there|these|those|anyone|anybody|somebody|someone';
const OPENING =
  /^((and|so|but|okay|ok|well|right|yeah|yes|no|oh|um|uh|now|then|sorry|hey|hi|hello|wait|actually|alright)\s+)*/;
const INVERSION = new RegExp(`^(${AUXILIARY}) (${SUBJECT})\\b`);
const WH = new RegExp(
  `^((what|where|when|why|who|how|which)( (much|many|long|often|far|soon|about|kind of \\w+|time|exactly|else|come))?) (${AUXILIARY})\\b|^(what|how) about\\b|^how (much|many|come|long)\\b|^(what|why|how|where|when|who)('s|'re)?$|^(what|where|who|how|when|why)'s (the|your|that|this|it|my|his|her)\\b`,
);
const TAG = new RegExp(
  `\\b(${AUXILIARY}) (i|you|we|they|he|she|it|that|there)( not)?$|\\b(right|correct|okay|huh|eh)$`,
);

/** Whether an utterance asks. A question mark counts; without any closing mark, inversion, a question word or a tag does. */
export function asksQuestion(text: string): boolean {
  return sentencesOf(text).some(({ text: sentence, end }) => {
    if (end.includes('?')) return true;
    const words = wordsOf(sentence);
    const body = words.join(' ').replace(OPENING, '');
    if (end !== '')
      return (
        INVERSION.test(body) &&
        /^(do|does|did|can|could|would|will|are|is|have) (you|we|i|it)\b/.test(body) &&
        words.length <= 12
      );
    return (
      INVERSION.test(body) ||
      WH.test(body) ||
      (words.length > 3 &&
        TAG.test(body) &&
        /\b(isn't|aren't|don't|doesn't|didn't|won't|can't|right|correct)\b/.test(body))
    );
  });
}

/** What the words of an utterance show beside their meaning, with the counts the rates come from. */
export interface LexicalReading {
  words: string[];
  hedges: Hedge[];
  disfluencies: Disfluencies;
  markers: LexicalMarkers;
}

const quote = (items: string[]) =>
  [...new Set(items)]
    .slice(0, 3)
    .map((item) => `"${item}"`)
    .join(', ');
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** Measures hedges, disfluencies, questions and repairs of an utterance's text. */
export function readLexical(text: string): LexicalReading {
  const words = wordsOf(text);
  const hedges = hedgesIn(words);
  const disfluencies = disfluenciesIn(words);
  const { fillers, repeats, repairs } = disfluencies;
  const stumbles = fillers.length + repeats.length + repairs.length;
  const rate = (n: number) => (words.length === 0 ? 0 : Math.min(1, n / words.length));
  const isQuestion = asksQuestion(text);
  const reasons: string[] = [];
  if (hedges.length > 0)
    reasons.push(`${count(hedges.length, 'hedge')} (${quote(hedges.map((hedge) => hedge.phrase))})`);
  if (fillers.length > 0) reasons.push(`${count(fillers.length, 'filler')} (${quote(fillers)})`);
  if (repeats.length > 0) reasons.push(`${count(repeats.length, 'repeated word')} (${quote(repeats)})`);
  if (repairs.length > 0) reasons.push(`${count(repairs.length, 'self-repair')} (${quote(repairs)})`);
  const listed = reasons.length === 0 ? 'no hedges, fillers or repairs' : reasons.join('; ');
  const reasoning = `${count(words.length, 'word')}: ${listed}${isQuestion ? '; asked as a question' : ''}.`;
  return {
    words,
    hedges,
    disfluencies,
    markers: {
      hedge_density: rate(hedges.length),
      disfluency_rate: rate(stumbles),
      is_question: isQuestion,
      self_repair: repairs.length > 0,
      reasoning,
    },
  };
}
