import type { AffectReading, HeardSound, SaidWords, SoundSource, WordSource } from './reading.ts';
import { wordAffect } from './text-affect.ts';
import { voiceAffect } from './voice-affect.ts';

/** All that affect is read from. One of them has what the others leave: that in the words, which are always there. */
export const WORD_SOURCES: readonly WordSource[] = [wordAffect];
export const SOUND_SOURCES: readonly SoundSource[] = [voiceAffect];

export const readWords = (said: SaidWords): AffectReading[] => WORD_SOURCES.map((source) => source.read(said));
/** @throws what a source does */
export const readSound = (heard: HeardSound, sources = SOUND_SOURCES): Promise<AffectReading[]> =>
  Promise.all(sources.map((source) => source.read(heard)));
