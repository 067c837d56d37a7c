import type { Edit } from '../../contract/conversations.ts';
import type { RedactionDeed } from '../../contract/receipts.ts';
import type { RedactionKind } from '../../contract/redaction.ts';
import { editedBy } from './edits/edited.ts';
import type { StoredRecord } from './record.ts';

/** Stands for a text that was written while the redaction ran, or that was too much to read. */
export const UNREAD = '[removed]';

/** The texts that people wrote about a conversation, each once. `notes` are those in playlists. */
export function writtenTexts(record: StoredRecord, notes: readonly string[]): string[] {
  const { filename, options, edits, comments = [] } = record;
  const { title, labels } = editedBy(edits);
  const texts = [filename, options.goal, title ?? '', ...labels, ...comments.map(({ text }) => text), ...notes];
  return [...new Set(texts)].filter((text) => text.trim() !== '');
}

/** A record after its redaction, except for what depends on the new result. */
export interface RedactedRecord {
  record: StoredRecord;
  /** Comments, title and the like that were changed, and what was removed. */
  deed: Pick<RedactionDeed, 'texts' | 'removed'>;
}

/**
 * The record with the redacted form of every text. The ratings quote the earlier result, and the earlier edits could be
 * brought back by an undo: both are removed.
 * @param redacted the redacted form of a text
 */
export function redactedRecord(
  record: StoredRecord,
  kinds: readonly RedactionKind[],
  redacted: (text: string) => string,
): RedactedRecord {
  const { edits, comments, feedback, people: _, options, ...rest } = record;
  const { title, labels } = editedBy(edits);
  const left: Edit = {
    ...(title !== null && { title: redacted(title) }),
    ...(labels.length > 0 && { labels: [...new Set(labels.map(redacted))] }),
  };
  const goal = redacted(options.goal);
  const filename = redacted(record.filename);
  const changed = (texts: readonly string[]): number => texts.filter((text) => redacted(text) !== text).length;
  return {
    record: {
      ...rest,
      filename,
      options: { ...options, goal, redact: [...kinds] },
      edits: Object.keys(left).length > 0 ? [left] : [],
      feedback: [],
      ...(comments && { comments: comments.map((one) => ({ ...one, text: redacted(one.text) })) }),
    },
    deed: {
      texts: {
        title: changed(title === null ? [] : [title]),
        labels: changed(labels),
        comments: changed((comments ?? []).map(({ text }) => text)),
        notes: 0,
        filename: changed([record.filename]),
        goal: changed([options.goal]),
      },
      removed: { edits: edits.length, ratings: feedback.length, commitments: 0, people: 0, messages: 0 },
    },
  };
}
