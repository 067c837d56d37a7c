import type { ConversationEntry } from '../../sdk/wire.ts';
import { shortDay } from './format.ts';

/** The title of a conversation on every page. A live one has no file name to show. */
export const titleOf = ({
  title,
  mode,
  created_at,
}: Pick<ConversationEntry, 'title' | 'mode' | 'created_at'>): string =>
  title.trim() || `${mode === 'live' ? 'Live session' : 'Recording'}, ${shortDay(created_at)}`;
