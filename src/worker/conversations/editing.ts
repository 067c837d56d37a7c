import type { Edit, Feedback } from '../../contract/conversations.ts';
import { ServiceError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { Env } from '../identity/env.ts';
import { checkEdit, editedBy } from '../results/edits/edited.ts';
import type { MeasuredResult } from '../results/edits/edited-result.ts';
import { type KnownPeople, peopleIn, withPeople } from '../results/edits/people.ts';
import type { StoredRecord } from '../results/record.ts';
import { type Change, isDifferent, writeShown } from '../results/shown-result.ts';
import { readFindings, readMeasured } from '../results/stored-result.ts';
import { runKeys, shownResultKey } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import type { Found } from '../tenant/catalogue/catalogue.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Number of attempts to apply an edit while others change the same conversation. */
const TRIES = 4;
const RETRY_AFTER_S = 1;

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

/** Adds an edit. @throws ServiceError INVALID_REQUEST, NOT_FOUND, NOT_COMPLETED, OVERLOADED */
export async function edit(address: ConversationAddress, added: Edit): Promise<void> {
  const { env, tenant } = address;
  const known = await tenantOf(env, tenant).people.known(peopleIn([added]));
  for (const [label, id] of Object.entries(added.people ?? {}))
    if (id !== null && !known[id])
      throw new ServiceError('INVALID_REQUEST', `people.${label}: there is no such person`);
  await change(address, ({ edits }, measured) => {
    if (measured) checkEdit(added, edits, namesIn(measured));
    const next = [...edits, added];
    if (JSON.stringify(next).length > LIMITS.editBytes)
      throw new ServiceError(
        'INVALID_REQUEST',
        `The edits of this conversation exceed their limit of ${LIMITS.editBytes} bytes`,
      );
    return next;
  });
}

/** Removes the last edit. @throws ServiceError NOTHING_TO_UNDO, NOT_FOUND, OVERLOADED */
export const undo = (address: ConversationAddress): Promise<void> =>
  change(address, ({ edits }) => {
    if (edits.length === 0) throw new ServiceError('NOTHING_TO_UNDO');
    return edits.slice(0, -1);
  });

/**
 * Applies a change to the edits, and retries if somebody else changed the conversation in the meantime.
 * @param next computes the new edits. When the edits affect the result, it is called again with the measured result.
 */
async function change(
  address: ConversationAddress,
  next: (record: StoredRecord, measured?: MeasuredResult) => readonly Edit[],
): Promise<void> {
  const { env, tenant, id } = address;
  const store = mediaStore(env);
  for (let tries = 0; tries < TRIES; tries++) {
    const { record } = await requireFound(address);
    const wanted = next(record);
    const people: KnownPeople = await tenantOf(env, tenant).people.known(peopleIn(wanted));
    const edits = withPeople(wanted, people);
    let applied: Change = { edits, people };
    if (isDifferent(editedBy(edits, people), editedBy(record.edits, record.people))) {
      if (record.status !== 'completed') throw new ServiceError('NOT_COMPLETED');
      const measured = await readMeasured(store, runKeys(tenant, record.run).documents['result.json']);
      next(record, measured);
      applied = await writeShown(store, tenant, record.run, applied, measured);
    }
    if ((await tenantOf(env, tenant).conversations.change(id, record, applied)) === 'done') return;
    if (applied.shown) await store.delete([shownResultKey(tenant, { run: record.run, shown: applied.shown })]);
  }
  throw new ServiceError('OVERLOADED', 'Someone else is editing this conversation; try again', {
    retryAfter: RETRY_AFTER_S,
  });
}

const namesIn = ({ timeline }: MeasuredResult) => ({
  utteranceIds: new Set(timeline.map((u) => u.utterance_id)),
  speakers: new Set(timeline.map((u) => u.speaker)),
});

const FEEDBACK_TARGETS = { moment_id: 'moment', utterance_id: 'utterance', line: 'line' } as const;

/**
 * The text that the feedback refers to.
 * @throws ServiceError INVALID_REQUEST when the conversation has no such text
 */
export async function textOfFeedback(
  { env, tenant }: ConversationAddress,
  record: StoredRecord,
  on: Feedback,
): Promise<string> {
  if (record.status !== 'completed') throw new ServiceError('NOT_COMPLETED');
  const store = mediaStore(env);
  const key = shownResultKey(tenant, record);
  const found =
    on.utterance_id === undefined
      ? await findingText(store, key, on)
      : await utteranceText(store, key, on.utterance_id);
  if (found !== undefined) return found.slice(0, LIMITS.feedbackChars);
  const [field] = (['moment_id', 'utterance_id', 'line'] as const).filter((name) => on[name] !== undefined);
  throw new ServiceError('INVALID_REQUEST', `${field}: this conversation has no such ${FEEDBACK_TARGETS[field!]}`);
}

async function utteranceText(
  store: Parameters<typeof readMeasured>[0],
  key: string,
  id: string,
): Promise<string | undefined> {
  const { timeline } = await readMeasured(store, key);
  return timeline.find((u) => u.utterance_id === id)?.text;
}

async function findingText(
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
  return lines.find((text) => text === line);
}
