import type { ConversationEntry } from '../../sdk/wire.ts';
import { shortDay } from './format.ts';

/** What a conversation is called on every page: what was said live has no file to be named after. */
export const titleOf = ({
  title,
  mode,
  created_at,
}: Pick<ConversationEntry, 'title' | 'mode' | 'created_at'>): string =>
  title.trim() || `${mode === 'live' ? 'Live session' : 'Recording'}, ${shortDay(created_at)}`;
