import type { SoundSource, SourceAffect, UtteranceSound } from './reading.ts';
import { wordAffect } from './text/text-affect.ts';
import type { UtteranceWords, WordSource } from './text/word-source.ts';
import { voiceAffect } from './voice/voice-affect.ts';

/** All sources of affect. The words are always present and get the weight that the others leave. */
const WORD_SOURCES: readonly WordSource[] = [wordAffect];
export const SOUND_SOURCES: readonly SoundSource[] = [voiceAffect];

export const readWords = (input: UtteranceWords): SourceAffect[] => WORD_SOURCES.map((source) => source.read(input));

/** A source that fails is left out, and the reason is logged. */
export async function readSound(sound: UtteranceSound, sources = SOUND_SOURCES): Promise<SourceAffect[]> {
  const readings = await Promise.all(
    sources.map(async (source) => {
      try {
        return await source.read(sound);
      } catch (cause) {
        console.error('an affect source failed:', cause);
        return null;
      }
    }),
  );
  return readings.filter((reading) => reading !== null);
}
