/** The acts of a sentence that have a separate score. */
export const HEADS = ['offer', 'commitment', 'agreement', 'refusal', 'deferral', 'objection', 'topic'] as const;
export type Head = (typeof HEADS)[number];

/** A logistic model over cues: the log-odds without any cue, and the weight of each cue. */
export interface CueModel {
  bias: number;
  weights: Readonly<Record<string, number>>;
}

export const CUE_MODELS: Readonly<Record<Head, CueModel>> = {
  offer: {
    bias: -3,
    weights: {
      'offer.invite': 4.5,
      'offer.propose': 4.2,
      'offer.lets': 3.6,
      'offer.suggest': 4,
      'offer.give': 3.8,
      'offer.we-could': 2.6,
      'offer.you-could': 2.2,
      'offer.command': 1.8,
      'offer.barter': 3.6,
      'offer.not-fact': -3.5,
      question: 0.4,
    },
  },
  commitment: { bias: -3, weights: { 'commitment.will': 4.5, question: -2, 'offer.not-fact': -0.5 } },
  agreement: {
    bias: -2,
    weights: {
      'yes.strong': 4,
      'yes.weak': 2,
      'yes.thanks': 0.7,
      but: -2,
      'no.strong': -2.5,
      defer: -2,
      question: -1.5,
    },
  },
  refusal: { bias: -2.5, weights: { 'no.strong': 4, 'no.weak': 1.5, 'yes.strong': -2.5, question: -1.5, defer: -1 } },
  deferral: { bias: -2.5, weights: { defer: 4, question: -0.5, 'yes.strong': -1 } },
  objection: {
    bias: -3,
    weights: {
      stated: 3.6,
      'concern+topic': 2.6,
      concern: 0.4,
      reassured: -2.5,
      question: -1.2,
      'no.strong': 0.5,
      but: 0.5,
    },
  },
  topic: {
    bias: -3,
    weights: { 'topic.announce': 3.5, 'topic.close': 0.7, 'topic.ask-after': 0.8, 'topic.fronted': 1.5 },
  },
};
