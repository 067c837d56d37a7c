import { SURE_FROM } from '../../contract/patterns.ts';
import { RULE_LIMITS, type RuleCondition } from '../../contract/rule-conditions.ts';
import type { Language } from '../language.ts';
import { languageOf } from '../languages.ts';
import {
  isUnknownSentiment,
  isUnread,
  type RuleConversation,
  type RuleFacts,
  type RuleMoment,
  sentimentLetter,
} from './facts.ts';
import { ConversationWords, type PhraseSpan, Phrases, type PhraseWords, quoteOf } from './phrases.ts';
import { type RuleScope, scopeOf, speakersOf } from './scope.ts';
import {
  all,
  any,
  type ConditionHit,
  type ConditionVerdict,
  HIDDEN,
  NO,
  not,
  type RuleOutcome,
  UNKNOWN,
  within,
  YES,
} from './verdicts.ts';

/** A hit as it is shown. */
export interface RuleEvidence {
  utterances: number[];
  /** The name of the speaker of the first utterance; null for silence. */
  speaker: string | null;
  start: number;
  end: number;
  quote: string;
  spans: PhraseSpan[];
  /** Whether it rests on a moment or a transition that is unsure. */
  isUnsure: boolean;
}

/** The outcome of a rule in one conversation. */
export interface RuleEvaluated {
  outcome: RuleOutcome;
  /** The first hits, in order. Empty if nothing but an absence or a total matches. */
  hits: RuleEvidence[];
  /** The number of hits, and of those that are unsure. */
  total: number;
  unsure: number;
}

/** The outcome of a rule in one conversation, for a trial. */
export interface RuleTried extends RuleEvaluated {
  /** For each `said` that was asked about, the number of hits in which each of its phrases is said. */
  phrases: number[][];
  /** The hits of each wider condition that are none of the rule. */
  beyond: RuleEvaluated[];
}

type Said = NonNullable<RuleCondition['said']>;

/** An utterance with phrases: their places in it, and the indices of the phrases. */
interface Found {
  utterance: number;
  spans: PhraseSpan[];
  phrases: number[];
}

/** Whether a language is the wanted one or a form of it: `en-GB` is a form of `en`. */
const isLanguage = (tag: string, wanted: string): boolean =>
  tag.toLowerCase() === wanted.toLowerCase() || tag.toLowerCase().startsWith(`${wanted.toLowerCase()}-`);

/**
 * Evaluates rules over one conversation. A live session keeps it and evaluates again as more is said: what was read
 * once is not read again. Its cost is at most the conditions and phrases of a rule times the utterances.
 */
export class RuleEvaluation {
  readonly #conversation: RuleConversation;
  readonly #language: Language;
  readonly #words: ConversationWords;
  /** The utterances that each list of phrases has found so far, by how their words are compared. */
  readonly #said = new WeakMap<object, Map<PhraseWords, { phrases: Phrases; read: number; found: Found[] }>>();

  constructor(conversation: RuleConversation) {
    this.#conversation = conversation;
    this.#language = languageOf(conversation.facts.language);
    this.#words = new ConversationWords(conversation, this.#language);
  }

  /** @param when must be the same object when the rule is evaluated again */
  evaluate(when: RuleCondition): RuleEvaluated {
    return this.#shown(this.#verdict(when));
  }

  /**
   * Evaluates a rule for a trial.
   * @param said the conditions whose phrases are counted
   * @param wider conditions that match more. Phrases that they share with the rule, as the same array, are not read again
   */
  try(when: RuleCondition, said: readonly Said[], wider: readonly RuleCondition[]): RuleTried {
    const verdict = this.#verdict(when);
    const known = new Set(verdict.hits.map(beginningOf));
    const isMatched = verdict.outcome === 'matched';
    return {
      ...this.#shown(verdict),
      phrases: said.map((one) => (isMatched ? this.#phraseCounts(one, verdict.hits) : one.phrases.map(() => 0))),
      beyond: wider.map((one) => {
        const more = this.#verdict(one);
        const hits = more.outcome === 'matched' ? more.hits.filter((hit) => !known.has(beginningOf(hit))) : [];
        const isMore = more.outcome === 'matched' && (hits.length > 0 || !isMatched);
        return this.#shown({ outcome: isMore ? 'matched' : 'not_matched', hits });
      }),
    };
  }

  /** The number of hits in which each phrase is said as the condition wants it. */
  #phraseCounts(said: Said, hits: readonly ConditionHit[]): number[] {
    const counts = said.phrases.map(() => 0);
    const scope = scopeOf(said, this.#conversation);
    if (!scope) return counts;
    const byUtterance = new Map(
      this.#phrasesIn(said)
        .filter(({ utterance, spans }) => this.#isIn(scope, this.#hit(utterance, spans)))
        .map(({ utterance, phrases }) => [utterance, phrases]),
    );
    for (const { utterances } of hits)
      for (const phrase of new Set(utterances.flatMap((u) => byUtterance.get(u) ?? []))) counts[phrase]!++;
    return counts;
  }

  #shown({ outcome, hits }: ConditionVerdict): RuleEvaluated {
    const { facts, texts } = this.#conversation;
    return {
      outcome,
      total: hits.length,
      unsure: hits.filter(({ isUnsure }) => isUnsure).length,
      hits: hits.slice(0, RULE_LIMITS.hits).map(({ utterances, start, end, spans, isUnsure = false }): RuleEvidence => {
        const [first] = utterances;
        const speaker = first === undefined ? null : (facts.speakers[facts.speaker[first] ?? -1]?.name ?? null);
        return { utterances, speaker, start, end, isUnsure, ...quoteOf(texts[first ?? -1] ?? '', spans) };
      }),
    };
  }

  #verdict(when: RuleCondition): ConditionVerdict {
    if (when.all) return all(when.all.map((one) => this.#verdict(one)));
    if (when.any) return any(when.any.map((one) => this.#verdict(one)));
    if (when.not) return not(this.#verdict(when.not));
    if (when.within) return this.#within(when.within);
    if (when.said) return this.#saidVerdict(when.said);
    if (when.moment) return this.#moment(when.moment);
    if (when.transition) return this.#transition(when.transition);
    if (when.sentiment) return this.#sentiment(when.sentiment);
    if (when.silence) return this.#silence(when.silence);
    if (when.interruption) return this.#interruption(when.interruption);
    if (when.talk_share) return this.#talkShare(when.talk_share);
    if (when.length) return this.#length(when.length);
    if (when.language) return this.#languageIs(when.language);
    return UNKNOWN;
  }

  #saidVerdict(said: Said): ConditionVerdict {
    const scope = scopeOf(said, this.#conversation);
    const found = this.#phrasesIn(said);
    if (!scope) return found.length === 0 && !this.#conversation.isOpen ? NO : HIDDEN;
    return settled(
      found.map(({ utterance, spans }) => this.#hit(utterance, spans)).filter((hit) => this.#isIn(scope, hit)),
      scope,
    );
  }

  /** The phrases in all utterances. Those read by an earlier call are not read again. */
  #phrasesIn({ phrases, words }: Said): Found[] {
    const byWords = this.#said.get(phrases) ?? new Map();
    this.#said.set(phrases, byWords);
    const kept = byWords.get(words) ?? { phrases: new Phrases(phrases, words, this.#language), read: 0, found: [] };
    byWords.set(words, kept);
    for (; kept.read < this.#conversation.texts.length; kept.read++) {
      const found = kept.phrases.findIn(this.#words.of(kept.read));
      if (found.spans.length > 0) kept.found.push({ utterance: kept.read, ...found });
    }
    return kept.found;
  }

  #moment(wanted: NonNullable<RuleCondition['moment']>): ConditionVerdict {
    const scope = scopeOf(wanted, this.#conversation);
    if (!scope) return HIDDEN;
    const hits = this.#facts.moments
      .filter(({ category, confidence, speaker, start, utterances }) => {
        const isWanted = wanted.categories.includes(category) && confidence >= wanted.min_confidence;
        return isWanted && scope.holds(speaker, start, utterances);
      })
      .map((moment) => this.#hitOf(moment));
    return settled(hits, scope, this.#isIncomplete(scope, isUnread));
  }

  #transition(wanted: NonNullable<RuleCondition['transition']>): ConditionVerdict {
    const scope = scopeOf(wanted, this.#conversation);
    if (!scope) return HIDDEN;
    const { from, to, min_confidence = 0 } = wanted;
    const hits = this.#facts.transitions
      .filter((one) => {
        const isWanted = (from?.includes(one.from) ?? true) && (to?.includes(one.to) ?? true);
        return isWanted && one.confidence >= min_confidence && scope.holds(one.speaker, one.start, one.utterances);
      })
      .map((transition) => this.#hitOf(transition));
    return settled(hits, scope, this.#isIncomplete(scope, isUnknownSentiment));
  }

  #sentiment(wanted: NonNullable<RuleCondition['sentiment']>): ConditionVerdict {
    const scope = scopeOf(wanted, this.#conversation);
    if (!scope) return HIDDEN;
    const letters = new Set(wanted.is.map(sentimentLetter));
    const hits = Array.from(this.#facts.sentiment)
      .flatMap((letter, utterance) => (letters.has(letter) ? [this.#hit(utterance, [])] : []))
      .filter((hit) => this.#isIn(scope, hit));
    return settled(hits, scope, this.#isIncomplete(scope, isUnknownSentiment));
  }

  #silence({ min_seconds, where }: NonNullable<RuleCondition['silence']>): ConditionVerdict {
    const scope = scopeOf({ where }, this.#conversation);
    if (!scope) return HIDDEN;
    const hits = silencesOf(this.#conversation).flatMap(([from, to, next]): ConditionHit[] => {
      const start = Math.max(from, scope.part.from);
      const end = Math.min(to, scope.part.to);
      const isPlaced = scope.holds(-1, start, next === null ? [] : [next]);
      return end - start >= min_seconds && isPlaced ? [{ utterances: [], start, end, spans: [] }] : [];
    });
    return settled(hits, scope);
  }

  #interruption(wanted: NonNullable<RuleCondition['interruption']>): ConditionVerdict {
    const scope = scopeOf(wanted, this.#conversation);
    if (!scope) return HIDDEN;
    const found = this.#facts.interruptions
      .map(([utterance, seconds]) => ({ hit: this.#hit(utterance, []), seconds }))
      .filter(({ hit }) => this.#isIn(scope, hit));
    const seconds = found.reduce((sum, one) => sum + one.seconds, 0);
    const isEnough = found.length >= wanted.min_count && seconds >= wanted.min_seconds;
    return settled(isEnough ? found.map(({ hit }) => hit) : [], scope);
  }

  #talkShare({ who, min = 0, max = 1 }: NonNullable<RuleCondition['talk_share']>): ConditionVerdict {
    const { facts, isOpen } = this.#conversation;
    const speakers = speakersOf(who, facts);
    if (!speakers || isOpen) return speakers ? UNKNOWN : HIDDEN;
    const seconds = (of: (speaker: number) => boolean): number =>
      facts.speaker.reduce((sum, one, u) => (of(one) ? sum + facts.end[u]! - facts.start[u]! : sum), 0);
    const total = seconds(() => true);
    if (total === 0 || speakers.size === 0) return NO;
    const share = seconds((one) => speakers.has(one)) / total;
    return share >= min && share <= max ? YES : NO;
  }

  #length({ min = 0, max = Number.POSITIVE_INFINITY }: NonNullable<RuleCondition['length']>): ConditionVerdict {
    const { facts, isOpen } = this.#conversation;
    if (facts.duration > max) return NO;
    if (isOpen) return facts.duration >= min && max === Number.POSITIVE_INFINITY ? YES : UNKNOWN;
    return facts.duration >= min ? YES : NO;
  }

  #languageIs({ is }: NonNullable<RuleCondition['language']>): ConditionVerdict {
    const { language } = this.#facts;
    if (language === null) return HIDDEN;
    return is.some((wanted) => isLanguage(language, wanted)) ? YES : NO;
  }

  #within({ seconds, all: conditions }: NonNullable<RuleCondition['within']>): ConditionVerdict {
    const { facts, isOpen } = this.#conversation;
    const wanted = conditions.flatMap((one) => (one.not ? [] : [this.#verdict(one)]));
    const unwanted = conditions.flatMap((one) => (one.not ? [this.#verdict(one.not)] : []));
    return within(seconds, wanted, unwanted, isOpen ? facts.duration : Number.POSITIVE_INFINITY);
  }

  get #facts(): RuleFacts {
    return this.#conversation.facts;
  }

  #hit(utterance: number, spans: PhraseSpan[]): ConditionHit {
    const { start, end } = this.#facts;
    return { utterances: [utterance], start: start[utterance]!, end: end[utterance]!, spans };
  }

  #hitOf({ utterances, start, confidence }: Pick<RuleMoment, 'utterances' | 'start' | 'confidence'>): ConditionHit {
    const end = utterances.reduce((last, u) => Math.max(last, this.#facts.end[u] ?? 0), start);
    return { utterances, start, end, spans: [], isUnsure: confidence < SURE_FROM };
  }

  #isIn(scope: RuleScope, { utterances, start }: ConditionHit): boolean {
    return scope.holds(this.#facts.speaker[utterances[0]!] ?? -1, start, utterances);
  }

  /**
   * Whether a finding may be missing for what was already said: a live session finds it later, or an utterance in the
   * scope has such a letter.
   */
  #isIncomplete(scope: RuleScope, is: (letter: string | undefined) => boolean): boolean {
    if (this.#conversation.isOpen || scope.isIncomplete) return true;
    const { sentiment, speaker, start } = this.#facts;
    return Array.from(sentiment).some((letter, u) => is(letter) && scope.holds(speaker[u]!, start[u]!, [u]));
  }
}

/**
 * The time at which a hit begins, by which hits of a rule and of a wider one are compared. The utterances of a hit that
 * begins with a silence are those of its other conditions, which may be others in a wider rule.
 */
const beginningOf = ({ start }: ConditionHit): number => start;

/** @param isIncomplete whether hits may be missing for what was already said */
function settled(hits: ConditionHit[], scope: RuleScope, isIncomplete = scope.isIncomplete): ConditionVerdict {
  if (hits.length > 0) {
    const judged = hits.map((hit) => (scope.isUnsure(hit.start, hit.utterances) ? { ...hit, isUnsure: true } : hit));
    return { outcome: 'matched', hits: judged, isIncomplete };
  }
  return scope.isOpen || isIncomplete ? { ...UNKNOWN, isIncomplete } : NO;
}

/** Times in which nobody speaks, with the utterance after each: null at the end of the recording. */
function silencesOf({ facts, isOpen }: RuleConversation): [from: number, to: number, next: number | null][] {
  const silences: [number, number, number | null][] = [];
  const order = facts.start.map((_, u) => u).sort((a, b) => facts.start[a]! - facts.start[b]!);
  let covered = 0;
  for (const u of order) {
    if (facts.start[u]! > covered) silences.push([covered, facts.start[u]!, u]);
    covered = Math.max(covered, facts.end[u]!);
  }
  if (!isOpen && facts.duration > covered) silences.push([covered, facts.duration, null]);
  return silences;
}
