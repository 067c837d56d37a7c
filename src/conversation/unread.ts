import type { Unread, Utterance } from '../contract/timeline.ts';

/**
 * The utterance as conclusions read it. An unread utterance loses its words, because nothing can be concluded from
 * them.
 */
export const readable = <T extends Utterance>(utterance: T): T =>
  utterance.unread ? { ...utterance, text: '', words: [] } : utterance;

/** The reason why nothing can be concluded from any words of a conversation; null if some words are readable. */
export function unreadAltogether(utterances: readonly Utterance[]): Unread | null {
  const [first] = utterances;
  if (!first?.unread || utterances.some(({ unread }) => !unread)) return null;
  return utterances.some(({ unread }) => unread === 'language') ? 'language' : 'not_understood';
}
