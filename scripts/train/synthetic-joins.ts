import type { CorpusDialogue } from './dialogue-corpus.ts';

/** Options for joining unrelated pieces into a conversation. */
export interface JoinOptions {
  conversations: number;
  /** Pieces per conversation, inclusive. */
  pieces: [number, number];
  /** Turns per piece, inclusive. */
  turns: [number, number];
  random: () => number;
}

/** Text reduced to letters, as a recogniser without punctuation would write it. */
export const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}' ]+/gu, ' ');

/**
 * Conversations assembled from pieces of unrelated dialogues. Every join is a boundary, as are the boundaries within a
 * piece. Half of a dialogue's pieces start at its first turn and some end with its last, so that greetings and closings
 * occur next to joins. A third is written without punctuation.
 */
export function joinDialogues(sources: CorpusDialogue[][], options: JoinOptions): Required<CorpusDialogue>[] {
  const { random } = options;
  const between = ([low, high]: [number, number]) => low + Math.floor(random() * (high - low + 1));
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!;
  return Array.from({ length: options.conversations }, (_, c) => {
    const joined: Required<CorpusDialogue> = { id: `join_${c}`, turns: [], speakers: [], boundaries: [] };
    const strip = random() < 1 / 3;
    const used = new Set<string>();
    for (let piece = between(options.pieces); piece > 0; piece--) {
      let source = pick(pick(sources));
      for (let tries = 0; used.has(source.id) && tries < 5; tries++) source = pick(pick(sources));
      used.add(source.id);
      const length = Math.min(between(options.turns), source.turns.length);
      const place = random();
      const last = source.turns.length - length;
      const from = place < 0.35 ? 0 : place < 0.55 ? last : Math.floor(random() * (last + 1));
      if (joined.turns.length > 0) joined.boundaries.push(joined.turns.length);
      // The same two speakers alternate throughout the conversation, as in one call.
      for (let i = from; i < from + length; i++) {
        if (i > from && source.boundaries?.includes(i)) joined.boundaries.push(joined.turns.length);
        const text = source.turns[i]!;
        joined.speakers.push(joined.turns.length % 2 === 0 ? 'a' : 'b');
        joined.turns.push(strip ? plain(text) : text);
      }
    }
    return joined;
  });
}
