/** Phrases by cue name, in the notation of `text/phrases.ts`. */
export type CuePhrases = Readonly<Record<string, readonly string[]>>;
