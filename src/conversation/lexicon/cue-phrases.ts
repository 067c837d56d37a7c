/** Cue name -> phrases, in the notation of `words/phrases.ts`. */
export type CuePhrases = Readonly<Record<string, readonly string[]>>;
