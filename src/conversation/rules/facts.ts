import type { MomentEvent, TransitionEvent } from '../../contract/findings.ts';
import type { RuleSentiment } from '../../contract/rule-conditions.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { type Language, oncePerLanguage } from '../language.ts';
import { languageOf } from '../languages.ts';
import { isBackChannel } from '../text/back-channels.ts';
import { utteranceAsks } from '../text/questions.ts';
import { words } from '../text/tokens.ts';
import { interruptionMs, LatestEnds, type TimedTurn } from '../turn-taking/interruptions.ts';

/** One letter for the sentiment of an utterance, or for the reason why it has none. */
const SENTIMENT_LETTERS = { positive: 'p', negative: 'n', neutral: 'u', mixed: 'm' } as const;
/** The affect of the speaker was left out, or is not known yet. */
const WITHHELD = '-';
/** The words were not understood. */
const UNREAD = '?';
/** Positive and negative share from which an utterance is mixed. */
const MIXED = 0.25;

/** A moment as rules see it. Utterances are indices, times are seconds. */
export interface RuleMoment {
  category: MomentEvent['category'];
  speaker: number;
  start: number;
  utterances: number[];
  confidence: number;
}

/** A transition as rules see it. Its speaker is -1 if it has none. */
export interface RuleTransition {
  from: TransitionEvent['from_state'];
  to: TransitionEvent['to_state'];
  speaker: number;
  start: number;
  utterances: number[];
  confidence: number;
}

/**
 * The part of a conversation that rules read, without its texts: columns with a value for each utterance, and findings.
 * Times are seconds from the start of the recording.
 */
export interface RuleFacts {
  /** Length of the recording; of a live session, the end of its last utterance so far. */
  duration: number;
  /** BCP 47; null if it is not known. */
  language: string | null;
  /** The person and the role are absent if they are not known. */
  speakers: { label: string; name: string; person?: string; role?: string }[];
  /** Index of the speaker, start and end of each utterance. */
  speaker: number[];
  start: number[];
  end: number[];
  /** Utterances that ask. */
  asks: number[];
  /** A letter for each utterance: see `SENTIMENT_LETTERS`. */
  sentiment: string;
  /** Utterances that cut another speaker off, with the overlap in seconds. */
  interruptions: [utterance: number, seconds: number][];
  moments: RuleMoment[];
  transitions: RuleTransition[];
}

/** A conversation as rules see it. */
export interface RuleConversation {
  facts: RuleFacts;
  /** The text of each utterance. */
  texts: string[];
  /** Whether more may be said, as in a live session. */
  isOpen: boolean;
}

/** The members of an utterance that facts are made of. */
export type RuleUtterance = Pick<
  Utterance,
  'utterance_id' | 'speaker' | 't_start' | 't_end' | 'text' | 'sentiment' | 'unread' | 'lexical_markers'
> & { speaker_label?: string | undefined };

type Finding = Pick<MomentEvent, 'category' | 'speaker_id' | 'start_ms' | 'utterance_ids' | 'confidence'>;
type Change = Pick<
  TransitionEvent,
  'from_state' | 'to_state' | 'speaker_id' | 'at_ms' | 'evidence_utterance_ids' | 'confidence'
>;

/** The members of a result that facts are made of. */
export interface RuleResult {
  timeline: readonly RuleUtterance[];
  moments: readonly Finding[];
  transitions: readonly Change[];
  media: { duration_s: number };
  language?: string | null | undefined;
}

/** The letter of a sentiment, for comparison with `RuleFacts.sentiment`. */
export const sentimentLetter = (sentiment: RuleSentiment): string => SENTIMENT_LETTERS[sentiment];
/** Whether a letter says that the sentiment is not known. */
export const isUnknownSentiment = (letter: string | undefined): boolean => letter === WITHHELD || letter === UNREAD;
/** Whether a letter says that nothing could be concluded from the words. */
export const isUnread = (letter: string | undefined): boolean => letter === UNREAD;

/** Collects the facts of a conversation utterance by utterance, in a stored result as in a live session. */
export class FactsBuilder {
  readonly #language: Language;
  readonly #ends = new LatestEnds<TimedTurn>();
  readonly #byId = new Map<string, number>();
  readonly conversation: RuleConversation;

  /** @param language BCP 47; null if it is not known */
  constructor(language: string | null) {
    this.#language = languageOf(language);
    const columns = { speaker: [], start: [], end: [], asks: [], interruptions: [] };
    const facts = { duration: 0, language, speakers: [], ...columns, sentiment: '', moments: [], transitions: [] };
    this.conversation = { facts, texts: [], isOpen: true };
  }

  add(utterance: RuleUtterance): void {
    const { facts, texts } = this.conversation;
    const { utterance_id, speaker, speaker_label: label = speaker, t_start, t_end, text } = utterance;
    const index = texts.length;
    this.#byId.set(utterance_id, index);
    texts.push(text);
    facts.speaker.push(this.#speakerOf(speaker, label));
    facts.start.push(t_start);
    facts.end.push(t_end);
    facts.duration = Math.max(facts.duration, t_end);
    if (utteranceAsks(utterance, this.#language)) facts.asks.push(index);
    facts.sentiment += letterOf(utterance);
    const cut = this.#interruption(utterance);
    if (cut > 0) facts.interruptions.push([index, cut / 1000]);
  }

  addMoment({ category, speaker_id, start_ms, utterance_ids, confidence }: Finding): void {
    const speaker = this.#speakerOf(speaker_id, speaker_id);
    const utterances = this.#indicesOf(utterance_ids);
    this.conversation.facts.moments.push({ category, speaker, start: start_ms / 1000, utterances, confidence });
  }

  addTransition(change: Change): void {
    const { from_state: from, to_state: to, speaker_id, at_ms, evidence_utterance_ids: ids, confidence } = change;
    const speaker = speaker_id === undefined ? -1 : this.#speakerOf(speaker_id, speaker_id);
    const utterances = this.#indicesOf(ids);
    this.conversation.facts.transitions.push({ from, to, speaker, start: at_ms / 1000, utterances, confidence });
  }

  /** Ends the conversation, whose length is now known. @param duration seconds */
  close(duration: number): RuleConversation {
    const { facts, texts } = this.conversation;
    return { facts: { ...facts, duration: Math.max(facts.duration, duration) }, texts, isOpen: false };
  }

  #indicesOf(ids: readonly string[]): number[] {
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  #speakerOf(name: string, label: string): number {
    const { speakers } = this.conversation.facts;
    const known = speakers.findIndex((one) => one.name === name);
    return known >= 0 ? known : speakers.push({ label, name }) - 1;
  }

  #interruption({ speaker, t_start, t_end, text }: RuleUtterance): number {
    const spoken: TimedTurn = {
      speaker,
      startMs: Math.round(t_start * 1000),
      endMs: Math.round(t_end * 1000),
      words: words(text).length,
      backChannel: isBackChannel(text, this.#language),
    };
    const cut = interruptionMs(spoken, this.#ends.otherThan(speaker));
    this.#ends.add(spoken);
    return cut;
  }
}

function letterOf({ sentiment, unread }: RuleUtterance): string {
  if (unread) return UNREAD;
  if (!sentiment) return WITHHELD;
  const { positive = 0, negative = 0, neutral = 0 } = sentiment;
  if (positive >= MIXED && negative >= MIXED) return SENTIMENT_LETTERS.mixed;
  if (neutral >= positive && neutral >= negative) return SENTIMENT_LETTERS.neutral;
  return positive >= negative ? SENTIMENT_LETTERS.positive : SENTIMENT_LETTERS.negative;
}

/** The facts of a result. */
export function conversationOf({ timeline, moments, transitions, media, language }: RuleResult): RuleConversation {
  const builder = new FactsBuilder(language === 'unknown' ? null : (language ?? null));
  for (const utterance of timeline) builder.add(utterance);
  for (const moment of moments) builder.addMoment(moment);
  for (const transition of transitions) builder.addTransition(transition);
  return builder.close(media.duration_s);
}

/** Reduces a word to a form that it shares with its other forms: cancel, cancelled, cancelling; try, tried, tries. */
export const formOf = oncePerLanguage(({ words: forms }) => {
  const kept = new Map<string, string>();
  return (word: string): string => {
    let form = kept.get(word);
    if (form === undefined) {
      // A suffix leaves a doubled consonant (`stopped`) or turns y into i (`tried`).
      form = forms
        .stem(word)
        .replace(/([^aeiou\d])\1$/u, '$1')
        .replace(/i$/, 'y');
      if (kept.size >= KEPT_FORMS) kept.clear();
      kept.set(word, form);
    }
    return form;
  };
});
const KEPT_FORMS = 20_000;
