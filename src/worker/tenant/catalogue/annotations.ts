import type { BatchAct } from '../../../contract/batch.ts';
import type { Feedback, NewComment } from '../../../contract/conversations.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { editedBy } from '../../results/edits/edited.ts';
import type { GivenFeedback, StoredComment, StoredRecord, StoredStatus } from '../../results/record.ts';
import type { Catalogue } from './catalogue.ts';
import type { CatalogueSync } from './catalogue-sync.ts';

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown conversation');
const UNKNOWN_COMMENT: Result<never> = fail('NOT_FOUND', 'Unknown comment');

/** The status of a commitment, as somebody sets it; null for the state by the words. */
export type GivenStatus = Pick<StoredStatus, 'id' | 'quote' | 'key'> & { status: StoredStatus['status'] | null };

/** Everything that people add to stored conversations: reviews, labels, comments, statuses of commitments, ratings. */
export class Annotations {
  readonly #catalogue: Catalogue;
  readonly #sync: CatalogueSync;

  constructor(catalogue: Catalogue, sync: CatalogueSync) {
    this.#catalogue = catalogue;
    this.#sync = sync;
  }

  /** Marks a conversation as reviewed, or as to review again. @returns whether that is a change */
  async setReviewed(id: string, isReviewed: boolean): Promise<Result<boolean>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    if ((found.record.reviewedAt !== undefined) === isReviewed) return ok(false);
    const { reviewedAt = Date.now(), ...record } = found.record;
    this.#catalogue.put(isReviewed ? { ...record, reviewedAt } : record);
    await this.#sync.settle(id);
    return ok(true);
  }

  /** Adds and removes labels. @returns whether that is a change */
  async relabel(id: string, { add, remove }: NonNullable<BatchAct['labels']>): Promise<Result<boolean>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    const { record } = found;
    const before = editedBy(record.edits).labels;
    const labels = [...new Set([...before.filter((label) => !remove.includes(label)), ...add])];
    if (JSON.stringify(labels) === JSON.stringify(before)) return ok(false);
    if (labels.length > LIMITS.tags)
      return fail('INVALID_REQUEST', `This conversation would have more than ${LIMITS.tags} labels, its limit`);
    const edits = [...record.edits, { labels }];
    if (JSON.stringify(edits).length > LIMITS.editBytes)
      return fail('INVALID_REQUEST', `The edits of this conversation exceed their limit of ${LIMITS.editBytes} bytes`);
    this.#catalogue.put({ ...record, edits });
    await this.#sync.settle(id);
    return ok(true);
  }

  /**
   * Adds a comment.
   * @param key id of the key that writes it, with its tenant
   */
  async comment(id: string, { at, text }: NewComment, key: string): Promise<Result<StoredComment>> {
    const found = this.#sync.find(id);
    if (!found) return UNKNOWN;
    const { comments = [] } = found.record;
    if (comments.length >= LIMITS.comments)
      return fail('INVALID_REQUEST', `This conversation already has ${LIMITS.comments} comments, its limit`);
    const end = found.card?.duration_s;
    if (end !== undefined && at > end) return fail('INVALID_REQUEST', `at: the recording ends at ${end} s`);
    const added = { id: crypto.randomUUID(), at, text, key, createdAt: Date.now(), changedAt: null };
    await this.#setComments(found.record, [...comments, added]);
    return ok(added);
  }

  async changeComment(id: string, comment: string, text: string): Promise<Result<StoredComment>> {
    const record = this.#sync.find(id)?.record;
    const known = record?.comments?.find((one) => one.id === comment);
    if (!record || !known) return UNKNOWN_COMMENT;
    const changed = { ...known, text, changedAt: Date.now() };
    await this.#setComments(record, (record.comments ?? []).with((record.comments ?? []).indexOf(known), changed));
    return ok(changed);
  }

  async removeComment(id: string, comment: string): Promise<Result<null>> {
    const record = this.#sync.find(id)?.record;
    const left = record?.comments?.filter((one) => one.id !== comment);
    if (!record || !left || left.length === record.comments?.length) return UNKNOWN_COMMENT;
    await this.#setComments(record, left);
    return ok(null);
  }

  /**
   * Sets the status of a commitment.
   * @param set its id and words, the status (null for the state by the words), and the key that sets it
   */
  async setCommitment(id: string, { status, ...set }: GivenStatus): Promise<Result<null>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    const { commitments = [], ...rest } = found.record;
    const others = commitments.filter((one) => one.id !== set.id && one.quote !== set.quote);
    const given = status === null ? [] : [{ ...set, run: rest.run, status, at: Date.now() }];
    const next = [...others, ...given];
    this.#catalogue.put(next.length === 0 ? rest : { ...rest, commitments: next });
    await this.#sync.settle(id);
    return ok(null);
  }

  async #setComments(record: StoredRecord, comments: StoredComment[]): Promise<void> {
    const { comments: _before, ...rest } = record;
    const sorted = comments.toSorted((a, b) => a.at - b.at || a.createdAt - b.createdAt);
    this.#catalogue.put(sorted.length === 0 ? rest : { ...rest, comments: sorted });
    await this.#sync.settle(record.id);
  }

  /**
   * Stores feedback, replacing earlier feedback on the same item.
   * @param text the text that was rated
   */
  async giveFeedback(
    id: string,
    { thumb, comment = '', ...target }: Feedback,
    text: string,
    key: string,
  ): Promise<Result<null>> {
    const found = this.#sync.find(id);
    if (!found) return UNKNOWN;
    const { record } = found;
    const [kind, on] = targetOf(target);
    const others = record.feedback.filter((f) => f.kind !== kind || f.on !== on || f.run !== record.run);
    if (thumb !== null && others.length >= LIMITS.feedback)
      return fail('INVALID_REQUEST', `This conversation already has ${LIMITS.feedback} ratings, its limit`);
    const given: GivenFeedback[] =
      thumb === null ? [] : [{ kind, on, text, thumb, comment, at: Date.now(), key, run: record.run }];
    this.#catalogue.put({ ...record, feedback: [...others, ...given] });
    await this.#sync.settle(id);
    return ok(null);
  }
}

function targetOf({
  moment_id,
  utterance_id,
  line,
}: Omit<Feedback, 'thumb' | 'comment'>): [GivenFeedback['kind'], string] {
  if (moment_id !== undefined) return ['moment', moment_id];
  return utterance_id === undefined ? ['line', line ?? ''] : ['utterance', utterance_id];
}
