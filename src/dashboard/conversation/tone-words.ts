import { two } from '../lib/format.ts';
import { type Felt, isHollow, type UtteranceLine } from './model.ts';

// The words for the sound of an utterance. Nothing is said of a voice that was not measured.

/** Minimum confidence for the transcript to show the name of an emotion. */
const NAMED = 0.5;
const UNREMARKABLE = ['even', 'not judged', 'not measured'];

/** The name of the emotion, if it is sure enough to be named. */
export function feelingOf({ felt }: UtteranceLine): string | undefined {
  if (!felt) return undefined;
  const { dominant_emotion: emotion, emotion: reading } = felt;
  return emotion !== 'neutral' && reading.confidence >= NAMED ? emotion : undefined;
}

/**
 * The delivery in a word or two, empty if nothing stands out, the voice was not measured, or there is too little of the
 * speaker to compare it with.
 */
export function styleOf({ entry, voice, isComparable }: UtteranceLine): string {
  const style = (voice && isComparable && entry.delivery_style) || '';
  if (UNREMARKABLE.includes(style)) return '';
  return style
    .slice(style.lastIndexOf(', with') + 1)
    .trimStart()
    .replace(' and ', ', ');
}

/** Whether the affect comes from the words without the voice. */
export const isOfWordsAlone = ({ emotion }: Felt): boolean => emotion.voice === null;

/** The tone of a line in words for screen readers. */
export function soundOf(line: UtteranceLine): string {
  const { tone, felt, voice } = line;
  if (!tone) return 'tone was not measured';
  const { valence, arousal } = tone;
  const height =
    valence < 0.43
      ? 'clearly negative'
      : valence < 0.47
        ? 'slightly negative'
        : valence <= 0.53
          ? 'neutral'
          : valence <= 0.66
            ? 'slightly positive'
            : 'clearly positive';
  const energy = arousal < 0.42 ? 'calm' : arousal <= 0.55 ? 'moderate energy' : 'lively';
  return [
    height,
    voice && energy,
    voice && line.isComparable && line.entry.delivery_style,
    isHollow(line) && 'heard badly',
    felt && isOfWordsAlone(felt) && 'from the words alone',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The measures of a line's tone: "valence 0.54, arousal 0.47 (0 to 1)", of the words alone only the valence. */
export const measuresOf = ({ tone, voice }: UtteranceLine): string =>
  tone
    ? `valence ${two(tone.valence)}${voice ? `, arousal ${two(tone.arousal)} (0 to 1)` : ' (0 to 1), from the words alone'}`
    : '';
