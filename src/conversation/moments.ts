import type { Evidence, MomentCategory, MomentEvent } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';
import { type ContextWeights, linear, momentWeights, sigmoid } from './dialogue-acts/act-model.ts';
import { quote, type Sentence } from './dialogue-acts/sentences.ts';
import { objectionLabels } from './dialogue-acts.ts';
import { type Considered, consideredAgain, Listener, type Outcome, withAnswer } from './moments/considered.ts';
import { strongest } from './moments/context.ts';
import { ToldReasons } from './moments/objections.ts';
import { type Answer, answerOf, openOffer } from './moments/offers.ts';
import type { OpenOffer } from './moments/open-offer.ts';
import { WARM_UP } from './moments/topic-shifts.ts';
import { type Again, TurnReader } from './moments/turn-reader.ts';

/** How a finished sentence ends, and the longest pause within an unfinished one, s. */
const FINISHED = /[.?!…]["'”’)]*\s*$/;
const PAUSE_IN_SENTENCE_S = 1.5;

/** Characters of evidence that a summary sentence quotes. */
const SUMMARY_QUOTE_CHARS = 110;

/** An utterance that is not closed yet, and what was told of it so far. */
interface Latest extends Outcome {
  considered: Considered;
  categories: MomentCategory[];
  continues: boolean;
}

/**
 * Key moments. What is plain leaves with its utterance; what is not waits for the next one, which shows how it was meant
 * and taken, or for the end. An offer stays open until a later turn of the other side settles it (see `OfferBook`); its
 * acceptance or rejection names it in `answers`. Nothing that was told is taken back, so that a stream and the findings
 * hold the same list.
 */
export class MomentDetector {
  readonly #conversationId: string;
  readonly #moments: MomentEvent[] = [];
  readonly #reader: TurnReader;
  readonly #listener: Listener;
  readonly #reasons = new ToldReasons();
  readonly #speakers = new Set<string>();
  #latest: Latest | undefined;
  /** What the utterance before may have offered. */
  #lastOffer: OpenOffer | undefined;
  /** Whether this text marks the ends of its sentences. */
  #punctuated = false;

  /** @param reader other than by the shipped networks: for cross-validation */
  constructor(conversationId: string, reader = new TurnReader()) {
    this.#conversationId = conversationId;
    this.#reader = reader;
    this.#listener = new Listener(reader);
  }

  /** Everything found so far, in the order told. */
  get moments(): readonly MomentEvent[] {
    return this.#moments;
  }

  /**
   * @param encoding what the words say as a vector (`decodeEncoding`); without it they are read with less certainty
   * @returns the moments that this utterance completes: its own, and those of the one before that it shows
   */
  add(u: Utterance, encoding?: Float32Array): MomentEvent[] {
    const before = this.#moments.length;
    this.#speakers.add(u.speaker);
    const reading = this.#reader.read(u, encoding);
    const continues = this.#continues(u);
    this.#close(this.#reader.again());
    const considered = this.#listener.consider(u, reading);
    const best = strongest(considered.heard.acts, 'offer');
    const offer = best && openOffer(u, best.sentence, 0);
    this.#latest = { considered, continues, categories: [], ...(offer && { offer }) };
    const { words, encoded } = momentWeights();
    this.#decide(this.#latest, reading ? encoded : words);
    return this.#moments.slice(before);
  }

  /** Once, after the last utterance. @returns the moments that the end completes */
  end(): MomentEvent[] {
    const before = this.#moments.length;
    this.#close(this.#reader.atLast());
    return this.#moments.slice(before);
  }

  /** Decides what is left of the latest utterance. */
  #close(again: Again | undefined): void {
    const latest = this.#latest;
    if (!latest) return;
    if (again) {
      latest.considered = consideredAgain(latest.considered, again);
      this.#decide(latest, momentWeights().hindsight);
    }
    this.#listener.note(latest.considered.heard, latest);
    this.#lastOffer = latest.offer;
    this.#latest = undefined;
  }

  /** Tells what an utterance does by these models, but for what was told of it before. */
  #decide(latest: Latest, weights: ContextWeights): void {
    const { considered, continues, categories, offer } = latest;
    const { heard, mayAnswer } = considered;
    const { u, acts, index } = heard;
    const answer = latest.answer || continues ? undefined : answerOf(mayAnswer, weights);
    if (answer) latest.answer = answer;
    const logitOf = (model: 'shift' | 'objection' | 'offer'): number =>
      linear(weights[model], withAnswer(considered[model], latest.answer));
    const isNew = (category: MomentCategory, chance: number, { threshold }: { threshold: number }): boolean =>
      chance >= threshold && !categories.includes(category);

    const shift = sigmoid(logitOf('shift'));
    if (index >= WARM_UP && acts.length > 0 && !continues && isNew('topic_shift', shift, weights.shift)) {
      const { sentence } = acts.reduce((a, b) => (b.logits.topic > a.logits.topic ? b : a));
      this.#report('topic_shift', u, sentence, shift, considered.shift.announced ? ['announced'] : []);
      categories.push('topic_shift');
    }
    if (answer) categories.push(this.#reportAnswer(u, answer));
    const objection = sigmoid(logitOf('objection'));
    const objecting = strongest(acts, 'objection');
    // Somebody else must have spoken: nobody objects to a talk of their own.
    if (objecting && this.#speakers.size > 1 && isNew('objection', objection, weights.objection)) {
      const labels = objectionLabels(objecting);
      if (!this.#reasons.repeats(u.speaker, labels[0], index)) {
        this.#report('objection', u, objecting.sentence, objection, labels);
        categories.push('objection');
      }
    }
    if (!offer) return;
    offer.logit = logitOf('offer');
    if (!isNew('cta_offered', sigmoid(offer.logit), weights.offer)) return;
    // An offer told in two breaths is one.
    if (continues && this.#lastOffer?.moment) offer.moment = this.#lastOffer.moment;
    else this.#reportOffer(offer);
    categories.push('cta_offered');
  }

  /** Whether an utterance goes on with a sentence that its speaker's last one left open: they are cut at pauses. */
  #continues(u: Utterance): boolean {
    const last = this.#latest?.considered.heard.u;
    if (!last) return false;
    const finished = FINISHED.test(last.text);
    this.#punctuated ||= finished;
    return this.#punctuated && !finished && last.speaker === u.speaker && u.t_start - last.t_end <= PAUSE_IN_SENTENCE_S;
  }

  #reportOffer(offer: OpenOffer): MomentEvent {
    offer.moment = this.#report('cta_offered', offer.utterance, offer.sentence, sigmoid(offer.logit), []);
    return offer.moment;
  }

  /** An answer may be what shows that there was an offer: then the offer leaves with it, before it. */
  #reportAnswer(u: Utterance, { offer, accepted, sentence, confidence, labels }: Answer): MomentCategory {
    const made = offer.moment ?? this.#reportOffer(offer);
    const category = accepted ? 'cta_accepted' : 'cta_rejected';
    const moment = this.#report(category, u, sentence, confidence, labels);
    moment.answers = made.moment_id;
    moment.evidence.push(...made.evidence);
    return category;
  }

  #report(
    category: MomentCategory,
    u: Utterance,
    sentence: Sentence,
    confidence: number,
    labels: string[],
  ): MomentEvent {
    const evidence = [quote(u, sentence)];
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
