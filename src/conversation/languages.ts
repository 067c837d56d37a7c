import { ENGLISH } from './en/index.ts';
import type { Language } from './language.ts';

/** Every supported language of conversations, by ISO 639-1 code. Each has one row. */
export const LANGUAGES: Record<string, Language> = { en: ENGLISH };

/** The language used for a conversation without a language, or with an unsupported one. */
export const DEFAULT_LANGUAGE = ENGLISH;

/** The supported languages of conversations, as ISO 639-1 codes. */
export const READ_LANGUAGES = Object.keys(LANGUAGES);

/**
 * Whether conversations in a language are supported.
 * @param tag BCP 47
 */
export const isReadLanguage = (tag: string): boolean => Object.hasOwn(LANGUAGES, baseOf(tag));

/** @param tag BCP 47, such as `en` or `pt-BR` */
export const languageOf = (tag: string | null | undefined): Language =>
  LANGUAGES[baseOf(tag ?? '')] ?? DEFAULT_LANGUAGE;

const baseOf = (tag: string): string => tag.toLowerCase().split('-')[0] ?? '';
