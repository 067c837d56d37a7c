import type { Level } from '../../../../src/contract/timeline.ts';
import type { ConvictionLevel, PassionLevel } from '../../../../src/contract/timeline-entry.ts';
import { readSurfaces } from '../../../../src/conversation/dialogue-acts/dialogue-acts.ts';
import { type Language, oncePerLanguage } from '../../../../src/conversation/language.ts';
import { PhraseMatcher } from '../../../../src/conversation/text/phrases.ts';
import { words as wordsOf } from '../../../../src/conversation/text/tokens.ts';
import { logistic } from '../../prosody/statistics.ts';
import type { Cues } from './cues.ts';

const intensifierMatcher = oncePerLanguage(
  ({ affect }) => new PhraseMatcher({ intensifier: affect.cues.intensifiers }, {}),
);

/** The dialogue acts of a text's sentences, found with the shared list of promises and deferrals. */
function bindingOf(text: string, language: Language): { promises: boolean; defers: boolean } {
  const cues = readSurfaces(text, language).flatMap((surface) => [...surface.cues]);
  return {
    promises: cues.some((cue) => cue.startsWith('commitment.')),
    defers: cues.some((cue) => cue.startsWith('defer')),
  };
}

/**
 * How strongly the words commit the speaker, 0 to 1. Promises, boosters and dates raise it, while hedges, conditions,
 * questions and doubt lower it.
 */
export function commitmentOfWords(text: string, cues: Cues, language: Language): number {
  const { promises, defers } = bindingOf(text, language);
  const hasDeadline = language.affect.cues.deadline.test(wordsOf(text, 'joined').join(' '));
  return logistic(
    -0.1 +
      1.4 * (promises && !defers ? 1 : 0) +
      1.1 * cues.certainty +
      0.6 * (hasDeadline ? 1 : 0) -
      1.8 * cues.hedging -
      0.7 * cues.condition -
      1.1 * (defers ? 1 : 0) -
      0.6 * cues.question -
      0.5 * cues.confusion,
  );
}

/** Inputs to the passion of the words. `feeling` is 1 - P(neutral), `polarity` is from -1 to 1. */
export interface WordPassion {
  feeling: number;
  polarity: number;
}

/** Passion of the words, 0 to 1. It depends on intensifiers, exclamation, feeling and polarity. */
export function passionOfWords(text: string, { feeling, polarity }: WordPassion, language: Language): number {
  const words = wordsOf(text, 'joined');
  const share = words.length === 0 ? 0 : intensifierMatcher(language).find(words).length / words.length;
  return logistic(
    -1.5 +
      1.2 * (1 - Math.exp(-share / 0.1)) +
      1.5 * feeling +
      1.2 * Math.abs(polarity) +
      0.6 * (text.includes('!') ? 1 : 0),
  );
}

/** The voice's own scores and how far they can be trusted, 0 to 1. Null when the audio was not measured. */
export interface VoiceScores {
  commitment: number;
  passion: number;
  energy: number;
  trust: number;
}

/**
 * Shares of a fully trusted voice. The words get the rest. Methods section 4 weighs both equally, but passion shows
 * mostly in the voice.
 */
const VOICE_SHARE_COMMITMENT = 0.5;
const VOICE_SHARE_PASSION = 0.7;
/** In conviction, the share of commitment that depends on drive, and the share that full hedging removes. */
const DRIVE_SHARE = 0.6;
const HEDGE_DAMPING = 0.5;

/**
 * Thresholds of the three scores. They were chosen on read and conversational speech in the open recordings so that
 * every level occurs.
 */
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
 * Combines words and voice into composite indices of how something is said, which do not show whether it is true.
 * conviction = sqrt(commitment x drive) x (1 - damping x hedging), drive = .4 + .6 x mean of passion and vocal energy.
 */
export function convictionOf(
  text: string,
  cues: Cues,
  words: WordPassion,
  voice: VoiceScores | null,
  language: Language,
): Conviction {
  const share = (full: number) => (voice === null ? 0 : full * voice.trust);
  const blend = (ofWords: number, ofVoice: number | undefined, full: number) =>
    ofVoice === undefined ? ofWords : (1 - share(full)) * ofWords + share(full) * ofVoice;
  const commitment = blend(commitmentOfWords(text, cues, language), voice?.commitment, VOICE_SHARE_COMMITMENT);
  const passion = blend(passionOfWords(text, words, language), voice?.passion, VOICE_SHARE_PASSION);
  const energy = voice === null ? passion : blend(passion, voice.energy, 1);
  const drive = 1 - DRIVE_SHARE + (DRIVE_SHARE * (passion + energy)) / 2;
  return { commitment, passion, conviction: Math.sqrt(commitment * drive) * (1 - HEDGE_DAMPING * cues.hedging) };
}

/** Quoted phrases in which the speaker vouches for a statement or doubts it. Null when there are none. */
export function factualityMarkers(text: string, language: Language): string[] | null {
  const spoken = wordsOf(text, 'joined').join(' ');
  const found = language.affect.factuality.flatMap(({ label, pattern }) => {
    const match = pattern.exec(spoken);
    return match ? [`${label}: "${match[0]}"`] : [];
  });
  return found.length > 0 ? found : null;
}
