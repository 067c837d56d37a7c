import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';

/** A phrase in quotation marks, or a word. A star at the end matches any ending. */
const TERM = /"([^"]*)"|([^\s"]+)/g;
/** Terms without a letter or digit are ignored. */
const WORDY = /[\p{L}\p{N}]/u;

/**
 * Translates a user's search to FTS5. Every word must occur, and a quoted phrase must occur literally. Every term is
 * quoted, so that FTS5 syntax in the search has no effect.
 * @throws ServiceError INVALID_REQUEST when there are no words, or too many
 */
export const searchQuery = (typed: string): string => searchTerms(typed).join(' AND ');

/** The terms of a search, in the syntax of FTS5. @throws ServiceError INVALID_REQUEST when there are none, or too many */
export function searchTerms(typed: string): string[] {
  const terms = [...typed.matchAll(TERM)].flatMap(([, phrase, word = '']) => {
    const term = phrase ?? word;
    if (!WORDY.test(term)) return [];
    const isPrefix = phrase === undefined && term.endsWith('*');
    return [`"${term.replaceAll('"', '""')}"${isPrefix ? '*' : ''}`];
  });
  if (terms.length === 0) throw new ServiceError('INVALID_REQUEST', 'q: must contain at least one word');
  if (terms.length > LIMITS.queryWords)
    throw new ServiceError('INVALID_REQUEST', `q: must have at most ${LIMITS.queryWords} words`);
  return terms;
}
