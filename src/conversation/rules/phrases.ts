import type { Language } from '../language.ts';
import { placedWords } from '../text/tokens.ts';
import { formOf, type RuleConversation } from './facts.ts';

/** A word of an utterance, with its place in the text. */
interface Token {
  word: string;
  form: string;
  at: number;
  end: number;
}

/** The words of a conversation's utterances, shared by all rules that read it. */
export class ConversationWords {
  readonly #conversation: RuleConversation;
  readonly #form: (word: string) => string;
  readonly #words: (Token[] | undefined)[] = [];

  constructor(conversation: RuleConversation, language: Language) {
    this.#conversation = conversation;
    this.#form = formOf(language);
  }

  of(utterance: number): readonly Token[] {
    let tokens = this.#words[utterance];
    if (!tokens) {
      tokens = placedWords(this.#conversation.texts[utterance] ?? '').map((placed) => ({
        ...placed,
        form: this.#form(placed.word),
      }));
      this.#words[utterance] = tokens;
    }
    return tokens;
  }
}

/** The start and end of a phrase in a text. */
export type PhraseSpan = [start: number, end: number];

/** How the words of a phrase are compared with what is said; see `RuleCondition`. */
export type PhraseWords = 'any_form' | 'exact' | 'loose';

/** Other words that may stand between two words of a phrase in a loose match. */
const LOOSE_WORDS = 2;

/** Finds any of several phrases, in any form of their words, exactly, or loosely. */
export class Phrases {
  readonly #isExact: boolean;
  /** Words between two words of a phrase. */
  readonly #gap: number;
  /** The words of each phrase and its index, by the first word. */
  readonly #byFirst = new Map<string, { phrase: number; parts: string[] }[]>();

  constructor(phrases: readonly string[], words: PhraseWords, language: Language) {
    this.#isExact = words === 'exact';
    this.#gap = words === 'loose' ? LOOSE_WORDS : 0;
    const form = formOf(language);
    for (const [phrase, text] of phrases.entries()) {
      const parts = placedWords(text).map(({ word }) => (this.#isExact ? word : form(word)));
      const [first] = parts;
      if (first !== undefined) this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), { phrase, parts }]);
    }
    // The longest phrase is preferred.
    for (const same of this.#byFirst.values()) same.sort((a, b) => b.parts.length - a.parts.length);
  }

  /**
   * The phrases in a text.
   * @returns their places, leftmost first and without overlaps, and the indices of all phrases that are said, also of
   * those in others
   */
  findIn(tokens: readonly Token[]): { spans: PhraseSpan[]; phrases: number[] } {
    const spans: PhraseSpan[] = [];
    const said = new Set<number>();
    let free = 0;
    for (let at = 0; at < tokens.length; at++)
      for (const { phrase, parts } of this.#byFirst.get(this.#partOf(tokens[at]!)) ?? []) {
        const last = this.#lastOf(parts, tokens, at);
        if (last === null) continue;
        said.add(phrase);
        if (at < free) continue;
        spans.push([tokens[at]!.at, tokens[last]!.end]);
        free = last + 1;
      }
    return { spans, phrases: [...said] };
  }

  /** The index of a phrase's last word if its first one is at an index; null if the phrase is not said there. */
  #lastOf(parts: readonly string[], tokens: readonly Token[], first: number): number | null {
    let last = first;
    for (let i = 1; i < parts.length; i++) {
      const most = Math.min(last + 1 + this.#gap, tokens.length - 1);
      let next = last + 1;
      while (next <= most && this.#partOf(tokens[next]!) !== parts[i]) next++;
      if (next > most) return null;
      last = next;
    }
    return last;
  }

  #partOf({ word, form }: Token): string {
    return this.#isExact ? word : form;
  }
}

/** Length limit of a quote, and of what precedes its first phrase, characters. */
const QUOTE_CHARS = 240;
const LEAD_CHARS = 80;

/**
 * The part of a text around its first span, cut between words.
 * @returns the quote, and the spans in it
 */
export function quoteOf(text: string, spans: readonly PhraseSpan[]): { quote: string; spans: PhraseSpan[] } {
  if (text.length <= QUOTE_CHARS) return { quote: text.toWellFormed(), spans: [...spans] };
  const [first] = spans;
  const wanted = Math.max(0, (first?.[0] ?? 0) - LEAD_CHARS);
  const from = wanted === 0 ? 0 : text.lastIndexOf(' ', wanted) + 1;
  const least = Math.max(from + QUOTE_CHARS, first?.[1] ?? 0);
  const blank = text.length <= least ? text.length : text.lastIndexOf(' ', least);
  const to = Math.max(blank > from ? blank : least, first?.[1] ?? 0);
  const lead = from > 0 ? '… ' : '';
  const shift = lead.length - from;
  return {
    quote: `${lead}${text.slice(from, to).toWellFormed()}${to < text.length ? ' …' : ''}`,
    spans: spans.filter(([, end]) => end <= to).map(([start, end]): PhraseSpan => [start + shift, end + shift]),
  };
}
