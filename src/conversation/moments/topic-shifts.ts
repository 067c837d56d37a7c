import type { SentenceAct } from '../acts/dialogue-acts.ts';
import { contentWords } from './content-words.ts';
import { CERTAIN } from './features.ts';

/** How fast what was said fades: half of it is forgotten after about nine utterances. */
const FADING = 0.925;
/** Utterances before there is a subject to leave: 2 of 231 marked changes come earlier. */
export const WARM_UP = 4;
/** Utterances in which a subject was changed just now, and lately. */
const JUST_NOW = 2;
const LATELY = 4;
/** Distinct words remembered; the faded ones are dropped beyond. */
const MAX_WORDS = 2000;
/** Utterances after which a word has faded to less than a hundredth. */
const FADED_UTTERANCES = 60;
/** Content words from which an utterance is a whole new subject. */
const MANY_WORDS = 5;

/** Words that take up what was just said. */
const REFERRING = new Set("it it's that that's this they they're them those these then one he she him her".split(' '));

/** What was talked of so far, fading: tells how much of an utterance is new. */
export class TopicMemory {
  readonly #memory = new Map<string, { weight: number; at: number }>();
  #seen = 0;
  /** Utterance that last plainly agreed or thanked: what was talked of may be settled. */
  #settledAt = Number.NEGATIVE_INFINITY;
  #closing = false;
  /** Utterance that last settled an offer. */
  #answeredAt = Number.NEGATIVE_INFINITY;
  #asked = false;
  #shiftedAt = Number.NEGATIVE_INFINITY;

  /** Notes that the utterance added last changed the subject. */
  shifted(): void {
    this.#shiftedAt = this.#seen - 1;
  }

  /** Notes that the utterance added last settled an offer. */
  settled(): void {
    this.#answeredAt = this.#seen - 1;
  }

  /** Features of the topic-shift model for this utterance, which is remembered after. */
  add(acts: readonly SentenceAct[]): Record<string, number> {
    const index = this.#seen++;
    const words = new Set(acts.flatMap((a) => contentWords(a.sentence.tokens)));
    const overlap = this.#overlap(words, index);
    for (const w of words) {
      const old = this.#memory.get(w);
      this.#memory.set(w, { weight: 1 + (old ? old.weight * FADING ** (index - old.at) : 0), at: index });
    }
    if (this.#memory.size > MAX_WORDS) this.#forget(index);
    const has = (cue: string): boolean => acts.some((a) => a.cues.has(cue));
    const question = acts.some((a) => a.sentence.question);
    const topic = Math.max(-CERTAIN, ...acts.map((a) => Math.min(CERTAIN, a.logits.topic)));
    const fresh = words.size === 0 ? 0 : 1 - overlap;
    const answered = index - this.#answeredAt;
    const last = acts.at(-1);
    const values = {
      topic,
      heardQuestion: this.#asked ? 1 : 0,
      heardQuestionAsks: this.#asked && question ? 1 : 0,
      afterAnswer: answered === 1 ? 1 : 0,
      afterAnswerAsks: answered === 1 && question ? fresh : 0,
      answeredLately: answered > 1 && answered <= 4 ? 1 : 0,
      shiftedJustNow: index - this.#shiftedAt <= JUST_NOW ? 1 : 0,
      shiftedLately: index - this.#shiftedAt < LATELY ? 1 : 0,
      offer: Math.max(-CERTAIN, ...acts.map((a) => Math.min(CERTAIN, a.logits.offer))),
      refersBack: last?.sentence.tokens.some((t) => REFERRING.has(t)) ? 1 : 0,
      closesAndAsks: acts.length > 1 && last?.sentence.question ? fresh : 0,
      announced: has('topic.announce') ? 1 : 0,
      closing: has('topic.close') ? 1 : 0,
      afterClosing: this.#closing ? 1 : 0,
      afterSettled: index - this.#settledAt <= 3 ? 1 : 0,
      question: question ? 1 : 0,
      fresh,
      freshQuestion: question ? fresh : 0,
      words: Math.min(1, words.size / MANY_WORDS),
      shared: overlap * Math.min(1, words.size / MANY_WORDS),
      severalSentences: acts.length > 1 ? 1 : 0,
    };
    this.#closing = has('topic.close') || has('yes.thanks') || acts.every((a) => a.logits.agreement > 0.5);
    if (has('yes.strong') || has('yes.thanks')) this.#settledAt = index;
    this.#asked = last?.sentence.question ?? false;
    return values;
  }

  /** Share of the words that were talked of before, 0..1, each by how fresh it is. */
  #overlap(words: ReadonlySet<string>, index: number): number {
    let shared = 0;
    for (const w of words) {
      const old = this.#memory.get(w);
      if (old) shared += Math.min(1, old.weight * FADING ** (index - old.at));
    }
    return words.size === 0 ? 1 : shared / words.size;
  }

  #forget(index: number): void {
    for (const [w, { at }] of this.#memory) if (index - at > FADED_UTTERANCES) this.#memory.delete(w);
  }
}
