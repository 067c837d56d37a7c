import type { Utterance } from '../../src/contract/timeline.ts';

/** A conversation from lines `A: text`, four seconds apart, each three seconds long. */
export const talk = (lines: string): Utterance[] =>
  lines
    .trim()
    .split('\n')
    .map((line, i) => {
      const [speaker = '', ...text] = line.trim().split(': ');
      return { utterance_id: `c_utt_${i}`, speaker, t_start: i * 4, t_end: i * 4 + 3, text: text.join(': ') };
    });
