import type { LexicalMarkers } from '../../../../src/contract/timeline.ts';
import type { HedgeKind, HesitationForms } from '../../../../src/conversation/affect-lexicon.ts';
import { type Language, oncePerLanguage } from '../../../../src/conversation/language.ts';
import { PhraseMatcher } from '../../../../src/conversation/text/phrases.ts';
import { asks } from '../../../../src/conversation/text/questions.ts';
import { words as wordsOf } from '../../../../src/conversation/text/tokens.ts';

export interface Hedge {
  phrase: string;
  kind: HedgeKind;
}

const hedgeMatcher = oncePerLanguage(({ affect }) => new PhraseMatcher({ ...affect.hesitation.hedges }, {}));
const editMatcher = oncePerLanguage(({ affect }) => new PhraseMatcher({ ...affect.hesitation.editTerms }, {}));

/** The hedges in a list of words, excluding negated ones ("it's not kind of hard") and lookalikes ("what kind of"). */
export function hedgesIn(words: string[], language: Language): Hedge[] {
  const forms = language.affect.hesitation;
  const hedges = hedgeMatcher(language)
    .find(words)
    .flatMap(({ at, length, cue }): Hedge[] => {
      const phrase = words.slice(at, at + length).join(' ');
      const before = words[at - 1] ?? '';
      const after = words[at + length] ?? '';
      const isNegated = forms.negation.test(before) && !forms.negatedHedge.test(phrase);
      const isLookAlike = forms.lookAlikes.some(
        (other) => other.phrase.test(phrase) && (other.before?.test(before) || other.after?.test(after)),
      );
      return isNegated || isLookAlike ? [] : [{ phrase, kind: cue as HedgeKind }];
    });
  words.forEach((word, at) => {
    if (
      forms.approximators.has(word) &&
      forms.number.test(words[at + 1] ?? '') &&
      !forms.noApproximation.test(words[at - 1] ?? '')
    )
      hedges.push({ phrase: word, kind: 'propositional' });
  });
  return hedges;
}

export interface Disfluencies {
  fillers: string[];
  repeats: string[];
  /** Words repeated in a changed form: "on tuesday - no, on wednesday". */
  repairs: string[];
}

/** Longest repair that is detected, in words (Shriberg 1994: most reparanda are shorter). */
const REPAIR_WINDOW = 4;

/**
 * Fillers, word repeats and self-repairs in a list of words, following the pattern of Shriberg 1994: reparandum,
 * interregnum, repair.
 */
export function disfluenciesIn(words: string[], language: Language): Disfluencies {
  const forms = language.affect.hesitation;
  const fillers = words.filter((word) => forms.fillers.has(word));
  const fluent = words.filter((word) => !forms.fillers.has(word));
  const repeats: string[] = [];
  const repairs: string[] = [];
  for (let at = 0; at < fluent.length; at++) {
    const word = fluent[at]!;
    if (word.endsWith('-')) repairs.push(word);
    else if (word === fluent[at + 1] && !forms.repeatable.test(word)) repeats.push(word);
    const repaired = repairAt(fluent, at, forms);
    if (repaired > 0) {
      repairs.push(fluent.slice(at, at + repaired).join(' '));
      at += repaired;
    }
  }
  for (const { cue, at, length } of editMatcher(language).find(fluent)) {
    const term = fluent.slice(at, at + length).join(' ');
    if (cue === 'repair') repairs.push(term);
    else if (at > 0) fillers.push(term);
  }
  return { fillers, repeats, repairs };
}

/**
 * Number of words before the same two words start again ("we should we could" -> 2), or 1 after "no, I mean". 0 means
 * no repair.
 */
function repairAt(words: string[], at: number, { begunAgain, correcting, joining }: HesitationForms): number {
  for (let gap = 2; gap <= REPAIR_WINDOW; gap++) {
    const again = words[at + gap];
    if (again === undefined || again !== words[at] || !begunAgain.test(again)) continue;
    const last = words[at + gap - 1] ?? '';
    const restart = gap === 2 || words[at + gap + 1] === words[at + 1] || correcting.test(last);
    if (restart && !joining.test(last)) return gap;
  }
  return 0;
}

/** Lexical markers of an utterance, with the counts that the rates are based on. */
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

/** Measures hedges, disfluencies, questions and repairs in an utterance's text. */
export function readLexical(text: string, language: Language): LexicalReading {
  const words = wordsOf(text, 'joined');
  const hedges = hedgesIn(words, language);
  const disfluencies = disfluenciesIn(words, language);
  const { fillers, repeats, repairs } = disfluencies;
  const stumbles = fillers.length + repeats.length + repairs.length;
  const rate = (n: number) => (words.length === 0 ? 0 : Math.min(1, n / words.length));
  const isQuestion = asks(text, language);
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
