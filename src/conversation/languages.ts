import { ENGLISH } from './en/index.ts';
import type { Language } from './language.ts';

/** Every language in which conversations are read, by ISO 639-1 code; one row each. */
export const LANGUAGES: Record<string, Language> = { en: ENGLISH };

/** The language of a conversation that names none, or one without a row. */
export const DEFAULT_LANGUAGE = ENGLISH;

/** @param tag BCP 47, such as `en` or `pt-BR` */
export const languageOf = (tag: string | null | undefined): Language =>
  LANGUAGES[tag?.toLowerCase().split('-')[0] ?? ''] ?? DEFAULT_LANGUAGE;
