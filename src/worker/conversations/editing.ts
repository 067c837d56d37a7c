import type { Edit, Feedback } from '../../contract/conversations.ts';
import { ServiceError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Env } from '../identity/env.ts';
import { indexOf } from '../results/card.ts';
import { checkEdit, type Edited, editedBy, isResultEdited } from '../results/edits/edited.ts';
import type { MeasuredResult } from '../results/edits/edited-result.ts';
import type { StoredRecord } from '../results/record.ts';
import { editedResult, readFindings, readIndexable, readMeasured, writeEdited } from '../results/stored-result.ts';
import { runKeys, shownResultKey } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import type { Found } from '../tenant/catalogue/catalogue.ts';
import type { Change } from '../tenant/catalogue/tenant-conversations.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Two who edit at once are one after the other; more of them are asked to come again. */
const TRIES = 4;
const RETRY_AFTER_S = 1;

/** Whose conversation, and which. */
export interface ConversationAddress {
  env: Env;
  tenant: string;
  id: string;
}

/** @throws ServiceError NOT_FOUND */
export async function requireFound({ env, tenant, id }: ConversationAddress): Promise<Found> {
  const found = await tenantOf(env, tenant).conversations.find(id);
  if (!found) throw new ServiceError('NOT_FOUND', 'Unknown conversation');
  return found;
}

/** One edit more. @throws ServiceError INVALID_REQUEST, NOT_FOUND, NOT_COMPLETED, OVERLOADED */
export const edit = (place: ConversationAddress, added: Edit): Promise<void> =>
  change(place, ({ edits }, measured) => {
    if (measured) checkEdit(added, edits, namesIn(measured));
    const next = [...edits, added];
    if (JSON.stringify(next).length > LIMITS.editBytes)
      throw new ServiceError('INVALID_REQUEST', 'This conversation was edited as often as it may be');
    return next;
  });

/** One edit less. @throws ServiceError NOTHING_TO_UNDO, NOT_FOUND, OVERLOADED */
export const undo = (place: ConversationAddress): Promise<void> =>
  change(place, ({ edits }) => {
    if (edits.length === 0) throw new ServiceError('NOTHING_TO_UNDO');
    return edits.slice(0, -1);
  });

/**
 * @param next the edits after; the measured result is given where they may concern it. Called again with what it is given
 *   then
 */
async function change(
  place: ConversationAddress,
  next: (record: StoredRecord, measured?: MeasuredResult) => readonly Edit[],
): Promise<void> {
  const { env, tenant, id } = place;
  const store = mediaStore(env);
  for (let tries = 0; tries < TRIES; tries++) {
    const { record } = await requireFound(place);
    let edits = next(record);
    let made: Change = { edits };
    if (isOther(editedBy(edits), editedBy(record.edits))) {
      if (record.status !== 'completed') throw new ServiceError('NOT_COMPLETED');
      const measured = await readMeasured(store, runKeys(tenant, record.run).documents['result.json']);
      edits = next(record, measured);
      made = await shownAs(place, record, edits, measured);
    }
    if ((await tenantOf(env, tenant).conversations.change(id, record, made)) === 'done') return;
    if (made.shown) await store.delete([shownResultKey(tenant, { run: record.run, shown: made.shown })]);
  }
  throw new ServiceError('OVERLOADED', 'Others edit this conversation, too', { retryAfter: RETRY_AFTER_S });
}

/** Whether edits make another result of what was measured. */
const isOther = (a: Edited, b: Edited): boolean => spoken(a) !== spoken(b);
const spoken = ({ names, merges, moves }: Edited): string => JSON.stringify([[...names], [...merges], [...moves]]);

async function shownAs(
  { env, tenant }: ConversationAddress,
  record: StoredRecord,
  edits: readonly Edit[],
  measured: MeasuredResult,
): Promise<Change> {
  const store = mediaStore(env);
  const from = runKeys(tenant, record.run).documents['result.json'];
  const edited = editedBy(edits);
  if (!isResultEdited(edited)) return { edits, shown: null, indexed: indexOf(await readIndexable(store, from)) };
  const shown = `edited-${crypto.randomUUID()}.json`;
  const to = shownResultKey(tenant, { run: record.run, shown });
  await writeEdited(store, from, to, await editedResult(edited, measured));
  return { edits, shown, indexed: indexOf(await readIndexable(store, to)) };
}

const namesIn = ({ timeline }: MeasuredResult) => ({
  utteranceIds: new Set(timeline.map((u) => u.utterance_id)),
  speakers: new Set(timeline.map((u) => u.speaker)),
});

/** A thumb on what a conversation holds. @throws ServiceError INVALID_REQUEST for what it does not */
export async function textUnderThumb(
  { env, tenant }: ConversationAddress,
  record: StoredRecord,
  on: Feedback,
): Promise<string> {
  if (record.status !== 'completed') throw new ServiceError('NOT_COMPLETED');
  const store = mediaStore(env);
  const key = shownResultKey(tenant, record);
  const found = on.utterance_id === undefined ? await told(store, key, on) : await said(store, key, on.utterance_id);
  if (found !== undefined) return found.slice(0, LIMITS.feedbackChars);
  const [field] = (['moment_id', 'utterance_id', 'line'] as const).filter((name) => on[name] !== undefined);
  throw new ServiceError('INVALID_REQUEST', `${field}: is none of this conversation`);
}

async function said(store: Parameters<typeof readMeasured>[0], key: string, id: string): Promise<string | undefined> {
  const { timeline } = await readMeasured(store, key);
  return timeline.find((u) => u.utterance_id === id)?.text;
}

async function told(
  store: Parameters<typeof readMeasured>[0],
  key: string,
  { moment_id, line }: Feedback,
): Promise<string | undefined> {
  const { moments, summary } = await readFindings(store, key);
  if (moment_id !== undefined) return moments.find((m) => m.moment_id === moment_id)?.summary;
  const { key_insights, notable_patterns, recommendations, quality_reasons, overview } = summary;
  const lines = [
    ...[overview, ...key_insights, ...notable_patterns, ...recommendations, ...quality_reasons],
    ...summary.evidence.map(({ text }) => text),
  ];
  return lines.find((told) => told === line);
}
