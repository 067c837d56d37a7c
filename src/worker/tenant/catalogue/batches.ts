import type { BatchItem } from '../../../contract/batch.ts';
import type { Deletion } from '../../../contract/conversations.ts';
import type { StoredReceipt } from '../../../contract/receipts.ts';
import { fail, type Result } from '../../../contract/result.ts';
import { asServiceError, logFault } from '../../http/errors.ts';
import { newId } from '../../sqlite/values.ts';

/** Conversations of one request that are changed at the same time. Each waits for the bucket. */
const AT_ONCE = 6;

/**
 * Applies one act to each conversation.
 * @param act returns whether it changed the conversation
 * @returns an outcome for each id, in their order
 */
export async function batchOf(
  ids: readonly string[],
  act: (id: string) => Promise<Result<boolean>>,
): Promise<BatchItem[]> {
  const items = new Array<BatchItem>(ids.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < ids.length) {
      const at = next++;
      items[at] = itemOf(ids[at]!, await act(ids[at]!).catch(refusalOf));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return items;
}

function itemOf(id: string, result: Result<boolean>): BatchItem {
  if (result.ok) return { conversation_id: id, outcome: result.value ? 'done' : 'unchanged', error: null };
  return { conversation_id: id, outcome: 'failed', error: { code: result.code, message: result.detail } };
}

/** A fault of one conversation does not end the act on the others. */
function refusalOf(error: unknown): Result<never> {
  const fault = asServiceError(error);
  logFault(fault, { task: 'batch' });
  return fail(fault.code, fault.detail);
}

/** One receipt for the conversations that a request deleted. */
export function receiptOf(deletions: readonly Deletion[], by: string): StoredReceipt {
  return {
    receipt_id: newId('receipt'),
    kind: 'deletions',
    at: new Date().toISOString(),
    by,
    conversation_id: null,
    conversation_ids: deletions.map(({ conversation_id }) => conversation_id),
    redaction_id: null,
    removed: deletions.flatMap(({ objects }) => objects),
    rewritten: [],
    index: [...new Set(deletions.flatMap(({ index }) => index))],
    redaction: null,
    conversations: null,
  };
}
