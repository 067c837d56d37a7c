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

/** Finds any of several phrases, in any form of their words or exactly. */
export class Phrases {
  readonly #isExact: boolean;
  /** The words of each phrase, by their first one. */
  readonly #byFirst = new Map<string, string[][]>();

  constructor(phrases: readonly string[], isExact: boolean, language: Language) {
    this.#isExact = isExact;
    const form = formOf(language);
    for (const phrase of phrases) {
      const parts = placedWords(phrase).map(({ word }) => (isExact ? word : form(word)));
      const [first] = parts;
      if (first !== undefined) this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), parts]);
    }
    // The longest phrase is preferred.
    for (const same of this.#byFirst.values()) same.sort((a, b) => b.length - a.length);
  }

  /** The places of the phrases, leftmost first and without overlaps. */
  spansIn(tokens: readonly Token[]): PhraseSpan[] {
    const spans: PhraseSpan[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const found = this.#byFirst.get(this.#partOf(tokens[at]!))?.find((parts) => this.#isAt(parts, tokens, at));
      if (!found) continue;
      spans.push([tokens[at]!.at, tokens[at + found.length - 1]!.end]);
      at += found.length - 1;
    }
    return spans;
  }

  #isAt(parts: readonly string[], tokens: readonly Token[], at: number): boolean {
    return at + parts.length <= tokens.length && parts.every((part, i) => this.#partOf(tokens[at + i]!) === part);
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
