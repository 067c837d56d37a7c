import { UndertoneError } from '../../sdk/error.ts';
import type { AnalysisResponse, ConversationRecord, Job, TimelineEntry } from '../../sdk/wire.ts';
import type { SignedInService } from '../lib/session.ts';
import type { SoundLevels } from './model.ts';
import { parseProgressively } from './progressive-parse.ts';

/** The data that the page of a conversation shows first. The rest is loaded afterwards. */
export interface StoredConversationData {
  record: ConversationRecord;
  /** Undefined while there is no result. `job` then gives the reason. */
  result: AnalysisResponse | undefined;
  job: Job | undefined;
}

/** @param onWords receives the utterances that have arrived */
export async function openStored(
  { conversations }: SignedInService,
  id: string,
  signal: AbortSignal,
  onWords: (entries: readonly TimelineEntry[]) => void = () => undefined,
): Promise<StoredConversationData> {
  const [record, peeked] = await Promise.all([
    conversations.record(id, { signal }),
    conversations.peek(id, { signal, read: (response) => parseProgressively(response, onWords) }),
  ]);
  return 'timeline' in peeked ? { record, result: peeked, job: undefined } : { record, result: undefined, job: peeked };
}

/** Undefined when the recording was deleted or its levels were never measured. The timeline works without them. */
export async function levelsOf(
  { conversations }: SignedInService,
  id: string,
  signal: AbortSignal,
): Promise<SoundLevels | undefined> {
  try {
    const { rate, channels } = await conversations.levels(id, { signal });
    return { rate, channels: channels.map(bytesOf) };
  } catch {
    return undefined;
  }
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Longest lifetime of a token, s. */
export const TOKEN_SECONDS = 3600;

/**
 * URL for an `<audio>` element. The element cannot send a key, so the URL carries a token for this one conversation. On
 * a service without tokens, the whole recording is downloaded first.
 */
export async function mediaOf({ tokens, conversations }: SignedInService, id: string, given?: string): Promise<string> {
  try {
    const token = given ?? (await tokens.mint({ for: { conversation: id }, ttl_seconds: TOKEN_SECONDS })).token;
    return `/conversations/${encodeURIComponent(id)}/media?token=${encodeURIComponent(token)}`;
  } catch (error) {
    if (!(error instanceof UndertoneError) || error.code !== 'KEYS_DISABLED') throw error;
    return URL.createObjectURL(await conversations.media(id));
  }
}
