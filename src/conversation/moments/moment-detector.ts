import type { MomentCategory } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { CATEGORY_OF, type ContextModel, type ContextWeights, type MomentWeights, sigmoid } from '../acts/act-model.ts';
import { objectionLabels } from '../acts/dialogue-acts.ts';
import { heardSurely, quote, type Sentence } from '../acts/sentences.ts';
import { type Considered, consideredAgain, Listener, type Outcome, withAnswers } from './considered.ts';
import { strongest } from './context.ts';
import { logOdds } from './decisions.ts';
import { networksOf } from './networks.ts';
import { ToldReasons } from './objections.ts';
import { type Answer, answersOf, type Heard, openOffer } from './offers.ts';
import type { FoundMoment, OpenOffer } from './open-offer.ts';
import { WARM_UP } from './topic-shifts.ts';
import { type Again, TurnReader } from './turn-reader.ts';

/** How a finished sentence ends, and the longest pause within an unfinished one, s. */
const FINISHED = /[.?!…]["'”’)]*\s*$/;
const PAUSE_IN_SENTENCE_S = 1.5;

/**
 * In talk in which little happens a moment must be the surer. What is found is held until the squared probabilities of what
 * was found lately, each fading by the utterance, add up to this, or one is nearly certain or answers an offer that was
 * told; and forgotten when that takes too long. A conversation that ends early had no time to be quiet: at its end less is
 * asked for, by its share of `SHORT_UTTERANCES`. Chosen by cross-validation (data/moments/README.md).
 */
const ENOUGH_EVIDENCE = 3.5;
const FADING = 0.98;
const NEARLY_CERTAIN = 0.95;
const HELD_UTTERANCES = 40;
const SHORT_UTTERANCES = 20;

/** A moment has its id when it is told. */
const isTold = (moment: FoundMoment): boolean => moment.moment_id !== '';

/** A moment that is not told yet. */
interface Held {
  moment: FoundMoment;
  /** What it answers. */
  offer?: FoundMoment;
  index: number;
}

/** An utterance that is not closed yet, and what was told of it so far. */
interface Latest extends Outcome {
  considered: Considered;
  answers: Answer[];
  categories: MomentCategory[];
  continues: boolean;
}

/**
 * Key moments. What is plain leaves with its utterance; what is not waits for the next one, which shows how it was meant
 * and taken, or for the end. An offer stays open until a later turn of the other side settles it (see `OfferBook`); its
 * acceptance or rejection names it in `answers`. Where little else happens, what is not nearly certain is held until more
 * does, or a short conversation ends. Nothing that was told is taken back, so that a stream and the findings hold the same list.
 */
export class MomentDetector {
  readonly #conversationId: string;
  readonly #weights: MomentWeights;
  /** Those told. */
  readonly #moments: FoundMoment[] = [];
  #held: Held[] = [];
  /** How much happened lately. */
  #evidence = 0;
  readonly #reader: TurnReader;
  readonly #listener: Listener;
  readonly #reasons = new ToldReasons();
  readonly #speakers = new Set<string>();
  #latest: Latest | undefined;
  /** What the utterance before may have offered. */
  #lastOffer: OpenOffer | undefined;
  /** Whether this text marks the ends of its sentences. */
  #punctuated = false;

  /** @param reader other than by the weights' networks: for cross-validation */
  constructor(conversationId: string, weights: MomentWeights, reader = new TurnReader(networksOf(weights.readers))) {
    this.#conversationId = conversationId;
    this.#weights = weights;
    this.#reader = reader;
    this.#listener = new Listener(reader, weights);
  }

  /**
   * @param encoding what the words say as a vector (`decodeEncoding`); without it they are read with less certainty
   * @returns the moments that this utterance completes: its own, and those of the one before that it shows
   */
  add(u: Utterance, encoding?: Float32Array): FoundMoment[] {
    const before = this.#moments.length;
    this.#speakers.add(u.speaker);
    const reading = this.#reader.read(u, encoding);
    const continues = this.#continues(u);
    this.#close(this.#reader.again());
    this.#evidence *= FADING;
    const considered = this.#listener.consider(u, reading);
    const best = strongest(considered.heard.acts, 'offer');
    const offer = best && openOffer(u, best, 0);
    this.#latest = { considered, continues, answers: [], categories: [], ...(offer && { offer }) };
    const { words, encoded } = this.#weights;
    this.#decide(this.#latest, reading ? encoded : words);
    return this.#moments.slice(before);
  }

  /** Once, after the last utterance. @returns the moments that the end completes */
  end(): FoundMoment[] {
    if (!this.#latest) return [];
    const before = this.#moments.length;
    const last = this.#latest.considered.heard.index;
    this.#close(this.#reader.atLast());
    if (this.#evidence >= ENOUGH_EVIDENCE * Math.min(1, (last + 1) / SHORT_UTTERANCES)) this.#tellHeld(last);
    return this.#moments.slice(before);
  }

  /** Decides what is left of the latest utterance. */
  #close(again: Again | undefined): void {
    const latest = this.#latest;
    if (!latest) return;
    if (again) {
      latest.considered = consideredAgain(latest.considered, again);
      this.#decide(latest, this.#weights.hindsight);
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
    const answers = continues ? [] : answersOf(mayAnswer, weights, latest.answers);
    latest.answers.push(...answers);
    const logitOf = (model: 'shift' | 'objection' | 'offer'): number =>
      logOdds(weights[model], withAnswers(considered[model], latest.answers));
    const isNew = (category: MomentCategory, chance: number, { threshold }: { threshold: number }): boolean =>
      chance >= threshold && !categories.includes(category);

    const shift = sigmoid(logitOf('shift'));
    const opening = strongest(acts, 'topic');
    if (opening && index >= WARM_UP && !continues && isNew('topic_shift', shift, weights.shift)) {
      this.#find('shift', heard, opening.sentence, shift, considered.shift.announced ? ['announced'] : []);
      categories.push('topic_shift');
    }
    for (const answer of answers) categories.push(this.#findAnswer(heard, answer));
    const objection = sigmoid(logitOf('objection'));
    const objecting = strongest(acts, 'objection');
    // Somebody else must have spoken: nobody objects to a talk of their own.
    if (objecting && this.#speakers.size > 1 && isNew('objection', objection, weights.objection)) {
      const labels = objectionLabels(objecting);
      // One hardly heard is not told: said again, it repeats none.
      const clear = this.#isSure('objection', objection * heardSurely(u, objecting.sentence));
      if (!clear || !this.#reasons.repeats(u.speaker, labels[0], index)) {
        this.#find('objection', heard, objecting.sentence, objection, labels);
        categories.push('objection');
      }
    }
    if (!offer) return;
    offer.logit = logitOf('offer');
    if (!isNew('cta_offered', sigmoid(offer.logit), weights.offer)) return;
    // An offer told in two breaths is one.
    if (continues && this.#lastOffer?.moment) offer.moment = this.#lastOffer.moment;
    else this.#findOffer(offer, index);
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

  #findOffer(offer: OpenOffer, index: number): FoundMoment {
    const { utterance: u, sentence, logit } = offer;
    offer.moment = this.#find('offer', { u, index }, sentence, sigmoid(logit), []);
    return offer.moment;
  }

  /** An answer may be what shows that there was an offer: then the offer leaves with it, before it. */
  #findAnswer(heard: Heard, { offer, accepted, sentence, confidence, labels }: Answer): MomentCategory {
    const made = offer.moment ?? this.#findOffer(offer, heard.index);
    return this.#find(accepted ? 'accepted' : 'rejected', heard, sentence, confidence, labels, made).category;
  }

  /** What was found is told if it is likely, and so are its words: then it is as sure as both together. */
  #find(
    model: ContextModel,
    { u, index }: Pick<Heard, 'u' | 'index'>,
    sentence: Sentence,
    confidence: number,
    labels: string[],
    offer?: FoundMoment,
  ): FoundMoment {
    const category = CATEGORY_OF[model];
    const evidence = [quote(u, sentence)];
    const sure = confidence * heardSurely(u, sentence);
    const moment: FoundMoment = {
      moment_id: '',
      category,
      speaker_id: u.speaker,
      start_ms: Math.round(u.t_start * 1000),
      end_ms: Math.round(u.t_end * 1000),
      utterance_ids: [u.utterance_id],
      labels,
      evidence: [...evidence, ...(offer?.evidence ?? [])],
      confidence: Math.round(Math.min(1, Math.max(0, sure)) * 1e4) / 1e4,
    };
    if (this.#isSure(model, sure)) this.#held.push({ moment, index, ...(offer && { offer }) });
    this.#evidence += confidence ** 2;
    const certain = confidence >= NEARLY_CERTAIN || (offer !== undefined && isTold(offer));
    if (certain || this.#evidence >= ENOUGH_EVIDENCE) this.#tellHeld(index);
    return moment;
  }

  /** Whether what the latest utterance shows is likely enough to be told, the hearing of its words counted in. */
  #isSure(model: ContextModel, confidence: number): boolean {
    const { words, hindsight } = this.#weights;
    const weights = this.#latest?.considered.heard.reading ? hindsight : words;
    return confidence >= weights[model].threshold;
  }

  #tellHeld(index: number): void {
    for (const held of this.#held)
      if (index - held.index <= HELD_UTTERANCES) {
        if (held.offer) {
          this.#tell(held.offer);
          held.moment.answers = held.offer.moment_id;
        }
        this.#tell(held.moment);
      }
    this.#held = [];
  }

  #tell(moment: FoundMoment): void {
    if (isTold(moment)) return;
    moment.moment_id = `${this.#conversationId}_mom_${this.#moments.length}`;
    this.#moments.push(moment);
  }
}
