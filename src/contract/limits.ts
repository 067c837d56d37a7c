import * as z from 'zod';

/**
 * The most a client may say, by name; a 400 names the limit and the place. Characters are UTF-16 code units. A talk of
 * eight hours at 200 words a minute has 96,000 words, 530,000 characters and, at five seconds each, 5,760 utterances; the
 * longest meeting of QMSum has 1,832 of them, one of 7,946 characters, 138,380 in all, and a speaker named by 94.
 */
export const LIMITS = {
  utterances: 10_000,
  /** The text of one utterance, and of all of a request together. */
  textChars: 20_000,
  allTextChars: 1_000_000,
  /** `words` of one utterance, and of all together; their characters, too, are at most `allTextChars`. */
  words: 5_000,
  allWords: 200_000,
  /** `utterance_id`, `speaker`, a word, and other names. */
  labelChars: 128,
  /** `goal` of an analysis, `context` of a segmentation. */
  goalChars: 4_000,
  /** `moments` of a request, and `transitions`; the names that one of them holds, and what a moment says in words. */
  events: 5_000,
  eventNames: 50,
  summaryChars: 500,
  /** `words` of an analysis: names and terms that may be said; and characters of one. */
  listedWords: 1_000,
  listedWordChars: 60,
  /** `reason` of a live session's end, and its `filename`. */
  reasonChars: 500,
  filenameChars: 500,
  /** What people add to a stored conversation: its title, its labels, the speakers it may have, utterances moved by one edit. */
  titleChars: 200,
  tags: 20,
  tagChars: 60,
  speakers: 8,
  moves: 500,
  /** All edits of a conversation, as JSON; thumbs on it, and what is said beside one. */
  editBytes: 250_000,
  feedback: 1_000,
  feedbackChars: 1_000,
  /** `q` of a search, and its words. */
  queryChars: 200,
  queryWords: 20,
} as const;

/** A text of a client. */
export const textOf = (max: number) => z.string().max(max, `longer than ${max} characters`);
export const LabelSchema = textOf(LIMITS.labelChars);
export const GoalSchema = textOf(LIMITS.goalChars);

/** What the entries of a list below are: its own code hides it from whoever describes it. */
export const LIST_ENTRIES = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** A list of a client. Reading stops at its first fault: one of a million bad entries costs as much as one of one. */
export function listOf<T extends z.ZodType>(entry: T, max: number) {
  const list = z.array(z.unknown()).max(max, `more than ${max} entries`);
  LIST_ENTRIES.set(list, entry);
  return list.transform((values, context): z.output<T>[] => {
    const entries: z.output<T>[] = [];
    for (const [i, value] of values.entries()) {
      const read = entry.safeParse(value);
      if (!read.success) {
        const fault = read.error.issues[0];
        context.addIssue({ code: 'custom', path: [i, ...(fault?.path ?? [])], message: fault?.message ?? 'invalid' });
        return z.NEVER;
      }
      entries.push(read.data);
    }
    return entries;
  });
}
