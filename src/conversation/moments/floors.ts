import type { MomentCategory } from '../../contract/findings.ts';

/**
 * Minimum confidences of moments in one kind of conversation, 0 to 1. The weights' thresholds, which apply to all
 * kinds, can be higher.
 */
export interface Floors extends Record<MomentCategory, number> {
  /** An offer that is not put as a question. */
  statedOffer: number;
  /** An objection while no reported offer of another speaker is open. */
  unprompted: number;
  /** An offer that is reported only because somebody answers it. */
  impliedOffer: number;
}

/** The same floor for everything. */
export const evenFloors = (floor: number): Floors => ({
  cta_offered: floor,
  cta_accepted: floor,
  cta_rejected: floor,
  objection: floor,
  topic_shift: floor,
  statedOffer: floor,
  unprompted: floor,
  impliedOffer: floor,
});

export type FloorsByKind = Readonly<Record<'smallTalk' | 'meeting' | 'other', Floors>>;

/**
 * The floors by kind of conversation. With them at least .65 of the reported moments are right in every kind of real
 * conversation that `npm run bench -- moments` prints. In small talk, 20 of 25 offers above the floor are right, but
 * most moments below it are not. More than two people mostly present, chair and agree with each other.
 */
export const FLOORS: FloorsByKind = {
  smallTalk: evenFloors(0.75),
  meeting: {
    cta_offered: 0.42,
    cta_accepted: 0.4,
    cta_rejected: 0.5,
    objection: 0.4,
    topic_shift: 0.4,
    statedOffer: 0.47,
    unprompted: 0.6,
    impliedOffer: 0.4,
  },
  other: {
    cta_offered: 0.45,
    cta_accepted: 0.45,
    cta_rejected: 0.4,
    objection: 0.5,
    topic_shift: 0.4,
    statedOffer: 0.65,
    unprompted: 0.6,
    impliedOffer: 0.4,
  },
};

/** For the network that reads the words alone, whose confidences were calibrated otherwise. */
export const FLOORS_WITHOUT_ENCODINGS: FloorsByKind = {
  smallTalk: evenFloors(0.75),
  meeting: evenFloors(0.42),
  other: { ...evenFloors(0), impliedOffer: 0.3 },
};
