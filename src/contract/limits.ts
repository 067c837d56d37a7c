import * as z from 'zod';

/**
 * Limits on what a client may send. A 400 names the limit and the field. Characters are UTF-16 code units. A
 * conversation of eight hours at 200 words a minute has 96,000 words, 530,000 characters and, at five seconds each,
 * 5,760 utterances. The longest QMSum meeting has 1,832 utterances and 138,380 characters; its longest utterance has
 * 7,946 characters, and its longest speaker name 94.
 */
export const LIMITS = {
  utterances: 10_000,
  /** The text of one utterance, and of all utterances of a request together. */
  textChars: 20_000,
  allTextChars: 1_000_000,
  /**
   * The `words` of one utterance, and of all utterances together. The characters of all words are also limited to
   * `allTextChars`.
   */
  words: 5_000,
  allWords: 200_000,
  /** An `utterance_id`, a `speaker`, a word, or another name. */
  labelChars: 128,
  /** The `goal` of an analysis, and the `context` of a segmentation. */
  goalChars: 4_000,
  /** The `moments` and `transitions` of a request, the ids or labels in one of them, and the `summary` of a moment. */
  events: 5_000,
  eventNames: 50,
  summaryChars: 500,
  /** The `words` of an analysis, which are names and terms that may be spoken, and the characters of each. */
  listedWords: 1_000,
  listedWordChars: 60,
  /** The `reason` for ending a live session, and its `filename`. */
  reasonChars: 500,
  filenameChars: 500,
  /** Edits of a stored conversation: the title, the labels, the speakers, and the utterances that one edit moves. */
  titleChars: 200,
  tags: 20,
  tagChars: 60,
  speakers: 8,
  /** Dismissed proposals in one edit. */
  dismissals: 32,
  moves: 500,
  /** The utterances that one edit corrects, and the characters of each. */
  corrections: 100,
  correctedChars: 8_000,
  /** All edits of a conversation as JSON, its feedback, and the comment of each feedback. */
  editBytes: 250_000,
  feedback: 1_000,
  feedbackChars: 1_000,
  /** The comments on a conversation, and the characters of each. */
  comments: 200,
  commentChars: 1_000,
  /** The conversations that one request changes, exports or deletes. */
  batch: 200,
  /** The people of a tenant, and the characters of a role. */
  people: 1_000,
  roleChars: 32,
  /** The playlists of a tenant, and the items of each. */
  playlists: 200,
  playlistItems: 500,
  /** The saved views of a tenant, and the characters of their filters. */
  views: 200,
  viewChars: 2_000,
  /** The active shares of a tenant, and as many that have ended. */
  shares: 1_000,
  /** The holds of a tenant over filters. */
  filterHolds: 100,
  /** The `q` of a search, and the words in it. */
  queryChars: 200,
  queryWords: 20,
  /** The pipelines that announce themselves to a pool, and the characters of an address. */
  poolMembers: 500,
  memberUrlChars: 300,
} as const;

/** A string from a client. */
export const textOf = (max: number) => z.string().max(max, `is longer than ${max} characters`);

/** Removes characters that reorder the surrounding text, which could make one name look like another. */
export const withoutBidi = (name: string): string => name.replace(/\p{Bidi_Control}/gu, '');

/** A name that a client chose and other people see. */
export const nameOf = (max: number) => textOf(max).overwrite(withoutBidi);
/** A name that a person chose: one line, no control characters, not empty. */
export const lineOf = (max: number) =>
  nameOf(max)
    .trim()
    .min(1, 'must not be empty')
    .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be one line without control characters');

export const FilenameSchema = nameOf(LIMITS.filenameChars);
export const LabelSchema = textOf(LIMITS.labelChars);
export const GoalSchema = textOf(LIMITS.goalChars);

/** The entry schemas of the lists below, whose transform hides them from JSON Schema. */
export const LIST_ENTRIES = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** A list from a client. Validation stops at the first error, so that a million bad entries cost no more than one. */
export function listOf<T extends z.ZodType>(entry: T, max: number) {
  const list = z.array(z.unknown()).max(max, `has more than ${max} entries`);
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

/** Whether the runtime knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
