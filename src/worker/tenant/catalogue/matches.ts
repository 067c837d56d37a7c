import type { Match } from '../../../contract/conversations.ts';

/** Marks around a hit. Indexed text has no control characters. */
export const [HIT, END_OF_HIT] = ['\u0002', '\u0003'];
const MATCHES_SHOWN = 3;
/** Number of characters shown before the first hit of a long utterance. */
const SHOWN_BEFORE = 60;
const SHOWN_CHARS = 240;

/**
 * The first utterances with hits.
 * @param marked the transcript with marked hits, one utterance per line
 * @param starts when each utterance starts, ms
 */
export function matchesIn(marked: string, starts: Uint32Array, conversationId: string): Match[] {
  const matches: Match[] = [];
  let line = 0;
  for (let at = 0; matches.length < MATCHES_SHOWN; ) {
    const hit = marked.indexOf(HIT, at);
    if (hit < 0) break;
    const begin = marked.lastIndexOf('\n', hit) + 1;
    for (let next = at; next < begin; line++) next = marked.indexOf('\n', next) + 1;
    const end = marked.indexOf('\n', hit);
    const utterance = marked.slice(begin, end < 0 ? undefined : end);
    const utterance_id = `${conversationId}_utt_${line}`;
    matches.push({ utterance_id, t_start: (starts[line] ?? 0) / 1000, ...excerptOf(utterance) });
    at = end < 0 ? marked.length : end + 1;
    line++;
  }
  return matches;
}

/** The part of a line around its first hit, and the positions of its hits. */
export function excerptOf(marked: string): Pick<Match, 'text' | 'hits'> {
  const from = excerptStart(marked, marked.indexOf(HIT));
  const lead = from > 0 ? '… ' : '';
  const hits: [number, number][] = [];
  let text = lead;
  // The first piece precedes the first hit. Every other piece begins with a hit. A phrase may continue on the next
  // line.
  for (const [i, piece] of marked.slice(from).split(HIT).entries()) {
    const [hit = '', rest = ''] = i === 0 ? ['', piece] : piece.split(END_OF_HIT);
    if (i > 0 && text.length < SHOWN_CHARS) hits.push([text.length, text.length + hit.length]);
    text += hit + rest;
    if (text.length > SHOWN_CHARS) break;
  }
  if (text.length <= SHOWN_CHARS) return { text: text.toWellFormed(), hits };
  const blank = text.lastIndexOf(' ', Math.max(SHOWN_CHARS, hits[0]?.[1] ?? 0));
  const end = Math.max(blank, hits.at(-1)?.[1] ?? 0);
  return { text: `${text.slice(0, end).toWellFormed()} …`, hits };
}

/** The position at which the excerpt begins: at the start of the line, or a few words before a late first hit. */
function excerptStart(marked: string, hit: number): number {
  if (hit <= SHOWN_CHARS / 2) return 0;
  const wanted = hit - SHOWN_BEFORE;
  const blank = marked.lastIndexOf(' ', wanted);
  return blank > wanted - SHOWN_BEFORE ? blank + 1 : wanted;
}
