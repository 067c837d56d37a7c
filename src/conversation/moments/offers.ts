import type { MomentEvent } from '../../contract/findings.ts';

/** A key moment before it is worded. */
export type FoundMoment = Omit<MomentEvent, 'summary'>;

/** Something that was said and may have been an offer. */
export interface MayBeOffer {
  speaker: string;
  /** Turns of others since it was made. */
  turns: number;
  /** How likely it was one, 0..1. */
  chance: number;
  /** What was told of it, where it was. */
  moment?: FoundMoment;
  /** What is told of it when an answer shows that it was one. */
  tell(): FoundMoment;
}

/** What was less likely an offer cannot be answered. */
const MAY_BE = 0.05;
/** An offer is forgotten after this many turns of others: 98 % of the marked answers come earlier. */
const FORGOTTEN_TURNS = 10;
/**
 * What each turn of others since it was made takes off the logarithm of its chance. Of the answers marked in real dialogues .88
 * find their offer so (read by networks that had not seen them).
 */
const FADING = 1.5;

/** What was said that somebody may still answer. */
export class OfferBook {
  #open: MayBeOffer[] = [];
  #lastSpeaker: string | undefined;

  /** Notes that somebody speaks. */
  pass(speaker: string): void {
    if (speaker === this.#lastSpeaker) return;
    this.#lastSpeaker = speaker;
    for (const offer of this.#open) if (offer.speaker !== speaker) offer.turns++;
    this.#open = this.#open.filter(({ turns }) => turns <= FORGOTTEN_TURNS);
  }

  keep(offer: MayBeOffer): void {
    if (offer.chance >= MAY_BE) this.#open.push(offer);
  }

  /** What an answer of this speaker most likely answers: the likeliest offer of somebody else, the later the better. */
  answeredBy(speaker: string): MayBeOffer | undefined {
    const worth = ({ chance, turns }: MayBeOffer): number => Math.log(chance) - FADING * turns;
    return this.#open
      .filter((offer) => offer.speaker !== speaker)
      .reduce<MayBeOffer | undefined>((best, offer) => (best && worth(best) > worth(offer) ? best : offer), undefined);
  }
}
