/** A reporting verb, the words of a sentence that select it, and the words that follow it. */
export type ReportingVerbCue = readonly [cue: RegExp, verb: string, then?: RegExp];

interface ReportingVerbs {
  /** Verbs that take precedence over those of the dialogue act, for a sentence that only considers or bargains. */
  beforeActs: readonly ReportingVerbCue[];
  /** Verbs of a sentence that neither offers nor promises. The first match applies. */
  others: readonly ReportingVerbCue[];
}

export const REPORTING_VERBS: ReportingVerbs = {
  beforeActs: [
    [/^(hi,? |hello,? )?(i|we)('d| would) like to (?!(offer|suggest|propose|recommend)\b)/i, 'wants'],
    [/\b(maybe|perhaps|might)\b/i, 'considers', /\b(i|we)('ll| will)\b/i],
    [/\bif you\b/i, 'offers', /\b(i|we)('ll| will| can| could)\b(?!')/i],
  ],
  others: [
    [
      /^(?!.*\bi (?:just |don't |do not |really |also )?(?:think|guess|believe|feel|remember|suppose|agree|mean)\b).*\b((?:isn't|not) working|(?:doesn't|won't|can't|cannot) (?:work|start|open|load|turn|log|connect|print|pay|access|reach|find)|broken|problem|issue|trouble|unfortunately|failed|error)\b/i,
      'reports',
    ],
    [
      /^(?:(?:so|and|but|well|yes|yeah|no|hi|hello|actually|basically|today),? )*((i|we)(('d| would)( \w+)? (like|love|prefer)| (\w+ )?(need|want|prefer))|(i'm|i am|we're|we are)( \w+)? (looking for|hoping))\b/i,
      'wants',
    ],
  ],
};
