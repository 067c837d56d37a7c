import type { Evidence, MomentCategory, MomentEvent } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import { contextWeights, sigmoid } from './dialogue-acts/act-model.ts';
import { quote, type Sentence } from './dialogue-acts/sentences.ts';
import { readActs } from './dialogue-acts.ts';
import { TalkContext } from './moments/context.ts';
import { ObjectionDetector } from './moments/objections.ts';
import { type Answer, OfferBook, readOffer } from './moments/offers.ts';
import type { OpenOffer } from './moments/open-offer.ts';
import { TopicShiftDetector } from './moments/topic-shifts.ts';
import { TurnReader } from './moments/turn-reader.ts';

/** How a finished sentence ends, and the longest pause within an unfinished one, s. */
const FINISHED = /[.?!…]["'”’)]*\s*$/;
const PAUSE_IN_SENTENCE_S = 1.5;

/** Characters of evidence that a summary sentence quotes. */
const SUMMARY_QUOTE_CHARS = 110;

/**
 * Key moments, from what was said so far only: each leaves with the utterance that completes it, so that a stream and
 * the findings hold the same list. An offer stays open until a later turn of the other side settles it
 * (see `OfferBook`); its acceptance or rejection names it in `answers`.
 */
export class MomentDetector {
  readonly #conversationId: string;
  readonly #moments: MomentEvent[] = [];
  readonly #reader: TurnReader;
  readonly #offers: OfferBook;
  readonly #objections = new ObjectionDetector();
  readonly #topics = new TopicShiftDetector();
  readonly #context = new TalkContext();
  readonly #speakers = new Set<string>();
  #last: Utterance | undefined;
  /** What the last utterance may have offered. */
  #lastOffer: OpenOffer | undefined;
  /** Whether this text marks the ends of its sentences. */
  #punctuated = false;

  /** @param reader other than by the shipped networks: for cross-validation */
  constructor(conversationId: string, reader = new TurnReader()) {
    this.#conversationId = conversationId;
    this.#reader = reader;
    this.#offers = new OfferBook(reader);
  }

  /** Everything found so far, in order of the utterances that completed it. */
  get moments(): readonly MomentEvent[] {
    return this.#moments;
  }

  /**
   * @param encoding what the words say as a vector (`decodeEncoding`); without it they are read with less certainty
   * @returns the moments that this utterance completes
   */
  add(u: Utterance, encoding?: Float32Array): MomentEvent[] {
    const before = this.#moments.length;
    this.#speakers.add(u.speaker);
    const acts = readActs(u.text);
    const reading = this.#reader.read(u, encoding);
    const continues = this.#continues(u);
    const heard = { u, acts, reading, continues };
    const answer = this.#offers.answer(heard);
    const settles = answer && (answer.accepted ? 'accepted' : 'rejected');
    const shift = this.#topics.add(heard, settles);
    if (shift) this.#report('topic_shift', u, [shift.sentence], shift.confidence, shift.labels);
    if (answer) this.#reportAnswer(u, answer);
    const objection = this.#objections.add(heard, this.#context.objection(u.speaker, acts, settles, reading));
    // Somebody else must have spoken: nobody objects to a talk of their own.
    if (objection && this.#speakers.size > 1)
      this.#report('objection', u, [objection.sentence], objection.confidence, objection.labels);
    const offer = readOffer(heard, this.#context.offer(u.speaker, acts, settles, reading));
    if (offer) {
      // An offer told in two breaths is one.
      if (continues && this.#lastOffer?.moment) offer.moment = this.#lastOffer.moment;
      else if (sigmoid(offer.logit) >= contextWeights(reading !== undefined).offer.threshold) this.#reportOffer(offer);
      this.#offers.keep(offer);
    }
    this.#lastOffer = offer;
    const found = this.#moments.slice(before);
    const own = found.filter((m) => m.utterance_ids.includes(u.utterance_id)).map((m) => m.category);
    this.#context.note(u.speaker, acts, own);
    return found;
  }

  /** Whether an utterance goes on with a sentence that its speaker's last one left open: they are cut at pauses. */
  #continues(u: Utterance): boolean {
    const last = this.#last;
    this.#last = u;
    if (!last) return false;
    const finished = FINISHED.test(last.text);
    this.#punctuated ||= finished;
    return this.#punctuated && !finished && last.speaker === u.speaker && u.t_start - last.t_end <= PAUSE_IN_SENTENCE_S;
  }

  #reportOffer(offer: OpenOffer): MomentEvent {
    offer.moment = this.#report('cta_offered', offer.utterance, [offer.sentence], sigmoid(offer.logit), []);
    return offer.moment;
  }

  /** An answer may be what shows that there was an offer: then the offer leaves with it, before it. */
  #reportAnswer(u: Utterance, answer: Answer): void {
    const offer = answer.offer.moment ?? this.#reportOffer(answer.offer);
    const category = answer.accepted ? 'cta_accepted' : 'cta_rejected';
    const moment = this.#report(category, u, [answer.sentence], answer.confidence, answer.labels);
    moment.answers = offer.moment_id;
    moment.evidence.push(...offer.evidence);
  }

  #report(
    category: MomentCategory,
    u: Utterance,
    sentences: Sentence[],
    confidence: number,
    labels: string[],
  ): MomentEvent {
    const evidence = sentences.map((s) => quote(u, s));
    const moment: MomentEvent = {
      moment_id: `${this.#conversationId}_mom_${this.#moments.length}`,
      category,
      speaker_id: u.speaker,
      start_ms: Math.round(u.t_start * 1000),
      end_ms: Math.round(u.t_end * 1000),
      utterance_ids: [u.utterance_id],
      summary: summaryOf(category, u.speaker, labels, evidence),
      labels,
      evidence,
      confidence: Math.round(Math.min(1, Math.max(0, confidence * (u.asr_confidence ?? 1))) * 1e4) / 1e4,
    };
    this.#moments.push(moment);
    return moment;
  }
}

const SAYS: Record<MomentCategory, string> = {
  objection: 'objects',
  cta_offered: 'proposes',
  cta_accepted: 'accepts',
  cta_rejected: 'declines',
  topic_shift: 'changes the subject',
};

function summaryOf(category: MomentCategory, speaker: string, labels: string[], evidence: Evidence[]): string {
  const about = category === 'objection' && labels.length > 0 ? ` (${labels.join(', ')})` : '';
  const text = evidence[0]?.quote ?? '';
  const short =
    text.length <= SUMMARY_QUOTE_CHARS ? text : `${text.slice(0, SUMMARY_QUOTE_CHARS).replace(/\s+\S*$/, '')}...`;
  return `${speaker} ${SAYS[category]}${about}: "${short}"`;
}
