import { sentences } from './en/sentences/sentences.ts';

export const DEFAULT_LANGUAGE = { sentences };
