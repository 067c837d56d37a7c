import { ENGLISH } from './en/index.ts';
import type { Language } from './language.ts';

/** Every language that conversations can be read in, by ISO 639-1 code. Each has one row. */
export const LANGUAGES: Record<string, Language> = { en: ENGLISH };

/** The language that is used for a conversation without a language, or with one that has no row. */
export const DEFAULT_LANGUAGE = ENGLISH;

/** The languages that conversations can be read in, as ISO 639-1 codes. */
export const READ_LANGUAGES = Object.keys(LANGUAGES);

/** Whether conversations in a language can be read. @param tag BCP 47 */
export const isReadLanguage = (tag: string): boolean => Object.hasOwn(LANGUAGES, baseOf(tag));

/** @param tag BCP 47, such as `en` or `pt-BR` */
export const languageOf = (tag: string | null | undefined): Language =>
  LANGUAGES[baseOf(tag ?? '')] ?? DEFAULT_LANGUAGE;

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
