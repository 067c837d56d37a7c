import { COGNITIVE_SIGNALS, type CognitiveSignals, type Level } from '../../../../src/contract/timeline.ts';
import { logistic } from '../../prosody/statistics.ts';
import type { Cues } from './cues.ts';

type Weights = { bias: number } & Partial<Record<keyof Cues, number>>;

/**
 * Each signal is logistic(bias + sum of weight x cue). The signs follow the literature (Prokofieva & Hirschberg 2014 on
 * hedges, Khawaja et al. 2008 on pauses, Wrede & Shriberg 2003 on involvement, Bortfeld et al. 2001 on disfluency). The
 * magnitudes are this project's own estimates and are not fitted, because no open corpus labels these six states.
 */
const SIGNAL_WEIGHTS: Record<(typeof COGNITIVE_SIGNALS)[number], Weights> = {
  focused: {
    bias: 0.1,
    substance: 1.1,
    certainty: 0.5,
    hedging: -1,
    stumbling: -1,
    pausing: -0.4,
    confusion: -0.9,
    disinterest: -0.8,
    backchannel: -0.3,
  },
  confused: {
    bias: -2.8,
    confusion: 3.2,
    question: 0.5,
    hedging: 0.4,
    stumbling: 0.6,
    rising: 0.4,
    onset: 0.4,
    pausing: 0.2,
  },
  engaged: {
    bias: -0.8,
    interest: 1.3,
    question: 0.5,
    substance: 0.9,
    liveliness: 0.45,
    loudness: 0.3,
    slowness: -0.2,
    onset: -0.6,
    disinterest: -1.6,
    backchannel: -0.3,
  },
  disengaged: {
    bias: -1.4,
    disinterest: 2.6,
    backchannel: 0.5,
    substance: -1,
    liveliness: -0.45,
    loudness: -0.3,
    slowness: 0.2,
    onset: 0.6,
    interest: -1,
    question: -0.5,
  },
  thoughtful: {
    bias: -1.8,
    reflection: 1.7,
    substance: 0.9,
    pausing: 0.4,
    hedging: 0.4,
    onset: 0.4,
    slowness: 0.2,
    backchannel: -0.8,
  },
  uncertain: {
    bias: -2,
    hedging: 2.4,
    stumbling: 0.9,
    question: 0.3,
    rising: 0.6,
    onset: 0.5,
    pausing: 0.3,
    confusion: 1,
    certainty: -1.2,
  },
};

/** bias + sum of weight x cue. */
export const weighed = ({ bias, ...weights }: Weights, cues: Cues): number =>
  Object.entries(weights).reduce((sum, [cue, weight]) => sum + weight * cues[cue as keyof Cues], bias);

/**
 * Cognitive load index: the mean of the cues that rise with load, in standard deviations (methods: Khawaja et al. 2008;
 * Montacie & Caraty 2014). Word rates are between 0 and 1 and are centred on those of an ordinary utterance.
 */
const LOAD_CUES = {
  words: { stumbling: { usual: 0.45, sd: 0.35 }, repairing: { usual: 0.15, sd: 0.3 } },
  onset: { usual: 0.2, sd: 0.3 },
};
/** Thresholds of the index (methods, section 3). */
const LOAD_MODERATE = -0.3;
const LOAD_HIGH = 0.8;

/** Load index of one utterance. The voice and the preceding pause count only if they were measured. */
export function loadIndex(cues: Cues, voiceMeasured: boolean, answering: boolean): number {
  const parts = [
    (cues.stumbling - LOAD_CUES.words.stumbling.usual) / LOAD_CUES.words.stumbling.sd,
    (cues.repairing - LOAD_CUES.words.repairing.usual) / LOAD_CUES.words.repairing.sd,
  ];
  if (voiceMeasured) parts.push(cues.pausing, cues.slowness);
  if (answering) parts.push((cues.onset - LOAD_CUES.onset.usual) / LOAD_CUES.onset.sd);
  return parts.reduce((sum, part) => sum + part, 0) / parts.length;
}

export const loadLevel = (index: number): Level =>
  index < LOAD_MODERATE ? 'low' : index < LOAD_HIGH ? 'moderate' : 'high';

export interface CognitiveReading {
  signals: CognitiveSignals;
  /** From 0 to 1. The midpoint lies between "disengaged" and "engaged". */
  engagement: number;
  load_level: Level;
}

/** The six signals, engagement and load of one utterance from its cues. */
export function readCognitive(cues: Cues, voiceMeasured: boolean, answering: boolean): CognitiveReading {
  const signals = Object.fromEntries(
    COGNITIVE_SIGNALS.map((name) => [name, logistic(weighed(SIGNAL_WEIGHTS[name], cues))]),
  ) as CognitiveSignals;
  return {
    signals,
    engagement: 0.5 + (signals.engaged - signals.disengaged) / 2,
    load_level: loadLevel(loadIndex(cues, voiceMeasured, answering)),
  };
}
