import {
  type RedactedSpan,
  type RedactionKind,
  redactionLabel,
  type UnredactedUtterance,
} from '../../../src/contract/redaction.ts';
import type { Word } from '../../../src/contract/timeline.ts';
import {
  digitsIn,
  type Mask,
  type Masked,
  numbersLeftIn,
  Redactor,
} from '../../../src/conversation/redaction/redactor.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { nameTagger } from '../conversation-weights.ts';
import type { SpokenUtterance } from '../stages/spoken.ts';
import { bare, isTrace, LEAST_DIGITS, type SpokenValue } from '../written-texts.ts';

/** Sound around a span that is muted with it, s. A recogniser places words less exactly than this. */
const MUTED_MARGIN_S = 0.25;
/** Most values of a recording that are searched for. */
const MOST_SECRETS = 2_000;

/** A redacted value. It never leaves the process. */
export interface Secret extends Interval, SpokenValue {
  /** The utterance that it belongs to. */
  utterance: Interval;
}

/** A place at which something of a value may be left. */
export type PlacedDoubt = Masked<unknown>['doubts'][number] & { at: number };

/** The redacted values of a recording so far. */
export class Redacted {
  readonly spans: RedactedSpan[] = [];
  readonly secrets: Secret[] = [];
  readonly doubts: PlacedDoubt[] = [];
  /** The words that are left of each utterance. */
  readonly left: (Interval & { words: string[] })[] = [];
  /** The utterances in which something was redacted, as they were said. */
  readonly originals: UnredactedUtterance[] = [];

  add(secret: Secret): void {
    const { kind, start, end } = secret;
    this.spans.push({ kind, t_start: start, t_end: end });
    if (this.secrets.length < MOST_SECRETS) this.secrets.push(secret);
  }

  get counts(): Partial<Record<RedactionKind, number>> {
    const counts: Partial<Record<RedactionKind, number>> = {};
    for (const { kind } of this.spans) counts[kind] = (counts[kind] ?? 0) + 1;
    return counts;
  }
}

/** Redacts utterances in order. An utterance waits while a later one can change what is redacted in it. */
export class UtteranceRedaction<T extends SpokenUtterance> {
  readonly #redactor: Redactor<T>;
  readonly redacted = new Redacted();

  /** @param holds false while a session is running: utterances never wait, and more of them is redacted. */
  constructor(kinds: readonly RedactionKind[], holds = true) {
    this.#redactor = new Redactor(kinds, { holds, tagger: nameTagger() });
  }

  /** @returns the utterances that are ready, in order */
  add(utterance: T): T[] {
    const settled = this.#redactor.add(utterance, spokenWords(utterance));
    return settled.map((one) => this.#apply(one));
  }

  /** @returns the utterances that were still waiting */
  end(): T[] {
    return this.#redactor.end().map((one) => this.#apply(one));
  }

  /** Interim text without anything that could be a part of a value. */
  interim(text: string): string {
    const words = text.split(/\s+/u).filter((word) => word !== '');
    const masks = this.#redactor.peek({ speaker: '', words });
    return labelled(words, masks).join(' ');
  }

  #apply({ item: utterance, masks, doubts }: Masked<T>): T {
    const { start, end } = utterance;
    this.redacted.doubts.push(...doubts.map((doubt) => ({ ...doubt, at: start })));
    const isLeft = utterance.words.map(() => true);
    for (const { from, to } of masks) isLeft.fill(false, from, to + 1);
    const left = utterance.words.flatMap(({ word }, i) => (isLeft[i] ? [word] : []));
    this.redacted.left.push({ start, end, words: left });
    if (masks.length === 0) return utterance;
    const whole = { start, end };
    const spans = masks.map(({ kind, from, to }): Secret => {
      const words = utterance.words.slice(from, to + 1);
      return {
        kind,
        ...placeOf(words, whole),
        words: words.map(({ word }) => bare(word)),
        digits: digitsIn(words.map(({ word }) => word)),
        utterance: whole,
      };
    });
    for (const span of spans) this.redacted.add(span);
    this.redacted.originals.push({ t_start: start, t_end: end, text: utterance.text });
    const words = relabelled(utterance.words, masks);
    return {
      ...utterance,
      words,
      text: words.map(({ word }) => word).join(' '),
      samples: silenced(utterance.samples, utterance, spans),
    };
  }
}

const spokenWords = ({ speaker, words }: SpokenUtterance) => ({
  speaker: String(speaker),
  words: words.map(({ word }) => word),
});

/** The place of some words; the whole utterance if their times cannot be trusted. */
function placeOf(words: readonly Word[], utterance: Interval): Interval {
  const start = Math.min(...words.map(({ t_start }) => t_start));
  const end = Math.max(...words.map(({ t_end }) => t_end));
  const isPlaced = end > start && start >= utterance.start - 1 && end <= utterance.end + 1;
  return isPlaced ? { start, end } : { start: utterance.start, end: utterance.end };
}

function relabelled(words: readonly Word[], masks: readonly Mask[]): Word[] {
  const next = [...words];
  for (const { kind, from, to } of masks.toReversed()) {
    const own = words.slice(from, to + 1);
    next.splice(from, own.length, {
      word: redactionLabel(kind) + closing(own.at(-1)!.word),
      t_start: own[0]!.t_start,
      t_end: own.at(-1)!.t_end,
      confidence: Math.min(...own.map(({ confidence }) => confidence)),
    });
  }
  return next;
}

function labelled(words: readonly string[], masks: readonly Mask[]): string[] {
  const next = [...words];
  for (const { kind, from, to } of masks.toReversed())
    next.splice(from, to - from + 1, redactionLabel(kind) + closing(words[to]!));
  return next;
}

/** The punctuation after a word, which still divides sentences. */
const closing = (word: string): string => /[.,;:?!]$/u.exec(word)?.[0] ?? '';

/** Samples of an utterance without the sound of its spans, so that nothing is measured there. */
function silenced(samples: Float32Array, { start, end }: Interval, spans: readonly Interval[]): Float32Array {
  // Its samples can begin a little before it.
  const lead = Math.max(0, samples.length / SAMPLE_RATE_HZ - (end - start)) / 2;
  const quiet = samples.slice();
  for (const span of spans) {
    const from = Math.floor((span.start - MUTED_MARGIN_S - start + lead) * SAMPLE_RATE_HZ);
    const to = Math.ceil((span.end + MUTED_MARGIN_S - start + lead) * SAMPLE_RATE_HZ);
    quiet.fill(0, Math.max(0, from), Math.max(0, to));
  }
  return quiet;
}

/** The intervals to mute for some spans: with a margin, merged, within the recording. */
export function mutedFor(spans: readonly Interval[], duration: number): Interval[] {
  const muted: Interval[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(0, start - MUTED_MARGIN_S);
    const to = Math.min(duration, end + MUTED_MARGIN_S);
    const last = muted.at(-1);
    if (last && from <= last.end) last.end = Math.max(last.end, to);
    else muted.push({ start: from, end: to });
  }
  return muted;
}

/** The values of which words contain four digits in a row, or one of the longer words. */
export function valuesIn(words: readonly string[], secrets: readonly Secret[]): Secret[] {
  const heard = digitsIn(words);
  const said = new Set(words.map(bare));
  const capitals = new Set(words.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).map(bare));
  return secrets.filter(({ digits, words: own, kind }) => {
    for (let at = 0; at + LEAST_DIGITS <= digits.length; at++)
      if (heard.includes(digits.slice(at, at + LEAST_DIGITS))) return true;
    if (digits.length >= LEAST_DIGITS && kind !== 'email' && kind !== 'password') return false;
    return own.some((word) => said.has(word) && isTrace(word, kind, capitals.has(word)));
  });
}

/** The numbers of words that were heard again, without those of the words that are left in the text. */
export function unknownNumbersIn(words: readonly string[], left: readonly string[]): string[] {
  const known = digitsIn(left);
  return numbersLeftIn(words).filter((digits) => !known.includes(digits));
}

const NOTE_OF: Readonly<Record<PlacedDoubt['reason'], (kind: string) => string>> = {
  unread: (kind) => `no ${kind} was recognised where one is asked for or begun`,
  incomplete: (kind) => `a value of the kind ${kind} has too few digits, so a part of it may not have been recognised`,
  unassigned: (kind) =>
    kind === ''
      ? 'a long number belongs to no kind'
      : `digits were redacted as ${kind}, but nothing shows what they are`,
};
/** Most places that the notes name. */
const MOST_NOTED = 20;

/** Notes about the places at which something of a value may be left. */
export function notesOf(doubts: readonly PlacedDoubt[]): string[] {
  const notes = doubts
    .slice(0, MOST_NOTED)
    .map(({ reason, kind, at }) => `At ${at.toFixed(1)} s, ${NOTE_OF[reason](kind ?? '')}.`);
  return doubts.length > MOST_NOTED ? [...notes, `${doubts.length - MOST_NOTED} more places are doubtful.`] : notes;
}
