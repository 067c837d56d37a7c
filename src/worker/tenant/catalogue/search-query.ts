import { ServiceError } from '../../../contract/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';

/** A phrase in quotation marks, or a word; a star behind it stands for any ending. */
const TERM = /"([^"]*)"|([^\s"]+)/g;
/** Without a letter or a digit there is nothing to look for. */
const WORDY = /[\p{L}\p{N}]/u;

/**
 * What somebody typed, as FTS5 understands it: every word must be there, what stands in quotation marks as it stands.
 * Nothing of it is syntax: each term is a string of FTS5.
 * @throws ServiceError INVALID_REQUEST when it holds no word, or too many
 */
export function searchQuery(typed: string): string {
  const terms = [...typed.matchAll(TERM)].flatMap(([, phrase, word = '']) => {
    const term = phrase ?? word;
    if (!WORDY.test(term)) return [];
    const isPrefix = phrase === undefined && term.endsWith('*');
    return [`"${term.replaceAll('"', '""')}"${isPrefix ? '*' : ''}`];
  });
  if (terms.length === 0) throw new ServiceError('INVALID_REQUEST', 'q: holds no word');
  if (terms.length > LIMITS.queryWords)
    throw new ServiceError('INVALID_REQUEST', `q: more than ${LIMITS.queryWords} words`);
  return terms.join(' AND ');
}
