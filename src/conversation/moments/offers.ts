import type { MomentEvent } from '../../contract/findings.ts';

/** A key moment before it is worded. */
export type FoundMoment = Omit<MomentEvent, 'summary'>;

/** A turn that may have been an offer. */
export interface PossibleOffer {
  speaker: string;
  /** Turns of others since it was made. */
  turns: number;
  /** How likely it was one, 0..1. */
  chance: number;
  /** The moment that was reported for it, if one was. */
  moment?: FoundMoment;
  /** The moment to report when an answer shows that it was one. */
  toMoment(): FoundMoment;
}

/** Chance below which a turn counts as no offer and cannot be answered. */
const MAY_BE = 0.05;
/** An offer is forgotten after this many turns of others: 98 % of the marked answers come earlier. */
const FORGOTTEN_TURNS = 10;
/**
 * Taken off the logarithm of its chance for each turn of others since it was made. So .88 of the answers marked in real
 * dialogues find their offer (read by networks that had not seen them).
 */
const FADING = 1.5;

/** The offers that may still be answered. */
export class OfferBook {
  #open: PossibleOffer[] = [];
  #lastSpeaker: string | undefined;

  /** Counts a turn of this speaker against the offers of the others. */
  pass(speaker: string): void {
    if (speaker === this.#lastSpeaker) return;
    this.#lastSpeaker = speaker;
    for (const offer of this.#open) if (offer.speaker !== speaker) offer.turns++;
    this.#open = this.#open.filter(({ turns }) => turns <= FORGOTTEN_TURNS);
  }

  keep(offer: PossibleOffer): void {
    if (offer.chance >= MAY_BE) this.#open.push(offer);
  }

  /** The offer that an answer of this speaker most likely answers: somebody else's likeliest, the later the better. */
  answeredBy(speaker: string): PossibleOffer | undefined {
    const worth = ({ chance, turns }: PossibleOffer): number => Math.log(chance) - FADING * turns;
    return this.#open
      .filter((offer) => offer.speaker !== speaker)
      .reduce<PossibleOffer | undefined>(
        (best, offer) => (best && worth(best) > worth(offer) ? best : offer),
        undefined,
      );
  }
}
