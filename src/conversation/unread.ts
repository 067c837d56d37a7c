import type { Unread, Utterance } from '../contract/timeline.ts';

/** The utterance as conclusions read it: without the words that nothing may be concluded from. */
export const readable = <T extends Utterance>(utterance: T): T =>
  utterance.unread ? { ...utterance, text: '', words: [] } : utterance;

/** Why nothing can be concluded from any words of a conversation; null where some are read. */
export function unreadAltogether(utterances: readonly Utterance[]): Unread | null {
  const [first] = utterances;
  if (!first?.unread || utterances.some(({ unread }) => !unread)) return null;
  return utterances.some(({ unread }) => unread === 'language') ? 'language' : 'not_understood';
}
