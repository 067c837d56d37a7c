/** Cue name -> phrases, in the notation of `words/phrase-matcher.ts`. */
export type CuePhrases = Readonly<Record<string, readonly string[]>>;
