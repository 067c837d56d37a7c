import type { Language } from '../language.ts';

/** Whether a cleaned sentence was left unfinished. */
export const isCutOff = (text: string, { fillers }: Language): boolean => fillers.cutOff.test(text);

/** A sentence without fillers at its ends and without stutters; every other word is verbatim. */
export function clean(text: string, { fillers }: Language): string {
  const { filler, repeated, leading, trailing } = fillers;
  const bare = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .replace(filler, ' ')
    .replace(repeated, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const end = /(?<![.!?…])[.!?…]+$/u.exec(bare)?.[0] ?? '';
  const led = bare.replace(leading, '').replace(/(?<![.!?…,;:\s-])[.!?…,;:\s-]+$/u, '');
  const trail = trailing.exec(led)?.[1] ?? '';
  const core = led.slice(0, led.length - trail.length).trim();
  return core === '' ? '' : core + (end.includes('?') ? '?' : '');
}

/** The longest beginning of a text that fits, cut between words; '…' marks the cut. */
export function shorten(text: string, words: number): string {
  const parts = text.split(' ');
  if (parts.length <= words) return text;
  let end = words;
  // Prefer the end of a clause to the middle of one.
  for (let i = words; i > words * 0.6; i--)
    if (/[,;]$/.test(parts[i - 1]!)) {
      end = i;
      break;
    }
  return `${parts.slice(0, end).join(' ').replace(/[,;]$/, '')} …`;
}
