import { type BaselineMeasure, type SpeakerBaseline, zScore } from '../../prosody/baseline.ts';
import type { Delivery } from '../../prosody/delivery.ts';
import type { LexicalReading } from './lexical.ts';
import { findPhrases } from '../tokens.ts';

/**
 * What is counted or measured in one utterance and speaks for or against a cognitive state, brought to one scale:
 * shares and yes/no cues 0..1, comparisons with the speaker's own baseline -2..2 (in standard deviations).
 * A cue of the voice that was not measured is 0.
 */
export interface Cues {
  /** Saturating share of hedges among the words. */
  hedging: number;
  /** Saturating share of fillers, repeats and repairs. */
  stumbling: number;
  repairing: number;
  question: number;
  /** "I don't understand", "what do you mean", "can't figure out". */
  confusion: number;
  /** "let me think", "on the other hand", "because". */
  reflection: number;
  /** "tell me more", "exactly", "interesting". */
  interest: number;
  /** "whatever", "I don't care", "if you say so". */
  disinterest: number;
  /** Saturating share of boosters ("definitely", "of course"). */
  certainty: number;
  /** How much was said, saturating with the number of words. */
  substance: number;
  /** Nothing but a listener's signal ("okay", "mm-hm"). */
  backchannel: number;
  /** Late answer to another speaker. */
  onset: number;
  pausing: number;
  slowness: number;
  liveliness: number;
  /** Only against the speaker's own baseline: between recordings level says nothing. */
  loudness: number;
  /** A rising end that is not a question. */
  rising: number;
}

const lexicon = (phrases: string) => new Map(phrases.split('|').map((phrase) => [phrase, true] as const));
const CONFUSION = lexicon(
  "i don't understand|don't understand|don't get it|don't really get|don't follow|didn't follow|what do you mean|what does that mean|i'm confused|confused|confusing|i'm lost|you lost me|lost me|can't figure out|cannot figure out|couldn't figure out|can't make sense|makes no sense|doesn't make sense|don't see how|don't know how|don't know what|no idea|not following|not clear|unclear|come again|say that again|say again|pardon|huh|wait what|what was that|how come|which one|i thought you said|not sure what|not sure how|not sure i",
);
const REFLECTION = lexicon(
  "let me think|let me see|i wonder|i was thinking|i've been thinking|thinking about|think about|on the other hand|on one hand|because|since|therefore|so that|which means|that means|it depends|depends on|consider|considering|suppose|if we|if you|in that case|however|although|whereas|trade-off|the reason|in the long run|as opposed to|compared to|rather than|the question is|what if|hmm|in terms of",
);
const INTEREST = lexicon(
  "tell me more|exactly|absolutely|interesting|interested|that's great|great|awesome|excellent|fantastic|love|wow|really|cool|amazing|perfect|i see what you mean|good point|good question|good idea|let's|looking forward|can't wait|excited|curious|what about|how about|that makes sense|makes sense|definitely|thank you so much|please tell me|sounds good|wonderful|brilliant",
);
const DISINTEREST = lexicon(
  "whatever|i don't care|don't care|doesn't matter|don't mind|if you say so|i guess so|not interested|not really interested|no interest|i have to go|gotta go|i've got to go|bored|boring|never mind|nevermind|who cares|if you want|up to you|skip it|don't bother|not bothered|waste of time|just send me|maybe another time|not now",
);
const BOOSTERS = lexicon(
  "definitely|absolutely|certainly|of course|for sure|no doubt|without a doubt|clearly|obviously|exactly|guarantee|guaranteed|always|never|must|totally|completely|no question|a hundred percent|100 percent|indeed|surely|undoubtedly|i'm sure|i'm certain|i'm positive|i'm confident|i know|we know|precisely|in fact|the fact is|without question|every time|i insist|no way",
);

/** Words that carry no content of their own when nothing else is said. */
const LISTENING =
  /^(okay|ok|right|alright|yeah|yes|yep|yup|yeh|uh-huh|mm-hm|mm-hmm|mhm|mm|hmm|hm|uh|um|sure|oh|ah|i|see|no|nope|huh|got|it|mm-mm|uh-uh|well|so|and|fine|good|all|true|of|course|exactly|really|cool|nice|great|gotcha|aha|that's|uhm|er|erm|k|yea|nah|hello|hi|hey|bye|goodbye|thanks|thank|you|please|morning|afternoon|evening)$/;
/** Longest back-channel, in words; a longer row of such words says something. */
const BACKCHANNEL_WORDS = 4;

/** Whether an utterance is only a listener's signal, greeting or thanks: "okay", "right, yeah", "oh I see". */
export const isBackchannel = (words: string[]): boolean =>
  words.length > 0 && words.length <= BACKCHANNEL_WORDS && words.every((word) => LISTENING.test(word));

/** Half-saturation points of the shares: hedges and disfluencies per word (6-10 disfluencies per 100 words are usual, Bortfeld et al. 2001). */
const HEDGE_SCALE = 0.06;
const DISFLUENCY_SCALE = 0.08;
const BOOSTER_SCALE = 0.08;
/** Words after which an utterance counts as two thirds of a full statement. */
const SUBSTANCE_WORDS = 8;
/** Gaps up to this need no planning (Levinson & Torreira 2015: 200 ms usual, planning > 600 ms); the cue saturates over the next. */
const ONSET_FREE_MS = 600;
const ONSET_SCALE_MS = 1500;
/** Longest gap that still counts as thinking of an answer; beyond it the conversation rested. */
const ONSET_LONGEST_MS = 10_000;

const saturating = (value: number, scale: number) => 1 - Math.exp(-Math.max(0, value) / scale);
const present = (words: string[], phrases: Map<string, true>) => (findPhrases(words, phrases).length > 0 ? 1 : 0);

/** Farthest a comparison with the speaker's own baseline counts, standard deviations. */
const FARTHEST_Z = 2;

/** Everything around the words that the cues are taken from. */
export interface Situation {
  delivery: Delivery | null;
  baseline: SpeakerBaseline;
  pauseBeforeMs: number;
  /** Whether somebody else spoke last, so that the pause before is an answer's. */
  answering: boolean;
}

/** Takes all cues of one utterance. Comparisons of the voice are weighed by how far its measures can be trusted. */
export function cuesOf(lexical: LexicalReading, { delivery, baseline, pauseBeforeMs, answering }: Situation): Cues {
  const { words, hedges, disfluencies, markers } = lexical;
  const share = (n: number) => (words.length === 0 ? 0 : n / words.length);
  const trust = delivery?.confidence ?? 0;
  const z = (measure: BaselineMeasure) =>
    delivery === null ? 0 : trust * Math.max(-FARTHEST_Z, Math.min(FARTHEST_Z, zScore(delivery, baseline, measure)));
  const onset = answering && pauseBeforeMs <= ONSET_LONGEST_MS ? pauseBeforeMs - ONSET_FREE_MS : 0;
  return {
    hedging: saturating(share(hedges.length), HEDGE_SCALE),
    stumbling: saturating(markers.disfluency_rate, DISFLUENCY_SCALE),
    repairing: saturating(share(disfluencies.repairs.length), DISFLUENCY_SCALE),
    question: markers.is_question ? 1 : 0,
    confusion: present(words, CONFUSION),
    reflection: present(words, REFLECTION),
    interest: present(words, INTEREST),
    disinterest: present(words, DISINTEREST),
    certainty: saturating(share(findPhrases(words, BOOSTERS).length), BOOSTER_SCALE),
    substance: saturating(words.length, SUBSTANCE_WORDS),
    backchannel: isBackchannel(words) ? 1 : 0,
    onset: saturating(onset, ONSET_SCALE_MS),
    pausing: z('pauseRatio'),
    slowness: -z('articulationRate'),
    liveliness: (z('pitchSdSt') + z('intensitySdDb')) / 2,
    loudness: baseline.n > 0 ? z('intensityDb') : 0,
    rising: delivery?.finalContour === 'rising' && !markers.is_question ? trust : 0,
  };
}
