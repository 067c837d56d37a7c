import type { MomentCategory } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { ActWeights } from '../acts/act-model.ts';
import { readActs } from '../acts/dialogue-acts.ts';
import { TalkContext } from './context.ts';
import { flag } from './features.ts';
import { type Answer, type Heard, type MayAnswer, OfferBook, withAnswerReadings } from './offers.ts';
import type { OpenOffer } from './open-offer.ts';
import { TopicMemory } from './topic-shifts.ts';
import { type Again, type TurnReader, type TurnReading, withReading } from './turn-reader.ts';

/** An utterance with all that its moments are decided by. */
export interface Considered {
  heard: Heard;
  mayAnswer: readonly MayAnswer[];
  /** Features of the models, but for how the utterance settles offers (`withAnswers`). */
  shift: Record<string, number>;
  objection: Record<string, number>;
  offer: Record<string, number>;
}

/** What an utterance turned out to do. */
export interface Outcome {
  answers: readonly Pick<Answer, 'offer' | 'accepted'>[];
  /** What it may have offered. */
  offer?: OpenOffer;
  categories: readonly MomentCategory[];
}

/** The same in hindsight. */
export function consideredAgain(considered: Considered, again: Again): Considered {
  const { heard, mayAnswer, shift, objection, offer } = considered;
  const { reading } = again;
  return {
    heard: { ...heard, reading },
    mayAnswer: withAnswerReadings(mayAnswer, reading, again),
    shift: withReading(shift, reading),
    objection: withReading(objection, reading),
    offer: withReading(offer, reading),
  };
}

/** Features with how the utterance settles offers, if it does. */
export const withAnswers = (
  values: Record<string, number>,
  answers: readonly Pick<Answer, 'accepted'>[],
): Record<string, number> => ({
  ...values,
  settles: flag(answers.length > 0),
  accepts: flag(answers.some(({ accepted }) => accepted)),
  rejects: flag(answers.some(({ accepted }) => !accepted)),
});

/** What a conversation left in memory, and what an utterance looks like in its light. */
export class Listener {
  readonly #offers: OfferBook;
  readonly #topics = new TopicMemory();
  readonly #context = new TalkContext();
  readonly #weights: ActWeights;
  #heard = 0;

  /** @param reader has read each utterance before it comes here */
  constructor(reader: TurnReader, weights: ActWeights) {
    this.#offers = new OfferBook(reader);
    this.#weights = weights;
  }

  /** Once an utterance, when what the one before it turned out to do was noted. */
  consider(u: Utterance, reading: TurnReading | undefined): Considered {
    const acts = readActs(u.text, this.#weights);
    const heard = { u, index: this.#heard++, acts, reading };
    return {
      heard,
      mayAnswer: this.#offers.read(heard),
      shift: withReading(this.#topics.add(acts), reading),
      objection: withReading(this.#context.objection(u.speaker, acts), reading),
      offer: withReading(this.#context.offer(u.speaker, acts), reading),
    };
  }

  /** What the utterance considered last turned out to do. */
  note({ u, acts }: Heard, { answers, offer, categories }: Outcome): void {
    for (const { offer } of answers) offer.settledBy.add(u.speaker);
    if (answers.length > 0) this.#topics.settled();
    if (categories.includes('topic_shift')) this.#topics.shifted();
    if (offer) this.#offers.keep(offer);
    this.#context.note(u.speaker, acts, categories);
  }
}
