import type { Level } from '../../../../src/contract/timeline.ts';
import type { ConvictionLevel, PassionLevel } from '../../../../src/contract/timeline-entry.ts';
import { sigmoid } from './cognitive.ts';
import type { Cues } from './cues.ts';
import { findPhrases, wordsOf } from '../tokens.ts';

const lexicon = (phrases: string) => new Map(phrases.split('|').map((phrase) => [phrase, true] as const));
/** First person and an act to come: the words that bind (Google's MAKES_PROMISE reads the same forms). */
const PROMISES = lexicon(
  "i will|i'll|we will|we'll|i'm going to|we're going to|i am going to|we are going to|i'm gonna|we're gonna|i promise|we promise|i commit|we commit|i guarantee|count me in|count us in|i'm in|we're in|deal|it's a deal|agreed|i agree|you have my word|i'll make sure|i accept|let's do it|let's do that|let's go ahead|sign me up|i decided|we decided|we've decided|i've decided|i'll take|we'll take|consider it done",
);
const TENTATIVE = lexicon(
  "i'll try|we'll try|i will try|we'll see|i'll think about it|i'll have to think|have to think about|let me think about it|can't commit|cannot commit|can't promise|not ready|not yet|it depends|depends on|if possible|no promises|at some point|one day|some day|eventually|get back to you|i would need to|i'd need to|have to check|need to check|not a hundred percent|i'd rather not",
);
const CONDITIONALS = lexicon("if|unless|provided|assuming|as long as|would|could|wouldn't|couldn't|i'd|we'd");
const DEADLINE =
  /\b(by|on|this|next|until|before|till) (monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|end of|week|month|quarter|the end|january|february|march|april|june|july|august|september|october|november|december)\b|\b(today|tomorrow|tonight|right away|right now|immediately)\b/;
const INTENSIFIERS = lexicon(
  'very|really|so|absolutely|totally|completely|extremely|incredibly|super|amazing|amazingly|huge|hugely|terrible|terribly|awful|fantastic|love|hate|never|always|ever|such|best|worst|unbelievable|insane|crazy|passionate|excited|thrilled|furious|desperately|seriously|truly|deeply',
);

const has = (words: string[], phrases: Map<string, true>) => (findPhrases(words, phrases).length > 0 ? 1 : 0);

/** How far the words bind their speaker, 0..1: promises, boosters and dates raise it; hedges, conditions, questions and doubt lower it. */
export function commitmentOfWords(text: string, cues: Cues): number {
  const words = wordsOf(text);
  const tentative = has(words, TENTATIVE);
  return sigmoid(
    -0.1 +
      1.4 * has(words, PROMISES) * (1 - tentative) +
      1.1 * cues.certainty +
      0.6 * (DEADLINE.test(words.join(' ')) ? 1 : 0) -
      1.8 * cues.hedging -
      0.7 * has(words, CONDITIONALS) -
      1.1 * tentative -
      0.6 * cues.question -
      0.5 * cues.confusion,
  );
}

/** What the passion of the words is taken from: `feeling` = 1 - P(neutral); `polarity` -1..1. */
export interface WordPassion {
  feeling: number;
  polarity: number;
}

/** How much heat the words show, 0..1: intensifiers, exclamation, feeling, polarity. */
export function passionOfWords(text: string, { feeling, polarity }: WordPassion): number {
  const words = wordsOf(text);
  const share = words.length === 0 ? 0 : findPhrases(words, INTENSIFIERS).length / words.length;
  return sigmoid(
    -1.5 +
      1.2 * (1 - Math.exp(-share / 0.1)) +
      1.5 * feeling +
      1.2 * Math.abs(polarity) +
      0.6 * (text.includes('!') ? 1 : 0),
  );
}

/** The voice's own scores, 0..1, and how far they can be trusted; null when the audio was not measured. */
export interface VoiceScores {
  commitment: number;
  passion: number;
  energy: number;
  trust: number;
}

/** Shares of the voice at full trust; the words have the rest. Methods section 4: half and half; passion is mostly heard. */
const VOICE_SHARE_COMMITMENT = 0.5;
const VOICE_SHARE_PASSION = 0.7;
/** Conviction: how much drive adds to commitment, and how much full hedging takes away. */
const DRIVE_SHARE = 0.6;
const HEDGE_DAMPING = 0.5;

/** Cuts of the three scores; chosen on read and talked speech of the open recordings so that every level occurs. */
const COMMITMENT_CUTS = [0.4, 0.6] as const;
const PASSION_CUTS = [0.3, 0.45, 0.6] as const;
const CONVICTION_CUTS = [0.4, 0.62] as const;

export const commitmentLevel = (score: number): Level =>
  score < COMMITMENT_CUTS[0] ? 'low' : score < COMMITMENT_CUTS[1] ? 'moderate' : 'high';
export const passionLevel = (score: number): PassionLevel =>
  score < PASSION_CUTS[0]
    ? 'reserved'
    : score < PASSION_CUTS[1]
      ? 'mildly_passionate'
      : score < PASSION_CUTS[2]
        ? 'moderately_passionate'
        : 'highly_passionate';
export const convictionLevel = (score: number): ConvictionLevel =>
  score < CONVICTION_CUTS[0] ? 'weak' : score < CONVICTION_CUTS[1] ? 'moderate' : 'strong';

export interface Conviction {
  commitment: number;
  passion: number;
  conviction: number;
}

/**
 * Words and voice together. Composite indices of how something is said, not of whether it is true.
 * conviction = sqrt(commitment x drive) x (1 - damping x hedging), drive = .4 + .6 x mean of passion and vocal energy.
 */
export function convictionOf(text: string, cues: Cues, words: WordPassion, voice: VoiceScores | null): Conviction {
  const share = (full: number) => (voice === null ? 0 : full * voice.trust);
  const blend = (ofWords: number, ofVoice: number | undefined, full: number) =>
    ofVoice === undefined ? ofWords : (1 - share(full)) * ofWords + share(full) * ofVoice;
  const commitment = blend(commitmentOfWords(text, cues), voice?.commitment, VOICE_SHARE_COMMITMENT);
  const passion = blend(passionOfWords(text, words), voice?.passion, VOICE_SHARE_PASSION);
  const energy = voice === null ? passion : blend(passion, voice.energy, 1);
  const drive = 1 - DRIVE_SHARE + (DRIVE_SHARE * (passion + energy)) / 2;
  return { commitment, passion, conviction: Math.sqrt(commitment * drive) * (1 - HEDGE_DAMPING * cues.hedging) };
}

const FACTUALITY = [
  { label: 'states a number', pattern: /\b\d[\d,.]*\b|\b(hundred|thousand|million|percent)\b/ },
  {
    label: 'names a source',
    pattern: /\b(according to|the report|the data|the study|research shows|the contract says|on record|the numbers)\b/,
  },
  {
    label: 'states as fact',
    pattern: /\b(in fact|the fact is|definitely|certainly|i know|we know|of course|clearly)\b/,
  },
  { label: 'opinion marked', pattern: /\b(i think|i believe|in my opinion|i feel|i guess|i'd say)\b/ },
  { label: 'possibility marked', pattern: /\b(maybe|perhaps|might|possibly|could be|probably|may be)\b/ },
  { label: 'hearsay marked', pattern: /\b(apparently|supposedly|i heard|they say|i've been told|allegedly)\b/ },
  { label: 'denial', pattern: /\b(not true|isn't true|never happened|didn't happen|that's wrong|incorrect)\b/ },
];

/** Words that mark how the speaker vouches for what is said, each with the words themselves; null when there are none. */
export function factualityMarkers(text: string): string[] | null {
  const said = wordsOf(text).join(' ');
  const found = FACTUALITY.flatMap(({ label, pattern }) => {
    const match = pattern.exec(said);
    return match ? [`${label}: "${match[0]}"`] : [];
  });
  return found.length > 0 ? found : null;
}
