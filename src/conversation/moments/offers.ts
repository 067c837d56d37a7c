import type { MomentEvent } from '../../contract/findings.ts';

/** A key moment without its summary. */
export type FoundMoment = Omit<MomentEvent, 'summary'>;

/** A turn that may have been an offer. */
export interface PossibleOffer {
  speaker: string;
  /** Number of turns by other speakers since then. */
  turns: number;
  /** Probability that it was an offer, 0 to 1. */
  chance: number;
  /** The moment that was reported for it, if any. */
  moment?: FoundMoment;
  /** The moment to report when an answer shows that this was an offer. */
  toMoment(): FoundMoment;
}

/** Probability below which a turn is not an offer and cannot be answered. */
const MAY_BE = 0.05;
/** Number of turns by other speakers after which an offer is forgotten. 98 % of the annotated answers come earlier. */
const FORGOTTEN_TURNS = 10;
/**
 * Subtracted from the logarithm of an offer's probability for each turn by another speaker since then. With it, .88 of
 * the answers annotated in real dialogues find their offer (measured with networks that had not seen them).
 */
const FADING = 1.5;

/** The offers that can still be answered. */
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

  /** Whether an open offer by somebody other than this speaker was reported. */
  isReported(speaker: string): boolean {
    return this.#open.some((offer) => offer.moment !== undefined && offer.speaker !== speaker);
  }

  /**
   * The offer that this speaker's answer most likely refers to: the most likely of the others' offers, with a
   * preference for later ones.
   */
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
